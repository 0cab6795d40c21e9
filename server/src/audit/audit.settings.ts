// The setting of four eyes. There is no route for it: whoever could turn it off could do alone what needs two people.
import { type Given, onOrOff, type Settings } from '../platform/config.ts'

export const auditSettings = {
  FOUR_EYES: {
    default: 'off in the sandbox, else on',
    meaning: 'whether what releases money or rights needs a second person: on or off',
    parse: onOrOff,
  },
} satisfies Settings

export type AuditConfig = { fourEyes: boolean }

export function auditConfig(given: Given<typeof auditSettings>, { sandbox }: { sandbox: boolean }): AuditConfig {
  return { fourEyes: given.FOUR_EYES ?? !sandbox }
}
