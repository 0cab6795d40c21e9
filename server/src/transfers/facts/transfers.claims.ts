// The companions of what the bank's side books: the claim on a message, which makes sure that it is booked once, the case that somebody has
// to decide, and the decision about money in the house's books.
import { hash } from 'node:crypto'
import type { NewCase } from '../../cases/cases.ts'
import { book, insertEntries, type Line } from '../../ledger/ledger.ts'
import { idOfName } from '../../platform/bound-id.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { tryLocks, waitForLocks } from '../../platform/idempotency/idempotency.sql.ts'
import { sendJobs } from '../../platform/jobs.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { givenBack } from '../transfers.batches.ts'
import type { BookedFact } from './transfers.facts.schemas.ts'
import {
  type BreakDecision,
  decideBreak,
  decideUnapplied,
  findFacts,
  insertFacts,
  lockBreaks,
  lockUnapplied,
  type Message,
  selectEntry,
  type UnappliedDecision,
} from './transfers.facts.sql.ts'

const nameOf = ({ sender, kind, tx_id }: Message): string => `${sender} ${kind} ${tx_id}`

/** The sender as it is stored: the head office of a bank is the bank itself. */
export const senderOf = ({ sender }: Pick<Message, 'sender'>): string => sender.padEnd(11, 'X')

/** The same id for the same message, so that one message has one open approval at most: a UUID of version 8, from a hash. */
export function messageIdOf(message: Message): string {
  return idOfName(`message ${nameOf({ ...message, sender: senderOf(message) })}`)
}

/** Advisory locks have numbers of 64 bits. Two messages that share one by chance only wait for each other. */
function lockNumber(message: Message): string {
  return hash('sha256', `inbound ${nameOf(message)}`, 'buffer')
    .readBigInt64BE(0)
    .toString()
}

/**
 * A message is claimed over all ventures. The lock comes first, because only a statement after it certainly sees the claim of whoever had
 * the lock before.
 */
const messages: CompanionKind<BookedFact, unknown> = {
  name: 'inbound_claims',
  async claim(tx, facts, wait) {
    const numbers = facts.map(lockNumber)
    const [locked, booked] = await Promise.all([wait ? waitForLocks(tx, numbers) : tryLocks(tx, numbers), findFacts(tx, facts)])
    const known = new Map(booked.map((fact) => [nameOf(fact), fact]))
    const taken = new Set<string>()
    return facts.map((fact, index) => {
      const name = nameOf(fact)
      const existing = known.get(name)
      if (existing !== undefined) return alreadyBooked(existing)
      const isFree = locked === undefined || locked.has(numbers[index] ?? '')
      if (!isFree || taken.has(name)) return wait ? runAlone() : 'held'
      taken.add(name)
      return 'granted'
    })
  },
  write(tx, claims) {
    insertFacts(
      tx,
      claims.map(({ row }) => row),
    )
  },
}

/** Only what becomes of the first of two commands says what the second one is to be told, so the batch is run again one by one. */
function runAlone(): never {
  throw new Error('two commands of a batch concern the same message or the same decision')
}

function alreadyBooked({ booked_as, id: existing_id, venture_id: existing_venture_id }: BookedFact): Refusal {
  return new Refusal('inbound_payment_booked', {
    detail: `This message has been booked before, as the ${booked_as === 'unapplied' ? 'unapplied payment' : booked_as} ${existing_id}.`,
    booked_as,
    existing_id,
    existing_venture_id,
  })
}

export function claimOf(fact: BookedFact): Companion {
  return companion(messages, fact)
}

/** What the bank's people decide about money that waits. */
export const caseKinds = ['suspended', 'unapplied', 'break'] as const
export type CaseKind = (typeof caseKinds)[number]

/** What the bank's people decide about a break of the reconciliation. */
export const reconciliationCase = 'reconciliation'

/** Opens a case, unless the resource has an open one of this kind. The folder of cases owns the table; `services.ts` hands the function in. */
export type OpenCase = (tx: Tx, newCase: NewCase) => void

type CaseRow<Result> = { openCase: OpenCase; caseOf(result: Result): NewCase | undefined }

const cases: CompanionKind<CaseRow<never>, never> = {
  name: 'opened_cases',
  claim: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, claims) {
    for (const { row, result } of claims) {
      const newCase = row.caseOf(result)
      if (newCase !== undefined) row.openCase(tx, newCase)
    }
  },
}

/** Opens a case if and only if the command is carried out, and its result calls for one. */
export function caseFor<Result>(openCase: OpenCase, caseOf: (result: Result) => NewCase | undefined): Companion {
  return companion(cases, { openCase, caseOf } as CaseRow<never>)
}

/** A journal in the house's books. */
export type HouseJournal = { cause: { kind: 'unapplied' | 'break'; id: string }; now: string; lines: readonly Line[] }

export function bookInHouse(tx: Tx, { cause, now, lines }: HouseJournal): void {
  const entries = book({ venture_id: houseId, cause, now, lines })
  if (entries.length === 0) return
  // If the answer to COMMIT is lost, this row proves that the transaction was committed.
  tx.evidence ??= selectEntry(entries[0]?.id ?? '')
  insertEntries(tx, entries)
}

/** What leaves the house is sent by the rails. */
function sendGivenBack(tx: Tx, { id, status }: UnappliedDecision): void {
  if (status === 'RETURNING' || status === 'PAID_OUT') sendJobs(tx, [{ kind: givenBack, payload: { venture_id: houseId, id } }])
}

type HouseDecision<Decision> = { decision: Decision; lines: readonly Line[] }

/** Compare-and-set: a decision about a row of the house is made once. */
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
    async claim(tx, rows, wait) {
      const ids = rows.map(({ decision }) => decision.id)
      const locked = new Map((await lock(tx, ids, wait)).map(({ id, status }) => [id, status]))
      const taken = new Set<string>()
      return ids.map((id) => {
        const current_status = locked.get(id)
        if (current_status === undefined) return wait ? new Refusal(missing) : 'held'
        if (current_status !== 'OPEN')
          return new Refusal(decided, { detail: `It is ${current_status}, so it has been decided already.`, current_status })
        if (taken.has(id)) return wait ? runAlone() : 'held'
        taken.add(id)
        return 'granted'
      })
    },
    write(tx, claims) {
      for (const { row } of claims) {
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

/** Decides an unapplied payment together with its effect, and books what leaves the suspense account of the house. */
export function unappliedDecision(decision: UnappliedDecision, lines: readonly Line[]): Companion {
  return companion(unappliedDecisions, { decision, lines })
}

export function breakDecision(decision: BreakDecision, lines: readonly Line[]): Companion {
  return companion(breakDecisions, { decision, lines })
}
