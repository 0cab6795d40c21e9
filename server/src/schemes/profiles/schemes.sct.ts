// SEPA credit transfers.
import { firstTerms } from './schemes.first.ts'
import type { Profile } from './schemes.profile.ts'

export const sct = {
  method: 'SEPA',
  name: 'SEPA credit transfers',
  letter: 'S',
  messages: { pay: 'pacs.008.001.08', return: 'pacs.004.001.09', ask: 'pacs.028.001.03', recall: 'camt.056.001.08' },
  most: 5_000,
  instant: false,
  packed: true,
  payment_type: { service_level: 'SEPA' },
  currencies: ['EUR'],
  payee_needs: [
    { field: 'iban', when: 'always' },
    { field: 'bic', when: 'iban_outside_eea' },
  ],
  terms: { ...firstTerms, calendar: 'TARGET', lead_days: 1, prefers: 10 },
} as const satisfies Profile
