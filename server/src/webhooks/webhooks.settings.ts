// The settings of webhooks: allowed addresses, and how long deliveries are kept.
import { boolean, type Given, integer, type Settings } from '../platform/config.ts'

export const webhooksSettings = {
  WEBHOOK_ALLOW_PRIVATE_NETWORK: {
    default: 'the value of SANDBOX',
    meaning: 'whether webhooks may go to private addresses and over plain http',
    parse: boolean,
  },
  WEBHOOK_DELIVERY_RETENTION_DAYS: {
    default: '30',
    meaning: 'how many days webhook deliveries are kept after they succeeded',
    parse: integer(1, 3_650),
  },
} satisfies Settings

export type WebhooksConfig = { webhookAllowPrivateNetwork: boolean; webhookDeliveryRetention_days: number }

export function webhooksConfig(given: Given<typeof webhooksSettings>, { sandbox }: { sandbox: boolean }): WebhooksConfig {
  return {
    webhookAllowPrivateNetwork: given.WEBHOOK_ALLOW_PRIVATE_NETWORK ?? sandbox,
    webhookDeliveryRetention_days: given.WEBHOOK_DELIVERY_RETENTION_DAYS ?? 30,
  }
}
