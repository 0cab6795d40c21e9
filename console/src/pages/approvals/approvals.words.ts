// The names of the actions that need two people.
import type { Approval } from '@vostro/sdk'
import { money, words } from '../../ui/words.ts'

export const actions: Readonly<Record<string, string>> = {
  'decide-case': 'Decide a case',
  'invite-bank-user': 'Invite a user to the bank',
  'invite-venture-user': 'Invite a user to a venture',
  'change-bank-user': 'Change a user of the bank',
  'promote-venture-user': 'Change the role of a venture user',
  'remove-venture-user': 'Remove the last admin of a venture',
  'reset-user': 'Reset the sign-in of a user',
  'enable-venture': 'Enable a venture',
  'change-control': 'Change the control of a venture',
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
  'create-beneficiary': 'Create a beneficiary',
  'update-beneficiary': 'Show or hide a beneficiary',
  'create-mandate': 'Register a mandate',
  'raise-limits': 'Raise the limits of an account',
  'register-client': 'Register a client without verification',
  'change-client': 'Lower the risk of a client',
  'create-payout': 'Pay out card money',
  'update-payout-settings': 'Set the payout account',
  'refund-payment': 'Refund a card payment',
  'cancel-payment': 'Cancel a card payment',
  'set-cycles': 'Set the cut-offs of a rail',
  'set-reachable-banks': 'Set the reachable banks',
  'change-participation': 'Change how the bank takes part in a scheme',
  'enter-calendar-year': 'Enter a year of a calendar',
}

export const actionWords = (action: string): string => actions[action] ?? words(action.replaceAll('-', '_'))

/** A one-line summary for lists. */
export function gistOf({ payload, subject }: Pick<Approval, 'payload'> & Partial<Pick<Approval, 'subject'>>): string {
  const { amount: sum, currency: unit, payee } = subject ?? {}
  if (sum && unit) return [money(sum, unit), payee && `to ${payee}`].filter(Boolean).join(' ')
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

/** The page of the resource; undefined if it has none. */
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
