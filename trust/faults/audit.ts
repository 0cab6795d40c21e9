// The final checks of every experiment: compares acknowledged requests with the database, and verifies all invariants.
import { verifyDatabase } from '../../server/src/verify/verify.ts'
import { type Order, paths } from './load/book.ts'
import { describe } from './load/caller.ts'
import type { Random } from './load/random.ts'
import { cents } from './load/world.ts'
import type { Results } from './results.ts'
import type { Setup } from './setup.ts'

type Kept = { unique_reference: string; id: string; status: string; amount: string; moves: string[]; parent: string | null }

export async function audit(setup: Setup, results: Results, random: Random): Promise<void> {
  const { orders } = setup.book
  const kept = await keptTransfers(setup)
  // The record that the service creates for the receiver of an internal transfer has its own id as its reference.
  const [mirrors, ordered] = [true, false].map((own) => kept.filter((row) => (row.unique_reference === row.id) === own)) as [Kept[], Kept[]]
  const byReference = Map.groupBy(ordered, ({ unique_reference }) => unique_reference)
  const byParent = Map.groupBy(mirrors, ({ parent }) => parent ?? '')
  for (const order of orders.values()) {
    compare(order, byReference.get(order.reference) ?? [], results)
    compareMirrors(order, byParent.get(order.id ?? '') ?? [], results)
  }
  const known = new Set([...orders.values()].map(({ id }) => id ?? ''))
  const strange = [
    ...ordered.filter((row) => !orders.has(row.unique_reference)),
    ...mirrors.filter(({ parent }) => !known.has(parent ?? '')),
  ]
  results.doubled.push(...strange.map(() => 'a transfer that nobody ordered'))
  await compareBalances(setup, results)
  await checkShown(setup, results, random)
  for (const { name, violations, examples } of await verifyDatabase(setup.bank.ownerUrl)) {
    if (violations > 0) results.broken.push(`invariant "${name}": ${violations} violations, such as ${examples[0]}`)
  }
}

async function keptTransfers({ bank, world }: Setup): Promise<Kept[]> {
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

/** The receiver has one record of each completed internal transfer, and none of any other. */
function compareMirrors({ kind, done, open, amount }: Order, mirrors: readonly Kept[], results: Results): void {
  const due = kind === 'internal' && done === paths.internal.length ? 1 : 0
  if (mirrors.length < due) results.lost.push("the receiver's record of an internal transfer")
  if (mirrors.length > due + (open ? 1 : 0)) results.doubled.push("the receiver's record of an internal transfer")
  if (mirrors.some((mirror) => Number(mirror.amount) !== Number(cents(amount))))
    results.broken.push('a receiver has another amount than was sent')
}

function compare({ kind, done, open, id, amount }: Order, kept: readonly Kept[], results: Results): void {
  const path = paths[kind]
  const [transfer] = kept
  if (kept.length > 1) results.doubled.push(`${kept.length} transfers with one reference`)
  if (transfer === undefined) {
    if (done > 0) results.lost.push(`a ${kind} transfer, acknowledged as ${path[done - 1]}`)
    return
  }
  if (done === 0 && !open) return void results.doubled.push(`a ${kind} transfer that was refused is there`)
  if (id !== undefined && transfer.id !== id) results.broken.push(`a ${kind} transfer has another id than was acknowledged`)
  if (Number(transfer.amount) !== Number(cents(amount))) results.broken.push(`a ${kind} transfer has another amount than was ordered`)
  const reached = path.indexOf(transfer.status) + 1
  if (reached < done) results.lost.push(`the move of a ${kind} transfer to ${path[done - 1]}: it is ${transfer.status}`)
  if (reached > done + (open ? 1 : 0)) results.doubled.push(`a ${kind} transfer known as ${path[done - 1]} is ${transfer.status}`)
  // Sorted by name and not by id, because ids depend on the clock.
  const expected = path.slice(0, reached).toSorted().join()
  if (transfer.moves.toSorted().join() !== expected)
    results.doubled.push(`a ${kind} transfer has made the moves ${transfer.moves.toSorted().join()}`)
}

async function compareBalances({ bank, world, book }: Setup, results: Results): Promise<void> {
  // If the outcome of an order is still unknown, either balance would be right.
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
        results.broken.push(`a ${name} balance is ${amount} where orders add up to ${cents(expected)}`)
    }
  }
}

/** The service must show what the database contains: checks the last orders and a sample of the others. */
async function checkShown({ bank, book }: Setup, results: Results, random: Random): Promise<void> {
  const known = [...book.orders.values()].filter(({ id, open }) => id !== undefined && !open)
  const some = new Set([...known.slice(-100), ...random.shuffled(known).slice(0, 100)])
  for (const { id, venture, kind, done } of some) {
    const reply = await bank.caller.send({ method: 'GET', path: `/api/v1/transfers/${id}`, key: venture.api_key })
    const status = reply.kind === 'answer' ? reply.body.status : undefined
    if (status !== paths[kind][done - 1]) results.lost.push(`the service shows ${status ?? describe(reply)} for ${paths[kind][done - 1]}`)
  }
}
