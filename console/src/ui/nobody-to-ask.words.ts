// What to do if nobody at the bank can approve a request.
import type { AdminKey } from '@vostro/sdk'
import { counted } from './words.ts'

export type WayOut = { text: string; command?: string; showsPairs: boolean }

const others = 'The other admins are related to the requester, so they count as the same person.'
const ordinals = ['an', 'a second', 'a third']

type Known = Pick<AdminKey, 'may' | 'admins_needed' | 'related_days' | 'next_is_related'>

/** `admins`: the number of active admins. `origin`: the address of the service. */
type Place = { admins: number; origin: string }

/** How to add a person who can approve. */
export function wayOut({ may, admins_needed, related_days, next_is_related }: Known, { admins, origin }: Place): WayOut {
  const showsPairs = admins > 1
  const wait = next_is_related
    ? ` The new admin can approve after ${counted(related_days, 'day')}. Until then they count as related to everyone at the bank.`
    : ''
  const post = (path: string) => `curl -sS --fail-with-body ${origin}/api/v1${path} \\\n  -H "Authorization: Bearer $ADMIN_API_KEY"`
  if (may !== 'NOTHING' && admins < admins_needed)
    return {
      text:
        (showsPairs ? `${others} ` : '') +
        `Add ${ordinals[admins] ?? 'another'} admin with the admin key: fill in an email, run this command, and pass on the link in the ` +
        `response. An invitation made in the console would also need a second person.${wait}`,
      showsPairs,
      command: `${post('/operator/users')} -H "Content-Type: application/json" \\\n  -d '{"email": "somebody@bank.example", "role": "admin"}'`,
    }
  if (showsPairs)
    return {
      text: `${others} Admins who were added with the admin key can approve after ${counted(related_days, 'day')}.`,
      showsPairs,
    }
  return {
    text:
      'The admin key is retired. Start the service with ADMIN_API_KEY_SCOPE=set-up, create a set-up link with this command, give it to the next admin, ' +
      `and restart the service without the setting.${wait}`,
    showsPairs,
    command: `${post('/operator/users/set-up')} -X POST`,
  }
}

export const stuckTitle = (count: number): string =>
  count === 1
    ? 'A request is pending, and nobody at the bank can approve it'
    : `${count} requests are pending, and nobody at the bank can approve them`
