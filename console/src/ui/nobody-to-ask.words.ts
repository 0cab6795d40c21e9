// What to do where a request needs a second person and nobody at the bank could be that person.
import type { AdminKey } from '@vostro/sdk'

export type WayOut = { text: string; command?: string; showsPairs: boolean }

const others = 'The other admins are related to the person who asked, so they count as one person with them.'
const ordinals = ['an', 'a second', 'a third']

/** `people`, `admins`: how many the bank has, and how many of them are active admins. `origin`: where the service is. */
type Place = { people: number; admins: number; origin: string }

/** How somebody comes in who could approve. Who comes in with the admin key after three others counts for a while as related to all of them. */
export function wayOut({ may, admins_needed }: Pick<AdminKey, 'may' | 'admins_needed'>, { people, admins, origin }: Place): WayOut {
  const showsPairs = admins > 1
  const post = (path: string) => `curl -sS --fail-with-body ${origin}/api/v1${path} \\\n  -H "Authorization: Bearer $ADMIN_API_KEY"`
  if (may !== 'NOTHING' && admins < admins_needed)
    return {
      text:
        (showsPairs ? `${others} ` : '') +
        `Let in ${ordinals[admins] ?? 'another'} admin with the admin key: put an email into this command, run it, and hand over the link in the ` +
        'answer. An invitation made in the console would wait for a second person, too.' +
        (people < 3 ? '' : ' The bank has three people already, so the new admin may approve after seven days.'),
      showsPairs,
      command: `${post('/operator/users')} -H "Content-Type: application/json" \\\n  -d '{"email": "somebody@bank.example", "role": "admin"}'`,
    }
  if (showsPairs)
    return {
      text: `${others} Who came in with the admin key may approve after seven days.`,
      showsPairs,
    }
  return {
    text:
      'The admin key is retired. Start the service with ADMIN_API_KEY_SCOPE=set-up, make a set-up link with this command, hand it to the next admin, ' +
      'and start the service again without the setting. The new admin may approve after seven days.',
    showsPairs,
    command: `${post('/operator/users/set-up')} -X POST`,
  }
}

export const stuckTitle = (count: number): string =>
  count === 1 ? 'A request waits, and nobody at the bank can approve it' : `${count} requests wait, and nobody at the bank can approve them`
