// Warnings about an admin key that is still in use, or that can still add admins.
import type { AdminKey } from '@vostro/sdk'
import { counted } from './words.ts'

export type Notice = { tone: 'red' | 'orange'; title: string; text: string; times: readonly string[] }

const month_ms = 30 * 86_400_000

/** `now_ms`: the bank's time. */
export function noticeOf(
  { may, admins_with_passkey, admins_needed, scopes, set_up_reopened }: AdminKey,
  now_ms: number,
): Notice | undefined {
  const times = set_up_reopened.filter((at) => now_ms - Date.parse(at) < month_ms)
  if (times.length > 0 || scopes.includes('set-up'))
    return {
      tone: 'red',
      title: scopes.includes('set-up') ? 'The admin key can add another admin' : 'The admin key could add another admin',
      text: `The service was started with ADMIN_API_KEY_SCOPE=set-up, which is meant for a bank that is locked out. ${
        scopes.includes('set-up') ? 'Restart it without the setting. ' : ''
      }If you do not know why, look at the users and at the audit log.`,
      times,
    }
  if (may === 'NOTHING') return undefined
  const missing = Math.max(admins_needed - admins_with_passkey, 0)
  return {
    tone: 'orange',
    title: `The bank needs ${counted(missing, 'more admin', 'more admins')} with a passkey`,
    text:
      `It needs ${admins_needed}: with fewer, one absence blocks everything that needs two people, and nobody can replace a lost passkey. ` +
      `Until then, the holder of the admin key can ${may === 'EVERYTHING' ? 'do what an admin does alone' : 'add the third admin'}.`,
    times: [],
  }
}
