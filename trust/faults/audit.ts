// The end of every experiment: what the database holds is compared with what was acknowledged, and all invariants are asked.
import { verifyDatabase } from '../../server/src/verify/verify.ts'
import { type Order, paths } from './load/book.ts'
import { describe } from './load/caller.ts'
import type { Random } from './load/random.ts'
import { cents } from './load/world.ts'
import type { Scene } from './scene.ts'
import type { Tally } from './tally.ts'

type Kept = { unique_reference: string; id: string; status: string; amount: string; moves: string[]; parent: string | null }

export async function audit(scene: Scene, tally: Tally, random: Random): Promise<void> {
  const { orders } = scene.book
  const kept = await keptTransfers(scene)
  // What the service itself records for the receiver of an internal transfer has its own id as its reference.
  const [mirrors, ordered] = [true, false].map((own) => kept.filter((row) => (row.unique_reference === row.id) === own)) as [Kept[], Kept[]]
  const byReference = Map.groupBy(ordered, ({ unique_reference }) => unique_reference)
  const byParent = Map.groupBy(mirrors, ({ parent }) => parent ?? '')
  for (const order of orders.values()) {
    compare(order, byReference.get(order.reference) ?? [], tally)
    compareMirrors(order, byParent.get(order.id ?? '') ?? [], tally)
  }
  const known = new Set([...orders.values()].map(({ id }) => id ?? ''))
  const strange = [
    ...ordered.filter((row) => !orders.has(row.unique_reference)),
    ...mirrors.filter(({ parent }) => !known.has(parent ?? '')),
  ]
  tally.doubled.push(...strange.map(() => 'a transfer that nobody ordered'))
  await compareBalances(scene, tally)
  await askAgain(scene, tally, random)
  for (const { name, violations, examples } of await verifyDatabase(scene.bank.ownerUrl)) {
    if (violations > 0) tally.broken.push(`invariant "${name}": ${violations} violations, such as ${examples[0]}`)
  }
}

async function keptTransfers({ bank, world }: Scene): Promise<Kept[]> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<Kept>(
      `select unique_reference, id, status, debit_amount as amount, parent_transaction_id as parent,
         array(select to_status from transfer_moves move
           where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id) as moves
       from transfers transfer where venture_id = any($1) and unique_reference not like 'SANDBOX-%'`,
      [world.ventures.map(({ id }) => id)],
    ),
  )
  return rows
}

/** The receiver has one record of each internal transfer that was completed, and none of any other. */
function compareMirrors({ kind, done, open, amount }: Order, mirrors: readonly Kept[], tally: Tally): void {
  const due = kind === 'internal' && done === paths.internal.length ? 1 : 0
  if (mirrors.length < due) tally.lost.push("the receiver's record of an internal transfer")
  if (mirrors.length > due + (open ? 1 : 0)) tally.doubled.push("the receiver's record of an internal transfer")
  if (mirrors.some((mirror) => Number(mirror.amount) !== Number(cents(amount))))
    tally.broken.push('a receiver has another amount than was sent')
}

function compare({ kind, done, open, id, amount }: Order, kept: readonly Kept[], tally: Tally): void {
  const path = paths[kind]
  const [transfer] = kept
  if (kept.length > 1) tally.doubled.push(`${kept.length} transfers with one reference`)
  if (transfer === undefined) {
    if (done > 0) tally.lost.push(`a ${kind} transfer, acknowledged as ${path[done - 1]}`)
    return
  }
  if (done === 0 && !open) return void tally.doubled.push(`a ${kind} transfer that was refused is there`)
  if (id !== undefined && transfer.id !== id) tally.broken.push(`a ${kind} transfer has another id than was acknowledged`)
  if (Number(transfer.amount) !== Number(cents(amount))) tally.broken.push(`a ${kind} transfer has another amount than was ordered`)
  const reached = path.indexOf(transfer.status) + 1
  if (reached < done) tally.lost.push(`the move of a ${kind} transfer to ${path[done - 1]}: it is ${transfer.status}`)
  if (reached > done + (open ? 1 : 0)) tally.doubled.push(`a ${kind} transfer known as ${path[done - 1]} is ${transfer.status}`)
  // By name and not by their ids, which the clock is in.
  const expected = path.slice(0, reached).toSorted().join()
  if (transfer.moves.toSorted().join() !== expected)
    tally.doubled.push(`a ${kind} transfer has made the moves ${transfer.moves.toSorted().join()}`)
}

async function compareBalances({ bank, world, book }: Scene, tally: Tally): Promise<void> {
  // Where somebody never got an answer to the last question, either balance would be right.
  if ([...book.orders.values()].some(({ open }) => open)) return
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ id: string; current: string; reserved: string }>(
      'select id, current_balance::text as current, reserved_balance::text as reserved from accounts where venture_id = any($1)',
      [world.ventures.map(({ id }) => id)],
    ),
  )
  const kept = new Map(rows.map((row) => [row.id, row]))
  for (const [account, { current, reserved }] of book.balances(world.accounts)) {
    const found = kept.get(account.id)
    for (const [name, expected] of Object.entries({ current, reserved })) {
      const amount = found?.[name as 'current' | 'reserved'] ?? 'nothing'
      if (Number(amount) !== Number(cents(expected)))
        tally.broken.push(`a ${name} balance is ${amount} where orders add up to ${cents(expected)}`)
    }
  }
}

/** What the database holds must also be what the service shows: of the last orders, and of some others. */
async function askAgain({ bank, book }: Scene, tally: Tally, random: Random): Promise<void> {
  const known = [...book.orders.values()].filter(({ id, open }) => id !== undefined && !open)
  const some = new Set([...known.slice(-100), ...random.shuffled(known).slice(0, 100)])
  for (const { id, venture, kind, done } of some) {
    const reply = await bank.caller.send({ method: 'GET', path: `/api/v1/transfers/${id}`, key: venture.api_key })
    const status = reply.kind === 'answer' ? reply.body.status : undefined
    if (status !== paths[kind][done - 1]) tally.lost.push(`the service shows ${status ?? describe(reply)} for ${paths[kind][done - 1]}`)
  }
}
