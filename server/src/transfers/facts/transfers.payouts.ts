// The balance of a suspended account is paid out to its client.
import type { By } from '../../platform/actor.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { fromNumeric } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { requireManaged } from '../../ventures/ventures.ts'
import type { Transfer, TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, type Transfers } from '../orders/transfers.orders.ts'
import { authorityOf } from './transfers.claims.ts'
import type { AgreedPayout, PayoutOrder } from './transfers.facts.schemas.ts'
import { type FoundAccount, findAccount, findPayee } from './transfers.facts.sql.ts'

/** The account whose balance may be paid out to its client. */
export async function getPayable({ database }: Transfers, order: PayoutOrder): Promise<FoundAccount> {
  const { venture_id, account_id, beneficiary_id } = order
  await requireManaged(database, venture_id)
  const account = (await findAccount(database, venture_id, account_id)) ?? refuse('account_not_found')
  const payee = (await findPayee(database, venture_id, beneficiary_id)) ?? refuse('beneficiary_not_found')
  if (payee.client_id !== account.client_id) refuse('beneficiary_invalid', { detail: 'The beneficiary belongs to another client.' })
  requireOwnName(payee.name, payee)
  if (account.status !== 'SUSPENDED') {
    refuse('account_not_suspended', {
      detail: `The account is ${account.status}. Only the balance of a SUSPENDED account is paid out this way.`,
      current_status: account.status,
    })
  }
  if (fromNumeric(account.available_balance) <= 0n) {
    refuse('insufficient_funds', {
      detail: `The account has ${account.available_balance} ${account.currency} available, so there is nothing to pay out.`,
    })
  }
  return account
}

/** Sends the balance of a suspended account to the client's own account at another bank, even if the client is blocked. */
export async function payOutBlocked(transfers: Transfers, agreed: AgreedPayout, by: By): Promise<Transfer> {
  await getPayable(transfers, agreed)
  const { venture_id, account_id, beneficiary_id, purpose = null, amount: debit_amount } = agreed
  const id = uuidv7()
  const order: TransferOrder = { account_id, unique_reference: id, direction: 'OUTBOUND', beneficiary_id, debit_amount, purpose }
  return createTransfer(transfers, {
    id,
    venture_id,
    order,
    ...authorityOf(by),
    account_sequence: by.sequence,
    door: 'payout',
    steps: ['RESERVED'],
    witness: by.witness,
    approval_id: by.approval_id,
    companions: by.companions,
  })
}

const plainName = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()

/** A client's money is paid out to the client only. */
export function requireOwnName(name: string, { first_name, last_name }: { first_name: string; last_name: string }): void {
  const own = `${first_name} ${last_name}`
  if (plainName(name) === plainName(own)) return
  refuse('beneficiary_invalid', { detail: `The money may only be paid to the client ${own}, but the beneficiary is ${name}.` })
}
