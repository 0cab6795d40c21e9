// Terms that the SEPA schemes have in common.
import type { ParticipationTerms } from './schemes.profile.ts'

export const firstTerms: Omit<ParticipationTerms, 'calendar' | 'lead_days' | 'prefers'> = {
  currency: 'EUR',
  state: 'ACTIVE',
  zone: 'UTC',
  cut_offs: [],
  answer_hours: null,
  smallest: null,
  largest: '999999999.99',
  envelope: { clearing_code: null, clearing_system: null, instructed_bic: null, header: null },
}
