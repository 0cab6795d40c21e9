// What is asked for: the actions that need two people, in words.
import type { Approval } from '@vostro/sdk'
import { money, words } from '../../ui/words.ts'

export const actions: Readonly<Record<string, string>> = {
  'decide-case': 'Decide a case',
  'invite-bank-user': 'Invite somebody to the bank',
  'invite-venture-user': 'Invite somebody to a venture',
  'change-bank-user': 'Change a user of the bank',
  'promote-venture-user': 'Change the role of somebody in a venture',
  'remove-venture-user': 'Take the last admin from a venture',
  'reset-user': 'Reset the sign-in of a user',
  'enable-venture': 'Enable a venture',
  'change-control': 'Change who processes the transfers of a venture',
  'replace-venture-key': 'Replace all keys of a venture',
  'create-bank-key': 'Create a key of the bank',
  'create-venture-key': 'Create a key for a venture',
  'change-policy': 'Change the policy of a venture',
  'set-rate': 'Set an exchange rate',
  'create-nostro': 'Create a nostro',
  'declare-pack-not-sent': 'Declare that a pack was not sent',
  'activate-watchlist': 'Activate a version of a watch list',
  'unblock-client': 'Unblock a client',
  'unfreeze-account': 'Unfreeze an account',
  'close-frozen-account': 'Close a frozen account',
  'create-transfer': 'Create a transfer',
  'move-transfer': 'Move a transfer',
  'force-debit': 'Force a debit',
  'report-inbound-payment': 'Report an inbound payment',
  'report-returned-payment': 'Report a returned payment',
  'pay-out-blocked-client': 'Pay out a blocked client',
}

export const actionWords = (action: string): string => actions[action] ?? words(action.replaceAll('-', '_'))

/** What is asked for in half a line, for lists. */
export function gistOf({ payload }: Pick<Approval, 'payload'>): string {
  const { decision, email, role, bank_role, name, status, control, amount, currency } = payload as { [name: string]: string | undefined }
  const parts = [
    decision && words(decision),
    email,
    role ?? bank_role,
    name,
    status && words(status),
    control && words(control),
    amount && currency && money(amount, currency),
  ]
  return parts.filter(Boolean).join(', ')
}

/** Where in the console the resource is; undefined if it has no page of its own. */
export function placeOf({ action, venture_id, resource_id, payload }: Approval): { to: string; label: string } | undefined {
  const { case_id } = payload as { case_id?: string }
  if (action === 'decide-case') return { to: `/bank/cases/${case_id}`, label: 'Show the case' }
  if (/(venture-key|enable-venture|change-control|change-policy)$/.test(action))
    return { to: `/bank/ventures/${venture_id}`, label: 'Show the venture' }
  if (/^(change-bank-user|reset-user)$/.test(action)) return { to: `/bank/users/${resource_id}`, label: 'Show the user' }
  if (action === 'move-transfer') return { to: `/v/${venture_id}/transfers/${resource_id}`, label: 'Show the transfer' }
  if (action === 'unblock-client') return { to: `/v/${venture_id}/clients/${resource_id}`, label: 'Show the client' }
  if (/account$/.test(action) || action === 'pay-out-blocked-client')
    return { to: `/v/${venture_id}/accounts/${resource_id}`, label: 'Show the account' }
  if (action === 'declare-pack-not-sent') return { to: `/bank/packs/${resource_id}`, label: 'Show the pack' }
  return undefined
}
