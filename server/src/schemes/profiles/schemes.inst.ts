// SEPA instant: each payment alone, answered within seconds, on every day.
import { firstTerms } from './schemes.first.ts'
import type { Profile } from './schemes.profile.ts'

export const inst = {
  method: 'INST',
  name: 'SEPA instant',
  letter: 'I',
  messages: { pay: 'pacs.008.001.08', return: 'pacs.004.001.09', ask: 'pacs.028.001.03', recall: 'camt.056.001.08' },
  most: 1,
  instant: true,
  packed: false,
  payment_type: { service_level: 'SEPA', local_instrument: 'INST' },
  currencies: ['EUR'],
  payee_needs: [
    { field: 'iban', when: 'always' },
    { field: 'bic', when: 'iban_outside_eea' },
  ],
  terms: { ...firstTerms, calendar: 'ALWAYS', lead_days: 0, prefers: 20 },
} as const satisfies Profile
