// What can be asked of transfers, and on whose authority.
import type { By } from '../../platform/actor.ts'
import type { Money } from '../../values/money.ts'
import type { TransferOrder, TransferUpdate } from '../life/transfers.schemas.ts'
import type { TransferDirection, TransferStatus } from '../life/transfers.status.ts'

export type Authority = Pick<By, 'actor' | 'approved' | 'approval_id' | 'sequence' | 'witness'>

/**
 * What the bank's side may say about a command. `forced`: it books what the scheme has already done, so it asks for no funds and may take
 * the account into debt.
 */
type Marks = { forced?: boolean | undefined }

/**
 * `on_us`: money that arrives comes from an account in this bank. `awaits_statement`: it is not credited before a statement shows it, unless two people
 * decide so.
 */
type Arrival = { on_us?: boolean | undefined; awaits_statement?: boolean | undefined }

export type MoveReason = Pick<TransferUpdate, 'status_reason' | 'status_reason_code'>

export type CreateCommand = Authority &
  Marks &
  Arrival & {
    kind: 'create'
    venture_id: string
    id: string
    order: TransferOrder
    now: Date
    /**
     * inbound: money that another bank has sent, which is received at once. apply: such money, which the house kept and an account now gets.
     * payout: a blocked client's balance goes to the client. collection: a client pays what the house has paid for it. debit: another bank
     * collects a direct debit.
     */
    door?: 'inbound' | 'apply' | 'payout' | 'collection' | 'debit' | undefined
    /** Moves in the same command: these, or those that lead to COMPLETED. A refusal of one of them undoes the whole command. */
    steps?: readonly TransferStatus[] | 'to completion' | undefined
    /** Why those moves are made. If money comes back, its parent has the same reason. */
    reason?: MoveReason | undefined
    /** The sequence that the account had when an approval was requested: it must not have changed since. */
    account_sequence?: number | undefined
  }

export type UpdateCommand = Authority &
  Marks & {
    kind: 'update'
    venture_id: string
    transfer_id: string
    update: TransferUpdate
    now: Date
    /** Moves after that of the update, in the same command. */
    steps?: readonly TransferStatus[] | undefined
    /** Whether the case of the transfer is decided together with the command. */
    with_case?: boolean | undefined
    /** The bank has found something about the transfer: whoever decides has to look again, and the venture sees no change. Without a status. */
    finding?: boolean | undefined
  }

/**
 * Card money that is paid out to an account of the venture (INBOUND), or taken back from it (OUTBOUND), recorded by the service. `amount` is in the
 * currency of the account.
 */
export type PayoutCommand = {
  kind: 'payout'
  venture_id: string
  account_id: string
  direction: TransferDirection
  amount: Money
  purpose: string
  now: Date
}

/** Whether a command may be refused because of an open case: people decide by the case, and the service leaves the transfer alone. */
export function asksForCase(command: Command): command is UpdateCommand {
  return command.kind === 'update' && command.actor.kind === 'operator' && command.with_case !== true && command.update.status !== undefined
}

/** What can be ordered. The rest the service does by itself. */
export type OrderedCommand = CreateCommand | UpdateCommand

export type Command = OrderedCommand | PayoutCommand

/** Why money waits that no statement has shown. */
export const statementAwaited = {
  status_reason: 'The money waits for a statement that shows it.',
  status_reason_code: 'awaits_statement',
} as const
