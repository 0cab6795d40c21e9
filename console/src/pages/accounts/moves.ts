// What can be done with an account in its current state, and if not, why. The service has the last word: it also knows about open transfers and
// freezes by the bank.
import type { Account, Client } from '@vostro/sdk'
import { isZero } from '../../ui/amounts.ts'
import { money, words } from '../../ui/words.ts'

export type Move = 'activate' | 'freeze' | 'close'

const from: Record<Move, readonly Account['status'][]> = {
  activate: ['PENDING', 'SUSPENDED'],
  freeze: ['ACTIVE'],
  close: ['ACTIVE', 'SUSPENDED'],
}

type Held = Pick<Account, 'status' | 'current_balance' | 'reserved_balance' | 'currency'>
type Holder = Pick<Client, 'kyc_status' | 'kyc_level' | 'blocked' | 'is_blacklisted'>

/** Why an action is not possible now; undefined if it is. */
export function whyNot(move: Move, account: Held, client: Holder | undefined): string | undefined {
  const { status, current_balance, reserved_balance, currency } = account
  if (status === 'CLOSED') return 'The account is closed permanently.'
  if (!from[move].includes(status)) return `The account is ${words(status).toLowerCase()}.`
  if (move === 'activate' && client !== undefined) {
    if (client.blocked) return 'The client is blocked. Lift the block first.'
    if (client.is_blacklisted) return 'The client is blacklisted. Remove it from the blacklist first.'
    if (client.kyc_level !== 'NOT_REQUIRED' && client.kyc_status !== 'VALIDATED')
      return `The client is not verified yet: ${words(client.kyc_status).toLowerCase()}.`
  }
  if (move === 'close') {
    if (current_balance.startsWith('-')) return `The account is in debt: ${money(current_balance, currency)}.`
    if (!isZero(current_balance)) return `The account still holds money: ${money(current_balance, currency)}.`
    if (!isZero(reserved_balance)) return `Money is reserved on the account: ${money(reserved_balance, currency)}.`
  }
  return undefined
}
