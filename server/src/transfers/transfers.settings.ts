// The settings of transfers.
import { type Given, integer, type Settings } from '../platform/config.ts'

export const transfersSettings = {
  CARD_AUTH_DAYS: {
    default: '7',
    meaning: 'after how many days the service cancels a card authorisation of a venture whose transfers the bank processes',
    parse: integer(1, 365),
  },
} satisfies Settings

export type TransfersConfig = { cardAuth_days: number }

export function transfersConfig(given: Given<typeof transfersSettings>): TransfersConfig {
  return { cardAuth_days: given.CARD_AUTH_DAYS ?? 7 }
}
