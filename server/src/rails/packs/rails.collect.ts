// Step 1: collect. Payments that wait for a pack are validated and put into the queue of their rail; what no message could carry becomes INVALID.

import { packedRails, type Rail } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import type { TransferStatus } from '../../transfers/life/transfers.status.ts'
import { findStandings, type StandingNow } from '../../transfers/transfers.ts'
import { formatMoney } from '../../values/money.ts'
import { listManagedIds } from '../../ventures/ventures.ts'
import {
  amountOf,
  type Composed,
  type ContentFault,
  type Contents,
  composeCreditTransfer,
  composeDirectDebit,
  type Reachable,
} from './rails.contents.ts'
import { storedContent } from './rails.kinds.ts'
import { inParts, mayLeave, most, type Packing, readRails, walkTransfer } from './rails.packing.ts'
import {
  insertPayments,
  type LastAttempt,
  type PaymentRow,
  selectLastAttempts,
  selectReachable,
  selectUncollected,
} from './rails.packs.sql.ts'
import { nextAttempt, type PackKind } from './rails.payments.ts'

/** A payment that left its pack is collected again once its transfer has changed, or after this time. */
const patience_ms = 30_000

/** Returns how many payments were collected or became INVALID. */
export async function collectPayments(packing: Packing): Promise<number> {
  const [book, now] = [await readRails(packing), packing.now()]
  const rails = packedRails.filter((rail) => book.isActive(rail, now))
  const ventures = rails.length === 0 ? [] : await listManagedIds(packing.database)
  let [done, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const keys = await selectUncollected(packing.database, { ventures, rails, after, limit: most })
    if (keys.length > 0) {
      const [standings, attempts, reachable] = await Promise.all([
        findStandings(packing.transfers, keys),
        selectLastAttempts(packing.database, keys),
        findReachable(packing, rails),
      ])
      const ready = standings.filter((standing) => isReady(packing, standing, attempts.get(standing.transfer.id)))
      done += await collect(packing, ready, attempts, reachable)
    }
    if (keys.length < most) return done
    after = keys.at(-1)?.id ?? after
  }
}

function isReady({ log, now }: Packing, standing: StandingNow, last: LastAttempt | undefined): boolean {
  if (!mayLeave(standing)) return false
  const { id: transfer_id, venture_id, updated_at } = standing.transfer
  const next = nextAttempt(last)
  if (next === 'spent')
    log.error({ transfer_id, venture_id, attempt: last?.attempt }, 'a payment that may have been sent is not sent again')
  if (typeof next !== 'number') return false
  if (last?.state !== 'DROPPED' || updated_at > last.updated_at) return true
  return now().getTime() - Date.parse(last.updated_at) >= patience_ms
}

/** A list may be long, so only the needed ones are read. */
export async function findReachable({ database }: Pick<Packing, 'database'>, rails: readonly Rail[]): Promise<ReachableBy> {
  const lists = await Promise.all(rails.map((rail) => database.rows(selectReachable(rail))))
  const banks = lists.map((rows) => (rows.length === 0 ? undefined : new Set(rows.map(({ bic8 }) => bic8))))
  return Object.fromEntries(rails.map((rail, index) => [rail, banks[index]]))
}

type ReachableBy = Readonly<Partial<Record<Rail, Reachable>>>

/** The kind of message for a payment. A return, a reversal or a cancellation gives back what another message brought. */
export function kindOf({ transfer_type, direction }: Pick<TransferRow, 'transfer_type' | 'direction'>): PackKind {
  if (transfer_type !== 'PAYMENT') return 'RETURN'
  return direction === 'OUTBOUND' ? 'CREDIT_TRANSFER' : 'DIRECT_DEBIT'
}

async function collect(
  packing: Packing,
  standings: readonly StandingNow[],
  attempts: ReadonlyMap<string, LastAttempt>,
  reachable: ReachableBy,
): Promise<number> {
  const transfers = standings.map(({ transfer }) => transfer)
  const composed = await composeAll(packing, transfers, reachable)
  const now = packing.now().toISOString()
  const payments: PaymentRow[] = []
  const invalid: { transfer: TransferRow; fault: ContentFault }[] = []
  for (const transfer of transfers) {
    const result = composed.get(transfer.id)
    // Its content is not known yet.
    if (result === undefined) continue
    if ('fault' in result) invalid.push({ transfer, fault: result.fault })
    else payments.push(paymentOf(transfer, result.content, nextAttempt(attempts.get(transfer.id)) as number, now))
  }
  if (payments.length > 0) await packing.database.transaction(async (tx) => insertPayments(tx, payments))
  const ended = await inParts(invalid, async (part) => {
    const walked = await Promise.all(part.map(({ transfer, fault }) => invalidate(packing, transfer, fault)))
    return walked.filter(Boolean).length
  })
  return payments.length + ended
}

/** Keyed by the id of the transfer. */
export async function composeAll(
  { sources }: Pick<Packing, 'sources'>,
  transfers: readonly TransferRow[],
  reachable: ReachableBy,
): Promise<Map<string, Composed<PackKind>>> {
  const of = (kind: PackKind) => transfers.filter((transfer) => kindOf(transfer) === kind)
  const [collections, returns] = [of('DIRECT_DEBIT'), of('RETURN')]
  const [mandates, returned] = await Promise.all([
    collections.length === 0 ? new Map() : sources.mandatesOf(collections),
    returns.length === 0 ? new Map() : sources.returnsOf(returns),
  ])
  const compose: Record<PackKind, (transfer: TransferRow) => Composed<PackKind> | undefined> = {
    CREDIT_TRANSFER: (transfer) => composeCreditTransfer(transfer, reachable[transfer.method as Rail]),
    DIRECT_DEBIT: (transfer) => composeDirectDebit(transfer, mandates.get(transfer.id), reachable[transfer.method as Rail]),
    RETURN: (transfer) => returned.get(transfer.id),
  }
  const composed = transfers.map((transfer) => [transfer.id, compose[kindOf(transfer)](transfer)] as const)
  return new Map(composed.flatMap(([id, result]) => (result === undefined ? [] : [[id, result]])))
}

export function paymentOf(transfer: TransferRow, content: Contents[PackKind], attempt: number, now: string): PaymentRow {
  const { amount, currency } = amountOf(transfer)
  const { tx_id, end_to_end_id } = idsOf(content)
  return {
    venture_id: transfer.venture_id,
    transfer_id: transfer.id,
    attempt,
    tx_id,
    end_to_end_id,
    rail: transfer.method as Rail,
    kind: kindOf(transfer),
    pack_id: null,
    position: null,
    amount: formatMoney(amount, currency),
    currency,
    settlement_date: transfer.settlement_date,
    walks: true,
    content: storedContent(content),
    state: 'COLLECTED',
    reason: null,
    settled_on: null,
    created_at: now,
    updated_at: now,
  }
}

/** A return has an id of its own, and the end-to-end id of the payment that it returns. */
function idsOf(content: Contents[PackKind]): { tx_id: string; end_to_end_id: string } {
  if ('return_id' in content) return { tx_id: content.return_id, end_to_end_id: content.original_end_to_end_id ?? content.return_id }
  return content
}

/** The statuses before INVALID: a payment in a pack leaves it first. */
const invalidFrom: Partial<Record<TransferStatus, readonly TransferStatus[]>> = {
  SENT_TO_PACK: ['INVALID'],
  READY_TO_CLEAR: ['INVALID'],
  PACKED: ['READY_TO_CLEAR', 'INVALID'],
  TO_RESEND: ['READY_TO_CLEAR', 'INVALID'],
}

export async function invalidate(packing: Packing, transfer: TransferRow, { code, reason }: ContentFault): Promise<boolean> {
  const steps = invalidFrom[transfer.status]
  if (steps === undefined) return false
  const walk = { steps, reason: { status_reason: reason.slice(0, 500), status_reason_code: code } }
  return (await walkTransfer(packing, transfer, walk, [])) === 'moved'
}
