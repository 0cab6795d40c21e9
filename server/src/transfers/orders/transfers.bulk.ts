// Many orders in one request. They share one transaction, which decides them one after the other with the code of single creates. Other
// requests of the venture may share it (transfers.schedule.bulk.ts).
import { naming } from '../../audit/audit.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { shareOut } from '../../platform/companions.ts'
import { checkCharacters } from '../../platform/http/characters.ts'
import { bodyLimit_bytes } from '../../platform/http/http.ts'
import { parseJsonInPieces } from '../../platform/http/json.ts'
import { checkShape } from '../../platform/http/validation.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { Pace } from '../../platform/pace.ts'
import { Refusal, refuse, refuseField } from '../../values/refusals.ts'
import { mostOrders, type Transfer, TransferOrder } from '../life/transfers.schemas.ts'
import { BulkEnvelope, type BulkResult } from './transfers.orders.schemas.ts'
import type { Transfers } from './transfers.orders.ts'

/** Room for a full list of the largest orders that make sense. */
export const bulkLimit_bytes = 2 * 2 ** 20

export type BulkRequest = Pick<By, 'actor' | 'companions'> & {
  venture_id: string
  approved: boolean
  bytes: Buffer
  /** Called with the number of orders in the request. */
  onRead(orders: number): void
  /** Turns a refusal into the result of its order. */
  problemOf(refusal: Refusal): ShownProblem
}

export type ShownProblem = NonNullable<BulkResult['results'][number]['problem']>

/** `id`: an id of the request, only for its companions; nothing can be found with it. */
type Made = BulkResult & { id: string }

export async function createTransfers(transfers: Transfers, request: BulkRequest): Promise<Made> {
  const { bulks } = transfers
  const since_ms = performance.now()
  const turn = bulks.enter(request.venture_id)
  if (turn !== undefined) await turn
  try {
    const { atomic, orders } = await readOrders(request)
    // Checking the fields of an order needs no transaction.
    if (atomic && orders.some((order) => order instanceof Refusal)) refuseAll(orders, request)
    return await carryOut(transfers, request, { atomic, orders, since_ms })
  } finally {
    bulks.leave(request.venture_id)
  }
}

type Orders = { atomic: boolean; orders: readonly (TransferOrder | Refusal)[] }

/** `since_ms`: when the request arrived. */
type Arrived = Orders & { since_ms: number }

const checkEnvelope = checkShape<{ atomic: boolean; transfers: unknown[] }>(BulkEnvelope)
const checkOrder = checkShape<TransferOrder>(TransferOrder)

const pieces = {
  most: mostOrders,
  largest_bytes: bodyLimit_bytes,
  tooMany: () => refuseField('transfers', `must have at most ${mostOrders} items`),
  tooLarge: (index: number) => refuse('body_too_large', { detail: `transfers.${index} exceeds 64 KiB, the limit for an order.` }),
}

/** Each order, or the refusal that a single create would give for its fields. */
async function readOrders({ bytes, onRead }: BulkRequest): Promise<Orders> {
  const body = await parseJsonInPieces(bytes, pieces)
  const { atomic, transfers } = checkEnvelope(body)
  onRead(transfers.length)
  const pace = new Pace()
  const orders: (TransferOrder | Refusal)[] = []
  for (const order of transfers) {
    orders.push(checked(order))
    if (pace.isDue) await pace.rest()
  }
  return { atomic, orders }
}

function checked(order: unknown): TransferOrder | Refusal {
  try {
    checkCharacters(order)
    return checkOrder(order)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function carryOut(transfers: Transfers, request: BulkRequest, { atomic, orders, since_ms }: Arrived): Promise<Made> {
  const { venture_id, actor, approved, companions } = request
  const { ofEach, ofAll } = shareOut(companions)
  const at = now()
  const commands = orders.flatMap((order) =>
    order instanceof Refusal
      ? []
      : [
          {
            kind: 'create' as const,
            venture_id,
            id: uuidv7(),
            order,
            actor,
            approved,
            now: at,
            companions: naming(Object.keys(order), ofEach),
          },
        ],
  )
  const conclude = (decided: readonly (Transfer | Refusal)[]): Made => {
    const next = decided.values()
    const results = orders.map((order) => (order instanceof Refusal ? order : (next.next().value as Transfer | Refusal)))
    if (atomic && results.some((result) => result instanceof Refusal)) refuseAll(results, request)
    return { id: uuidv7(), ...resultOf(results, request) }
  }
  const bulk = { venture_id, orders: orders.length, commands, companions: ofAll, conclude }
  return (await transfers.bulkBatches.submit(bulk, since_ms)) as Made
}

function resultOf(results: readonly (Transfer | Refusal)[], { problemOf }: BulkRequest): BulkResult {
  const refused = results.filter((result) => result instanceof Refusal).length
  return {
    created: results.length - refused,
    refused,
    results: results.map((result, index) =>
      result instanceof Refusal ? { index, problem: problemOf(result) } : { index, transfer: result },
    ),
  }
}

/** Refuses the request, with the reason for each refused order. */
function refuseAll(results: readonly unknown[], { problemOf }: BulkRequest): never {
  const refused = results.flatMap((result, index) => (result instanceof Refusal ? [{ index, refusal: result }] : []))
  const [first] = refused
  const which = refused.length === 1 ? `the order at index ${first?.index} was` : `${refused.length} of them were`
  const where = refused.length === 1 ? '' : `The first of these is at index ${first?.index}. `
  refuse('bulk_refused', {
    detail: `None of the ${results.length} orders was carried out, because ${which} refused. ${where}${first?.refusal.message}`,
    refused: refused.map(({ index, refusal }) => ({ index, problem: problemOf(refusal) })),
  })
}
