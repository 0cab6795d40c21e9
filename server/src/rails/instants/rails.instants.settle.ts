// The clearing system's word about an instant payment of another bank that we have answered: it credits the money, ends the payment, or
// contradicts itself. A statement that shows the money is such a word too. Time never is.
import { decidedToo, findOpenCases } from '../../cases/cases.ts'
import { meaningOf, reasonOf, type StatusReport } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import { enqueuing, type Handlers } from '../../platform/jobs.ts'
import { connector, type Walk, walkOf } from '../../processing/processing.ts'
import { instantRail } from '../../schemes/schemes.ts'
import { instantCredited, instantShown } from '../../transfers/life/transfers.jobs.ts'
import { waitingStatus } from '../../transfers/life/transfers.status.ts'
import { caseFor, findStandings, type Key, type Transfers, updateTransfer } from '../../transfers/transfers.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { type Applying, applied, conclude, openProblem, type Place } from '../inbox/rails.apply.ts'
import { orKnown, orProblem } from '../inbox/rails.problems.ts'
import { findInstant, findInstants, type InstantChange, type InstantRow, lockInstant, writeInstant } from './rails.instants.sql.ts'
import { judgeInstant } from './rails.instants.ts'

/** A change of a payment that must still be as it was. Without a result yet, another instance may be faster. */
type Moving = InstantChange & { from: Pick<InstantRow, 'state' | 'question_id'> }

const moves: CompanionKind<Moving, unknown> = {
  name: 'rail_instants',
  async acquire(tx, rows, wait) {
    const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const locked = new Map(await Promise.all(sorted.map(async (row) => [row.id, await lockInstant(tx, row, wait)] as const)))
    const taken = new Set<string>()
    return rows.map(({ id, from }) => {
      const row = locked.get(id)
      if (row === undefined && !wait) return 'held'
      if (taken.has(id) || row?.state !== from.state || row.question_id !== from.question_id)
        return new Refusal('resource_changed', { detail: 'The payment has changed on its rail meanwhile.' })
      taken.add(id)
      return 'granted'
    })
  },
  write(tx, granted) {
    for (const { row } of granted) writeInstant(tx, row, now().toISOString())
  },
}

export function movingInstant(instant: InstantRow, change: Partial<Pick<InstantRow, 'state' | 'question_id'>>): Companion {
  const { venture_id, id, state, question_id } = instant
  return companion(moves, { venture_id, id, state, question_id, ...change, from: { state, question_id } })
}

/** The one payment that a status means: by the ids of the payment, and by the message that brought it or the one that answered it. */
export async function findMeant({ database }: Applying, said: StatusReport): Promise<InstantRow | undefined> {
  const { original_message_id: message_id, original_tx_id: tx_id, original_end_to_end_id: end_to_end_id } = said
  if (tx_id === undefined && message_id === undefined) return undefined
  const named = await findInstants(database, tx_id === undefined ? { message_id: message_id ?? '' } : { tx_id })
  const meant = named.filter(
    (instant) =>
      (message_id === undefined || message_id === instant.message_id || message_id === instant.answer_id) &&
      (end_to_end_id === undefined || end_to_end_id === instant.end_to_end_id),
  )
  return meant.length === 1 ? meant[0] : undefined
}

type Said = Pick<StatusReport, 'status' | 'reasons' | 'original'>

/** Applies a status of the clearing system to a payment that we have answered. */
export async function applyToInstant(context: Applying, found: Place, instant: InstantRow, said: Said): Promise<void> {
  const { venture_id, id, tx_id, amount, currency, state } = instant
  const place: Place = { ...found, ...(venture_id !== houseId && { about: id }) }
  const about = { original_tx_id: tx_id, status: said.status ?? null, ...(venture_id !== houseId && { transfer_id: id }) }
  const meaning = said.status === undefined ? undefined : meaningOf(said.status)
  if (meaning === undefined)
    return openProblem(context, place, 'unknown_status', { detail: `The status is ${said.status ?? 'missing'}.`, about })
  const { amount: original = fromNumeric(amount), currency: of = currency } = said.original ?? {}
  if (original !== fromNumeric(amount) || of !== currency) return openProblem(context, place, 'other_amount', { about })
  const verdict = judgeInstant(state, meaning)
  switch (verdict) {
    case 'noted':
    case 'known':
      return conclude(context, place, verdict)
    case 'refused':
      return openProblem(context, place, 'settled_refused', { about })
    case 'contradiction':
      return contradict(context, place, instant, about)
    case 'credit':
    case 'end': {
      const companions = applied(place, 'applied')
      const reason = reasonOf(said.reasons)
      return orProblem(context, place, about, () =>
        verdict === 'credit' ? credit(context, instant, said.status ?? 'ACSC', companions) : end(context, instant, reason, companions),
      )
    }
  }
}

/** Both words cannot be true, and nothing is booked until people know which one is. */
function contradict(context: Applying, place: Place, instant: InstantRow, about: object): Promise<void> {
  const { venture_id, id, sender, tx_id, currency, state } = instant
  const explanation =
    state === 'CONFIRMED'
      ? 'The clearing system rejected an instant payment that it had confirmed.'
      : 'The clearing system confirmed an instant payment that it had rejected.'
  return orKnown(context, place, about, () =>
    context.facts.reportContradiction(
      {
        sender,
        kind: 'pacs.002 in',
        tx_id,
        transfer: { venture_id, id },
        rail: instantRail,
        amount: formatMoney(fromNumeric(instant.amount), currency),
        currency,
        explanation,
      },
      { actor: connector, companions: applied(place, 'break') },
    ),
  )
}

type Settling = Pick<Applying, 'database'> & { transfers: Transfers }

/** The money is the client's. If the account takes none, it waits for a decision, like all money for such an account. */
async function credit(
  settling: Settling,
  instant: InstantRow,
  third_party_status: string,
  companions: readonly Companion[],
): Promise<void> {
  const { transfers } = settling
  const { transfer, account } = await standingOf(settling, instant)
  const { venture_id, id } = instant
  const isActive = account.status === 'ACTIVE'
  const walk: Walk = isActive
    ? { steps: ['COMPLETED'], third_party_status }
    : { steps: [waitingStatus], third_party_status, opens: 'suspended' }
  const suspended = { venture_id, kind: 'suspended', resource_id: id, payload: { account_id: transfer.account_id } }
  await updateTransfer(transfers, {
    ...walkOf(transfer, walk, connector),
    companions: [
      ...companions,
      movingInstant(instant, { state: 'CONFIRMED' }),
      ...(await answered(settling, instant)),
      caseFor(transfers.openCase, () => (isActive ? undefined : suspended)),
      enqueuing(instantCredited, { venture_id, id }),
    ],
  })
}

type Reason = ReturnType<typeof reasonOf>

/** The money never came: it leaves suspense the way it came in, and nothing is sent back. */
async function end(settling: Settling, instant: InstantRow, reason: Reason, companions: readonly Companion[]): Promise<void> {
  const { transfer } = await standingOf(settling, instant)
  const walk: Walk = {
    steps: ['TO_RETURN', 'REJECTED'],
    reason: {
      status_reason: reason?.words ?? 'The clearing system has rejected the payment.',
      status_reason_code: reason?.code ?? null,
    },
    third_party_status: 'RJCT',
  }
  await updateTransfer(settling.transfers, {
    ...walkOf(transfer, walk, connector),
    companions: [...companions, movingInstant(instant, { state: 'REJECTED' }), ...(await answered(settling, instant))],
  })
}

async function standingOf({ transfers }: Settling, { venture_id, id }: InstantRow) {
  const [standing] = await findStandings(transfers, [{ venture_id, id }])
  if (standing === undefined) throw new Error(`there is no transfer ${id}`)
  return standing
}

/** The case in which people wait for the clearing system's word has nothing left to decide. */
async function answered({ database }: Settling, { question_id }: InstantRow): Promise<Companion[]> {
  if (question_id === null) return []
  const open = await findOpenCases({ database }, { venture_id: houseId, resource_id: question_id, kinds: ['delivery'] })
  return open.map((one) => decidedToo(one, 'close', connector, 'The clearing system has answered.'))
}

/** A statement shows the money of a payment whose confirmation has not come. */
export function instantJobs(settling: Settling): Handlers {
  return {
    [instantShown]: {
      // Every obstacle is temporary.
      attempts: Number.POSITIVE_INFINITY,
      async run({ venture_id, id }: Key) {
        const instant = await findInstant(settling.database, { venture_id, id })
        // Its confirmation has come meanwhile.
        if (instant?.state !== 'AWAITED') return
        await credit(settling, instant, 'STATEMENT', [])
      },
    },
  }
}
