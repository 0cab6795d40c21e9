// The settings of the card gateway.
import { type Given, httpUrl, type Settings, text } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'

export const paymentsSettings = {
  GATEWAY_URL: { default: 'unset: the sandbox', meaning: 'the URL of the card gateway, without /payment/rest', parse: httpUrl },
  GATEWAY_USER: { default: 'unset', meaning: 'the user of the card gateway', parse: text },
  GATEWAY_PASSWORD: { default: 'unset', meaning: 'the password of the card gateway', parse: text },
} satisfies Settings

export type PaymentsConfig = { gateway: { url: string; user: string; password: string } | undefined }

export function paymentsConfig(given: Given<typeof paymentsSettings>): PaymentsConfig {
  const { GATEWAY_URL: url, GATEWAY_USER: user, GATEWAY_PASSWORD: password } = given
  if (url === undefined && user === undefined && password === undefined) return { gateway: undefined }
  if (url === undefined || user === undefined || password === undefined) {
    throw new StartupError('The card gateway needs all of GATEWAY_URL, GATEWAY_USER and GATEWAY_PASSWORD: set all three, or none.')
  }
  return { gateway: { url, user, password } }
}
