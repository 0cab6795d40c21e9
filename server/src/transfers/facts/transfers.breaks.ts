// Breaks about clients: the house has paid, or other banks contradict each other.
import { refuseDetails } from '../../cases/cases.ts'
import type { Line } from '../../ledger/ledger.ts'
import type { By } from '../../platform/actor.ts'
import { accompanied } from '../../platform/companions.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { fromNumeric } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { methods } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { type ClientBreakKind, isAboutClient } from '../life/transfers.unsettled.ts'
import { createTransfer, getTransfer, type Transfers } from '../orders/transfers.orders.ts'
import { caseFor } from '../writing/transfers.cases.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { authorityOf, claimOf, factOf } from './transfers.claims.ts'
import type { BookedFact, Break, Collection, Disagreement } from './transfers.facts.schemas.ts'
import { findAccount, findBreak, insertBreaks, type Message } from './transfers.facts.sql.ts'
import { bookInHouse, breakDecision, decidedBy, decideInHouse } from './transfers.house.ts'

type NewBreak = Pick<Break, 'rail' | 'amount' | 'currency' | 'explanation'> & {
  account_venture_id: string
  account_id: string
  client_id: string
  kind?: ClientBreakKind
  /** The payment that it is about; a forced debit is about none. */
  payment?: Key
}

/** Fields that only breaks of the reconciliation have. */
const reconciled = {
  nostro_id: null,
  entry_id: null,
  row_venture_id: null,
  row_id: null,
  row_attempt: null,
  pack_id: null,
  difference: null,
} as const

/** The house's account for the cost of each kind of break; none if nothing is booked before a decision. */
const owedTo: Record<ClientBreakKind, 'receivable' | 'breaks' | undefined> = {
  FORCED_DEBIT: 'receivable',
  LATE_SETTLEMENT: 'breaks',
  CONTRADICTED: undefined,
}

/** The house has paid for a client. Nothing is booked on a closed account, and a contradiction is booked nowhere until it is cleared up. */
export function bookBreak({ database, openCase }: Transfers, message: Message, by: By, details: NewBreak): Promise<BookedFact> {
  const fact = factOf(message, 'break', houseId)
  const { id, created_at: now } = fact
  const { kind = 'FORCED_DEBIT', payment = null, ...known } = details
  const { client_id, account_venture_id } = known
  const row: Break = {
    ...known,
    kind,
    id,
    status: 'OPEN',
    ...uncollected,
    ...reconciled,
    created_at: now,
    decided_at: null,
  }
  const amount = fromNumeric(row.amount)
  const { currency, rail } = row
  const owed = owedTo[kind]
  const companions = [
    claimOf(fact),
    caseFor(openCase, () => ({ venture_id: houseId, kind: 'break', resource_id: id, payload: { client_id, account_venture_id, payment } })),
    ...(by.companions ?? []),
  ]
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      insertBreaks(tx, [row])
      if (owed === undefined) return fact
      bookInHouse(tx, {
        cause: { kind: 'break', id },
        now,
        lines: [
          { account: owed, currency, amount: -amount },
          { account: rail === null ? 'adjustments' : methods[rail].settlement, currency, amount },
        ],
      })
      return fact
    }),
  )
}

async function bookDisagreement(transfers: Transfers, kind: ClientBreakKind, told: Disagreement, by: By): Promise<BookedFact> {
  const { transfer, rail, amount, currency, explanation, ...message } = told
  const { venture_id, account_id } = { ...transfer, ...(await getTransfer(transfers, transfer.venture_id, transfer.id)) }
  const account = (await findAccount(transfers.database, venture_id, account_id)) ?? refuse('account_not_found')
  const { client_id } = account
  const payment = { venture_id, id: transfer.id }
  const details = { kind, rail, amount, currency, explanation, account_venture_id: venture_id, account_id, client_id, payment }
  return bookBreak(transfers, message, by, details)
}

/** A payment was settled after its transfer had ended and the client had got the money back: the house has paid. */
export function reportLateSettlement(transfers: Transfers, told: Disagreement, by: By): Promise<BookedFact> {
  return bookDisagreement(transfers, 'LATE_SETTLEMENT', told, by)
}

/** A payment was rejected after being settled, or the other way round. Nothing is booked until it is clear where the money is. */
export function reportContradiction(transfers: Transfers, told: Disagreement, by: By): Promise<BookedFact> {
  return bookDisagreement(transfers, 'CONTRADICTED', told, by)
}

export async function getBreak({ database }: Transfers, id: string): Promise<Break> {
  return (await findBreak(database, id)) ?? refuse('break_not_found')
}

const uncollected = { transfer_id: null, collected_over: null, collection_id: null, counter_id: null } as const

/** Money over a rail arrives with a message; other money does not. */
function messageOf({ rail, sender, kind, tx_id }: Collection): Message {
  const given = { sender, kind, tx_id }
  const wrong = Object.entries(given).filter(([, value]) => (value == null) === (rail != null))
  const message = rail == null ? 'is only allowed with details.rail' : 'is required with details.rail'
  if (wrong.length > 0) refuseDetails(wrong.map(([field]) => ({ field: `details.${field}`, message })))
  return { sender: sender ?? '', kind: kind ?? '', tx_id: tx_id ?? '' }
}

/** The house no longer expects the money. */
export async function writeOffBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const decision = { ...uncollected, id, status: 'WRITTEN_OFF', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, breakDecision(decision, fromReceivable(row, 'adjustments')), getBreak)
}

function fromReceivable({ amount, currency, kind }: Break, from: Line['account']): Line[] {
  const owed = isAboutClient(kind) ? owedTo[kind] : undefined
  if (owed === undefined) return []
  return [
    { account: owed, currency, amount: fromNumeric(amount) },
    { account: from, currency, amount: -fromNumeric(amount) },
  ]
}

/** The contradiction is cleared up, and there is nothing to book. */
export async function matchBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const decision = { ...uncollected, id, status: 'MATCHED', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, breakDecision(decision, fromReceivable(row, 'adjustments')), getBreak)
}

/** The client, who got the money back, is debited for the late settlement, whether or not the account has the money. */
export async function debitBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const [venture_id, account_id] = [row.account_venture_id ?? refuse('account_not_found'), row.account_id ?? refuse('account_not_found')]
  const transfer_id = uuidv7()
  const decision = { ...uncollected, id, status: 'COLLECTED', transfer_id, ...decidedBy(by) } as const
  await createTransfer(transfers, {
    id: transfer_id,
    venture_id,
    order: debitOf(row, transfer_id, account_id),
    ...authorityOf(by),
    forced: true,
    steps: 'to completion',
    companions: [breakDecision(decision, fromReceivable(row, 'adjustments')), ...(by.companions ?? [])],
  })
  return getBreak(transfers, id)
}

/** The order for a client's payment of a break. */
const debitOf = (row: Break, id: string, account_id: string): TransferOrder => ({
  account_id,
  unique_reference: id,
  direction: 'OUTBOUND',
  transfer_type: 'ADJUSTMENT',
  debit_amount: row.amount,
  debit_currency: row.currency,
  purpose: row.explanation?.slice(0, 140) ?? null,
})

/** The client has paid: from another account, which needs the funds, or over a rail, whose message is claimed. */
export async function collectBreak(transfers: Transfers, id: string, collection: Collection, by: By): Promise<Break> {
  const { account_id, rail } = collection
  const row = await getBreak(transfers, id)
  if ((account_id == null) === (rail == null)) {
    refuseDetails([{ field: 'details.account_id', message: 'or details.rail is required, but not both' }])
  }
  const message = messageOf(collection)
  const collected = { ...uncollected, id, status: 'COLLECTED', ...decidedBy(by) } as const
  if (rail != null) {
    const fact = factOf(message, 'collection', houseId)
    const decision = { ...collected, collected_over: rail, collection_id: fact.id }
    const companions = [claimOf(fact), ...(by.companions ?? [])]
    return decideInHouse(
      transfers,
      id,
      { ...by, companions },
      breakDecision(decision, fromReceivable(row, methods[rail].settlement)),
      getBreak,
    )
  }
  const venture_id = row.account_venture_id ?? refuse('account_not_found')
  const account = (await findAccount(transfers.database, venture_id, account_id ?? '')) ?? refuse('account_not_found')
  if (account.client_id !== row.client_id) refuse('client_mismatch')
  const transfer_id = uuidv7()
  const order = debitOf(row, transfer_id, account.id)
  await createTransfer(transfers, {
    id: transfer_id,
    venture_id,
    order,
    ...authorityOf(by),
    door: 'collection',
    steps: 'to completion',
    companions: [breakDecision({ ...collected, transfer_id }, fromReceivable(row, 'adjustments')), ...(by.companions ?? [])],
  })
  return getBreak(transfers, id)
}
