// The setting for four-eyes approval. It has no route, because anyone who could turn it off could do alone what takes two people.
import { type Given, onOrOff, type Settings } from '../platform/config.ts'

export const auditSettings = {
  FOUR_EYES: {
    default: 'off in the sandbox, otherwise on',
    meaning: 'whether releasing money or granting rights takes a second person: on or off',
    parse: onOrOff,
  },
} satisfies Settings

export type AuditConfig = { fourEyes: boolean }

export function auditConfig(given: Given<typeof auditSettings>, { sandbox }: { sandbox: boolean }): AuditConfig {
  return { fourEyes: given.FOUR_EYES ?? !sandbox }
}
