// What to do where a request needs a second person and nobody at the bank could be that person.
import type { AdminKey } from '@vostro/sdk'
import { counted } from './words.ts'

export type WayOut = { text: string; command?: string; showsPairs: boolean }

const others = 'The other admins are related to the person who asked, so they count as one person with them.'
const ordinals = ['an', 'a second', 'a third']

type Known = Pick<AdminKey, 'may' | 'admins_needed' | 'related_days' | 'next_is_related'>

/** `admins`: how many active ones the bank has. `origin`: where the service is. */
type Place = { admins: number; origin: string }

/** How somebody comes in who could approve. */
export function wayOut({ may, admins_needed, related_days, next_is_related }: Known, { admins, origin }: Place): WayOut {
  const showsPairs = admins > 1
  const wait = next_is_related
    ? ` The new admin may approve after ${counted(related_days, 'day')}. Until then they count as related to everybody who is at the bank.`
    : ''
  const post = (path: string) => `curl -sS --fail-with-body ${origin}/api/v1${path} \\\n  -H "Authorization: Bearer $ADMIN_API_KEY"`
  if (may !== 'NOTHING' && admins < admins_needed)
    return {
      text:
        (showsPairs ? `${others} ` : '') +
        `Let in ${ordinals[admins] ?? 'another'} admin with the admin key: put an email into this command, run it, and hand over the link in the ` +
        `answer. An invitation made in the console would wait for a second person, too.${wait}`,
      showsPairs,
      command: `${post('/operator/users')} -H "Content-Type: application/json" \\\n  -d '{"email": "somebody@bank.example", "role": "admin"}'`,
    }
  if (showsPairs)
    return {
      text: `${others} Somebody who came in with the admin key may approve ${counted(related_days, 'day')} later.`,
      showsPairs,
    }
  return {
    text:
      'The admin key is retired. Start the service with ADMIN_API_KEY_SCOPE=set-up, make a set-up link with this command, hand it to the next admin, ' +
      `and start the service again without the setting.${wait}`,
    showsPairs,
    command: `${post('/operator/users/set-up')} -X POST`,
  }
}

export const stuckTitle = (count: number): string =>
  count === 1 ? 'A request waits, and nobody at the bank can approve it' : `${count} requests wait, and nobody at the bank can approve them`
