// The commands on transfers, and their authority.
import type { By } from '../../platform/actor.ts'
import type { Money } from '../../values/money.ts'
import type { TransferDetails } from '../life/transfers.details.ts'
import type { TransferOrder, TransferUpdate } from '../life/transfers.schemas.ts'
import type { TransferDirection, TransferStatus } from '../life/transfers.status.ts'

export type Authority = Pick<By, 'actor' | 'approved' | 'approval_id' | 'sequence' | 'witness'>

/** Marks that only the bank's side sets. `forced`: the scheme has already carried it out, so it needs no funds and may take the account into debt. */
type Marks = { forced?: boolean | undefined }

/**
 * `on_us`: the money comes from an account in this bank. `awaits_statement`: it is credited only when a statement shows it, or when two
 * people decide so. `instant`: everything is decided before we answer, so it takes all its steps at once; awaited: up to the clearing system's word.
 */
type Arrival = {
  on_us?: boolean | undefined
  awaits_statement?: boolean | undefined
  instant?: 'awaited' | 'final' | undefined
}

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
     * The source of a booking. inbound: money that another bank sent, received at once. apply: unapplied money of the house, credited to an
     * account. payout: a blocked client's balance, paid to the client. collection: a client repays what the house paid. debit: a direct
     * debit that another bank collects.
     */
    door?: 'inbound' | 'apply' | 'payout' | 'collection' | 'debit' | undefined
    /** What the message of an incoming payment says. Orders of ventures have theirs in the order. */
    details?: TransferDetails | undefined
    /** Moves to make in the same command: a list, or the walk to COMPLETED. If one is refused, the whole command is. */
    steps?: readonly TransferStatus[] | 'to completion' | undefined
    /** The reason for those moves. For money that comes back, the parent gets the same reason. */
    reason?: MoveReason | undefined
    /** The sequence of the account when an approval was requested: it must still be the same. */
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
    /** Whether the command also decides the case of the transfer. */
    with_case?: boolean | undefined
    /**
     * The bank has found something about the transfer, so a pending decision has to look again. The venture sees no change. Only without a status.
     */
    finding?: boolean | undefined
  }

/**
 * Card money paid out to an account of the venture (INBOUND), or taken back from it (OUTBOUND), recorded by the service. `amount` is in the
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

/** Whether an open case can refuse a command: people decide through the case, and the service leaves the transfer alone. */
export function asksForCase(command: Command): command is UpdateCommand {
  return command.kind === 'update' && command.actor.kind === 'operator' && command.with_case !== true && command.update.status !== undefined
}

/** Commands that callers can give. The service creates the others itself. */
export type OrderedCommand = CreateCommand | UpdateCommand

export type Command = OrderedCommand | PayoutCommand

/** The reason of money that waits for a statement. */
export const statementAwaited = {
  status_reason: 'The money waits for a statement that shows it.',
  status_reason_code: 'awaits_statement',
} as const
