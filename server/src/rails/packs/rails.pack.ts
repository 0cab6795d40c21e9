// Step 2: pack. What was collected before the last cut-off gets its pack, and its transfer is walked to PACKED. Until it is committed,
// cancelling it takes it out of the pack again.

import { messageIdOf } from '../../iso20022/iso20022.ts'
import type { Tx } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'
import { uuidv7 } from '../../platform/ids.ts'
import {
  type Days,
  dayIn,
  isInstant,
  type Leaving,
  lastCutOff,
  missing,
  openMissingCalendar,
  type Participation,
  profileOf,
  type Rail,
} from '../../schemes/schemes.ts'
import type { StandingNow } from '../../transfers/transfers.ts'
import { todayUtc } from '../../values/calendar.ts'
import { letterOf } from './rails.kinds.ts'
import {
  activePacks,
  dropPayments,
  inParts,
  mayLeave,
  movingPayment,
  type Packing,
  readRails,
  standingsOf,
  walkTransfer,
} from './rails.packing.ts'
import {
  assignPayments,
  insertPack,
  lockPacking,
  lockPayments,
  lockWaiting,
  type PackRow,
  type PaymentRow,
  selectPacks,
  selectPaymentsOf,
  selectWaiting,
  writePayments,
} from './rails.packs.sql.ts'
import type { PackKind } from './rails.payments.ts'

/** Returns how many payments got a pack, left it, or moved. */
export async function packPayments(packing: Packing): Promise<number> {
  let done = 0
  const waiting = await selectWaiting(packing.database)
  const book = waiting.length === 0 ? undefined : await readRails(packing)
  for (const { rail, kind } of waiting) {
    const terms = book?.inForce(rail, packing.now())
    if (book === undefined || terms?.state !== 'ACTIVE') continue
    const days = book.daysOf(terms)
    const until = packedUntil({ ...terms, days }, packing.now())
    if (until === missing) await tellMissing(packing, terms, days)
    else if (until !== undefined)
      for (let made = -1; made !== 0; done += made) made = await makePacks(packing, { rail, kind, terms, days, ...until })
  }
  for (const pack of await activePacks(packing, await selectPacks(packing.database, 'OPEN'))) done += await walkIntoPack(packing, pack)
  return done
}

type Until = { until: string; cycle: string | null }

/** The moment by which payments must have been collected to be packed now; undefined if no cut-off has passed. */
function packedUntil(leaving: Leaving, now: Date): Until | undefined | typeof missing {
  if (leaving.cut_offs.length === 0) return { until: now.toISOString(), cycle: null }
  const last = lastCutOff(leaving, now)
  if (last === missing) return missing
  const cycle = last?.toISOString()
  return cycle === undefined ? undefined : { until: cycle, cycle }
}

/** Nobody knows on which day the payments would settle, so they wait. */
export function tellMissing({ database, now }: Pick<Packing, 'database' | 'now'>, terms: Participation, days: Days): Promise<void> {
  return database.transaction(async (tx) => openMissingCalendar(tx, terms, days, todayUtc(now())))
}

type Wanted = Until & { rail: Rail; kind: PackKind; terms: Participation; days: Days }

/** Payments of one pack settle on the same day. Returns how many were packed. */
function makePacks({ database, transfers, now }: Packing, { rail, kind, terms, days, until, cycle }: Wanted): Promise<number> {
  return database.transaction(async (tx) => {
    if (!(await lockPacking(tx))) return 0
    const waiting = await lockWaiting(tx, { rail, kind, until, limit: profileOf(rail).most })
    const at = now()
    const byDay = Map.groupBy(waiting, ({ settlement_date }) =>
      settlesOn(settlement_date, { ...terms, days, instant: isInstant(rail) }, at),
    )
    for (const [settlement_date, payments] of byDay) {
      if (settlement_date === undefined) continue
      const pack = newPack({ rail, kind, cycle, terms, settlement_date, bic: transfers.bank.bic, number: await nextNumber(tx), now: at })
      insertPack(tx, pack)
      assignPayments(tx, pack.id, payments, at.toISOString())
      tx.evidence ??= read`select id from rail_packs where id = ${pack.id}`
    }
    const unknown = byDay.get(undefined)?.length ?? 0
    if (unknown > 0) openMissingCalendar(tx, terms, days, todayUtc(at))
    return waiting.length - unknown
  })
}

type Settling = Pick<Participation, 'zone'> & { days: Days; instant: boolean }

/**
 * The day on which a payment that is packed now settles: its own date, or the earliest possible one if that has passed. Undefined if a year of the calendar is
 * missing.
 */
export function settlesOn(settlement_date: string, { zone, days, instant }: Settling, now: Date): string | undefined {
  const earliest = days.firstKnownFrom(dayIn(zone, now))
  return earliest === undefined || instant || settlement_date <= earliest ? earliest : days.firstKnownFrom(settlement_date)
}

/** A number that no other message has. */
export async function nextNumber(reader: Pick<Tx, 'first'>): Promise<bigint> {
  const row = await reader.first(read<{ number: string }>`select nextval('rail_message_numbers')::text as number`)
  return BigInt(row?.number ?? 0)
}

type NewPack = Pick<PackRow, 'rail' | 'kind' | 'cycle' | 'settlement_date'> & {
  terms: Participation
  bic: string
  number: bigint
  now: Date
}

export function newPack({ rail, kind, cycle, terms, settlement_date, bic, number, now }: NewPack): PackRow {
  const at = now.toISOString()
  return {
    id: uuidv7(),
    rail,
    kind,
    message_id: messageIdOf({ bic, date: todayUtc(now), rail: letterOf({ kind, rail }), number }),
    cycle,
    participation: terms.version,
    settlement_date,
    state: 'OPEN',
    reason: null,
    count: 0,
    total: '0',
    currency: terms.currency,
    created_at: at,
    updated_at: at,
    delivered_at: null,
    sequence: 1,
  }
}

type Step = 'walk' | 'mark' | 'drop'

/** The next step of a payment that is in a pack. */
function stepOf(standing: StandingNow | undefined): Step {
  // What is committed as sent has to be sent.
  if (standing?.transfer.sent) return 'mark'
  if (standing === undefined || !mayLeave(standing)) return 'drop'
  const { status } = standing.transfer
  if (status === 'SENT_TO_PACK') return 'walk'
  return status === 'PACKED' ? 'mark' : 'drop'
}

async function walkIntoPack(packing: Packing, pack: PackRow): Promise<number> {
  const collected = await selectPaymentsOf(packing.database, pack.id, ['COLLECTED'])
  return inParts(collected, async (part) => {
    const standings = await standingsOf(packing, part)
    const forbidden = await findForbidden(packing, part, standings)
    const steps = Map.groupBy(part, ({ transfer_id }) => (forbidden.has(transfer_id) ? 'drop' : stepOf(standings.get(transfer_id))))
    const now = packing.now().toISOString()
    const refused: PaymentRow[] = []
    const walked = await Promise.all(
      (steps.get('walk') ?? []).map(async (payment) => {
        const { transfer } = standings.get(payment.transfer_id) as StandingNow
        const move = movingPayment({ ...payment, from: ['COLLECTED'], to: 'PACKED', now })
        const result = await walkTransfer(packing, transfer, { steps: ['PACKED'] }, [move])
        if (result === 'refused') refused.push(payment)
        return result === 'moved'
      }),
    )
    const marked = await markPacked(packing, steps.get('mark') ?? [], now)
    const dropped = await dropPayments(packing, [...(steps.get('drop') ?? []), ...refused], 'left_before_packed')
    return walked.filter(Boolean).length + marked + dropped
  })
}

/** Collections wait for their cut-off, and the mandate may have ended since: they are collected again, and become INVALID. Keyed by transfer. */
async function findForbidden(
  { sources }: Packing,
  payments: readonly PaymentRow[],
  standings: ReadonlyMap<string, StandingNow>,
): Promise<ReadonlySet<string>> {
  const collections = payments
    .filter(({ kind }) => kind === 'DIRECT_DEBIT')
    .flatMap(({ transfer_id }) => standings.get(transfer_id)?.transfer ?? [])
    .filter(({ sent }) => !sent)
  if (collections.length === 0) return new Set()
  const allowed = await sources.mandatesOf(collections)
  return new Set(collections.map(({ id }) => id).filter((id) => !allowed.has(id)))
}

/** A transfer that was already PACKED, in a pack that the payment left, needs no further move. */
function markPacked({ database }: Packing, payments: readonly PaymentRow[], updated_at: string): Promise<number> {
  if (payments.length === 0) return Promise.resolve(0)
  return database.transaction(async (tx) => {
    const locked = (await lockPayments(tx, payments, true)).filter(({ state }) => state === 'COLLECTED')
    writePayments(
      tx,
      locked.map((payment) => ({ ...payment, state: 'PACKED', updated_at })),
    )
    return locked.length
  })
}
