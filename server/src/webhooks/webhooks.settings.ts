// The setting of webhooks: the addresses that they may be sent to.
import { boolean, type Given, type Settings } from '../platform/config.ts'

export const webhooksSettings = {
  WEBHOOK_ALLOW_PRIVATE_NETWORK: {
    default: 'the value of SANDBOX',
    meaning: 'whether webhooks may go to private addresses and over plain http',
    parse: boolean,
  },
} satisfies Settings

export type WebhooksConfig = { webhookAllowPrivateNetwork: boolean }

export function webhooksConfig(given: Given<typeof webhooksSettings>, { sandbox }: { sandbox: boolean }): WebhooksConfig {
  return { webhookAllowPrivateNetwork: given.WEBHOOK_ALLOW_PRIVATE_NETWORK ?? sandbox }
}
