// The setting that turns the sandbox on.
import { boolean, type Given, type Settings } from '../platform/config.ts'
import type { demoSizes } from './demo/sandbox.demo.plan.ts'

export const sandboxSettings = {
  SANDBOX: {
    default: 'true when embedded, else false',
    meaning: 'whether simulated banks, verifiers and card gateways replace the real ones; keys begin with vk_test_',
    parse: boolean,
  },
} satisfies Settings

/** `demoSize`: the size of the demo bank. Smaller only in tests. */
export type SandboxConfig = { sandbox: boolean; demoSize: keyof typeof demoSizes }

export function sandboxConfig(given: Given<typeof sandboxSettings>, { databaseUrl }: { databaseUrl: string | undefined }): SandboxConfig {
  return { sandbox: given.SANDBOX ?? databaseUrl === undefined, demoSize: 'full' }
}
