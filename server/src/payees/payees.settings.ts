// The settings of payee verification.
import { type Given, integer, type Settings } from '../platform/config.ts'

export const payeesSettings = {
  PAYEE_VERIFICATION_RETENTION_DAYS: {
    default: '400',
    meaning: 'for how many days payee verifications are kept; payers may claim money back for 13 months',
    parse: integer(2, 3_650),
  },
} satisfies Settings

export type PayeesConfig = { payeeVerificationRetention_days: number }

export function payeesConfig(given: Given<typeof payeesSettings>): PayeesConfig {
  return { payeeVerificationRetention_days: given.PAYEE_VERIFICATION_RETENTION_DAYS ?? 400 }
}
