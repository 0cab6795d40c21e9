// Bookings and decisions in the house's books.
import { book, insertEntries, type Line } from '../../ledger/ledger.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sendJobs } from '../../platform/jobs.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { givenBack } from '../life/transfers.jobs.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import { runAlone } from './transfers.claims.ts'
import {
  type BreakDecision,
  decideBreak,
  decideUnapplied,
  lockBreaks,
  lockUnapplied,
  selectEntry,
  type UnappliedDecision,
} from './transfers.facts.sql.ts'

/** A journal in the house's books. */
export type HouseJournal = { cause: { kind: 'unapplied' | 'break'; id: string }; now: string; lines: readonly Line[] }

export function bookInHouse(tx: Tx, { cause, now, lines }: HouseJournal): void {
  const entries = book({ venture_id: houseId, cause, now, lines })
  if (entries.length === 0) return
  // If the answer to COMMIT is lost, this row proves that the transaction was committed.
  tx.evidence ??= selectEntry(entries[0]?.id ?? '')
  insertEntries(tx, entries)
}

/** The rails send what leaves the house. */
function sendGivenBack(tx: Tx, { id, status }: UnappliedDecision): void {
  if (status === 'RETURNING' || status === 'PAID_OUT') sendJobs(tx, [{ kind: givenBack, payload: { venture_id: houseId, id } }])
}

type HouseDecision<Decision> = { decision: Decision; lines: readonly Line[] }

/** Compare-and-set: a row of the house is decided once. */
function decisions<Decision extends UnappliedDecision | BreakDecision>(
  name: string,
  {
    cause,
    lock,
    decide,
    missing,
    decided,
  }: {
    cause: 'unapplied' | 'break'
    lock: typeof lockUnapplied
    decide(tx: Tx, decision: Decision): void
    missing: 'unapplied_payment_not_found' | 'break_not_found'
    decided: 'unapplied_payment_decided' | 'break_decided'
  },
): CompanionKind<HouseDecision<Decision>, unknown> {
  return {
    name,
    async acquire(tx, rows, wait) {
      const ids = rows.map(({ decision }) => decision.id)
      const locked = new Map((await lock(tx, ids, wait)).map(({ id, status }) => [id, status]))
      const taken = new Set<string>()
      return ids.map((id) => {
        const current_status = locked.get(id)
        if (current_status === undefined) return wait ? new Refusal(missing) : 'held'
        if (current_status !== 'OPEN')
          return new Refusal(decided, { detail: `It is ${current_status}: it has already been decided.`, current_status })
        if (taken.has(id)) return wait ? runAlone() : 'held'
        taken.add(id)
        return 'granted'
      })
    },
    write(tx, granted) {
      for (const { row } of granted) {
        const { id, decided_at: now } = row.decision
        decide(tx, row.decision)
        if ('payout_iban' in row.decision) sendGivenBack(tx, row.decision)
        if (row.lines.length > 0) bookInHouse(tx, { cause: { kind: cause, id }, now, lines: row.lines })
      }
    },
  }
}

const unappliedDecisions = decisions<UnappliedDecision>('unapplied_payments', {
  cause: 'unapplied',
  lock: lockUnapplied,
  decide: decideUnapplied,
  missing: 'unapplied_payment_not_found',
  decided: 'unapplied_payment_decided',
})

const breakDecisions = decisions<BreakDecision>('breaks', {
  cause: 'break',
  lock: lockBreaks,
  decide: decideBreak,
  missing: 'break_not_found',
  decided: 'break_decided',
})

/** Decides an unapplied payment together with its effect, and books the money out of the house's suspense account. */
export function unappliedDecision(decision: UnappliedDecision, lines: readonly Line[]): Companion {
  return companion(unappliedDecisions, { decision, lines })
}

export function breakDecision(decision: BreakDecision, lines: readonly Line[]): Companion {
  return companion(breakDecisions, { decision, lines })
}

export const decidedBy = ({ actor }: By) => ({ actor, decided_at: now().toISOString() })

/** A decision that concerns the house's books alone. */
export async function decideInHouse<Row>(
  transfers: Transfers,
  id: string,
  { companions = [] }: By,
  decision: Companion,
  load: (transfers: Transfers, id: string) => Promise<Row>,
): Promise<Row> {
  await transfers.database.transaction((tx) => accompanied(tx, [decision, ...companions], async () => ({ id })))
  return load(transfers, id)
}
