// Runs a few of the experiments once each, and proves that their checks find every kind of defect.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Context, closeEverything, type Experiment, runExperiment } from './experiment.ts'
import { loseCommits } from './experiments/faults.commits.ts'
import { killBackend } from './experiments/faults.database.ts'
import { repeatedAfterKill } from './experiments/faults.idempotency.ts'
import { inboxKilled } from './experiments/faults.inbox.ts'
import { processingKilled } from './experiments/faults.processing.ts'
import { sameReference } from './experiments/faults.races.ts'
import { railsKilled } from './experiments/faults.rails.ts'
import { serviceKilled } from './experiments/faults.service.ts'
import { type Fault, injectFaults } from './inject-faults.ts'
import { type Order, paths } from './load/book.ts'
import { startLoad } from './load/load.ts'
import type { Setup } from './setup.ts'
import { withSetup } from './with-setup.ts'

after(closeEverything)

const faults: Record<string, Fault> = {
  'a backend is killed': killBackend,
  'a COMMIT is not sent': loseCommits('unsent'),
  'a COMMIT is not answered': loseCommits('unanswered'),
}

/** The experiments that the long run makes one after the other, on one bank. */
const databaseFaults: Experiment = {
  name: 'database',
  about: Object.keys(faults).join('; '),
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'given' },
      async fault(setup) {
        for (const [name, fault] of Object.entries(faults)) {
          const before = context.results.faults
          await fault(setup, context)
          assert.ok(context.results.faults > before, `it did not happen that ${name}`)
        }
      },
    }),
}

for (const experiment of [
  serviceKilled,
  processingKilled,
  railsKilled,
  inboxKilled,
  repeatedAfterKill,
  databaseFaults,
  sameReference(500),
]) {
  test(`nothing is lost, doubled or broken: ${experiment.about}`, async () => {
    const { results } = await runExperiment(experiment, { seed: 8, span_ms: 0 })
    const { lost, doubled, broken } = results
    // The notes contain the service's log.
    if (broken.length > 0) broken.push(...results.notes)
    assert.deepEqual({ lost, doubled, broken }, { lost: [], doubled: [], broken: [] })
    assert.ok(results.faults > 0, 'the fault did not happen')
    // Of the orders that share one reference, all but one are refused.
    assert.ok(results.acknowledged + results.refused > 100, `only ${results.acknowledged} operations were acknowledged`)
    assert.equal(results.foundDone + results.foundNotDone, results.unknown)
  })
}

test('lost, doubled and broken transfers are found', async () => {
  const about = 'defects planted in the database and in the books'
  const { results } = await runExperiment({ name: 'planted', about, run: plant }, { seed: 8, span_ms: 0 })
  const [lost, doubled, broken] = [results.lost.join('\n'), results.doubled.join('\n'), results.broken.join('\n')]
  assert.match(lost, /a deposit transfer, acknowledged as CREATED/)
  assert.match(lost, /the move of a \w+ transfer to RESERVED: it is CREATED/)
  assert.match(lost, /the service shows /)
  assert.match(doubled, /a transfer that nobody ordered/)
  assert.match(doubled, /a \w+ transfer that was refused is there/)
  assert.match(doubled, /a \w+ transfer known as CREATED is RESERVED/)
  assert.match(doubled, /has made the moves .*CREATED,CREATED/)
  assert.match(broken, /a current balance is \S+ where orders add up to/)
  assert.match(broken, /invariant "current balances"/)
})

async function plant(context: Context): Promise<void> {
  await withSetup(context, { hosting: 'embedded', ventures: 1, accounts: 2 }, async (setup) => {
    const load = startLoad(context, setup, { clients: 8 })
    // As long as a busy machine needs; the runner's time-out ends a service that never gets there.
    while (completedOrders(setup).length < defects) await context.pause(50, 50)
    await load.stop()
    await plantIn(setup)
  })
}

/** How many orders are needed to plant one defect in each. */
const defects = 5

function completedOrders({ book }: Setup): Order[] {
  return [...book.orders.values()].filter(({ kind, done }) => kind === 'internal' && done === paths.internal.length)
}

async function plantIn(setup: Setup): Promise<void> {
  const { bank, book, world } = setup
  const [account] = world.accounts
  assert.ok(account)
  const intent = { venture: account.venture, account, to: undefined, amount: 100n, kind: 'deposit' } as const
  Object.assign(book.add(intent), { done: 1, id: account.id })
  const [refused, moved, forgotten, unmoved, twice] = completedOrders(setup)
  assert.ok(refused && moved && forgotten && unmoved && twice, 'there was too little load')
  refused.done = 0
  book.orders.delete(forgotten.reference)
  moved.done = 1
  unmoved.done = 2
  await bank.asOwner(async (owner) => {
    // The database itself would refuse it.
    await owner.query('set session_replication_role = replica')
    await owner.query(`update transfers set status = 'RESERVED' where id = $1`, [moved.id])
    await owner.query(`update transfers set status = 'CREATED' where id = $1`, [unmoved.id])
    await owner.query(
      `insert into transfer_moves select (jsonb_populate_record(move, jsonb_build_object('id', gen_random_uuid()))).*
       from transfer_moves move where transfer_id = $1 and to_status = 'CREATED'`,
      [twice.id],
    )
    await owner.query('update accounts set current_balance = current_balance + 1 where id = $1', [account.id])
  })
}
