// The settings of the card gateway and of the public payment pages.
import { type Given, httpUrl, integer, type Settings, text } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'

export const paymentsSettings = {
  GATEWAY_URL: { default: 'unset: the sandbox', meaning: 'the URL of the card gateway, without /payment/rest', parse: httpUrl },
  GATEWAY_USER: { default: 'unset', meaning: 'the user of the card gateway', parse: text },
  GATEWAY_PASSWORD: { default: 'unset', meaning: 'the password of the card gateway', parse: text },
  PAY_PAGE_LIMIT_PER_MINUTE: {
    default: '60',
    meaning:
      'the largest number of requests per minute from one address to the pages of one payment link, counted by each instance; starting a payment counts as five',
    parse: integer(10, 1_000_000_000),
  },
} satisfies Settings

type GatewayConfig = { url: string; user: string; password: string } | undefined
export type PaymentsConfig = { gateway: GatewayConfig; payPageLimitPerMinute: number }

export function paymentsConfig(given: Given<typeof paymentsSettings>): PaymentsConfig {
  return { gateway: gatewayConfig(given), payPageLimitPerMinute: given.PAY_PAGE_LIMIT_PER_MINUTE ?? 60 }
}

function gatewayConfig(given: Given<typeof paymentsSettings>): GatewayConfig {
  const { GATEWAY_URL: url, GATEWAY_USER: user, GATEWAY_PASSWORD: password } = given
  if (url === undefined && user === undefined && password === undefined) return undefined
  if (url === undefined || user === undefined || password === undefined) {
    throw new StartupError('The card gateway needs all of GATEWAY_URL, GATEWAY_USER and GATEWAY_PASSWORD: set all three, or none.')
  }
  return { url, user, password }
}
