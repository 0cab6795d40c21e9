// A few of the experiments, once each, and the proof that their checks find what they are there to find.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disturb, type Fault } from './disturb.ts'
import { loseCommits } from './experiments/faults.commits.ts'
import { killBackend } from './experiments/faults.database.ts'
import { sameReference } from './experiments/faults.races.ts'
import { serviceKilled } from './experiments/faults.service.ts'
import { type Order, paths } from './load/book.ts'
import { startLoad } from './load/load.ts'
import { onScene } from './play.ts'
import type { Scene } from './scene.ts'
import { closeEverything, type Experiment, runExperiment, type Stage } from './stage.ts'

after(closeEverything)

const faults: Record<string, Fault> = {
  'a backend is killed': killBackend,
  'a COMMIT is not sent': loseCommits('unsent'),
  'a COMMIT is not answered': loseCommits('unanswered'),
}

/** What the long run does one after the other, on one bank. */
const databaseFaults: Experiment = {
  name: 'database',
  about: Object.keys(faults).join('; '),
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'given' },
      async fault(scene) {
        for (const [name, fault] of Object.entries(faults)) {
          const before = stage.tally.faults
          await fault(scene, stage)
          assert.ok(stage.tally.faults > before, `it did not happen that ${name}`)
        }
      },
    }),
}

for (const experiment of [serviceKilled, databaseFaults, sameReference(500)]) {
  test(`nothing is lost, doubled or broken: ${experiment.about}`, async () => {
    const { tally } = await runExperiment(experiment, { seed: 8, span_ms: 0 })
    const { lost, doubled, broken } = tally
    assert.deepEqual({ lost, doubled, broken }, { lost: [], doubled: [], broken: [] })
    assert.ok(tally.faults > 0, 'the fault did not happen')
    // Of those who have one reference between them all but one are refused.
    assert.ok(tally.acknowledged + tally.refused > 100, `only ${tally.acknowledged} operations were acknowledged`)
    assert.equal(tally.foundDone + tally.foundNotDone, tally.unknown)
  })
}

test('what is lost, doubled or broken is found', async () => {
  const about = 'defects planted in the database and in the books'
  const { tally } = await runExperiment({ name: 'planted', about, run: plant }, { seed: 8, span_ms: 0 })
  const [lost, doubled, broken] = [tally.lost.join('\n'), tally.doubled.join('\n'), tally.broken.join('\n')]
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

async function plant(stage: Stage): Promise<void> {
  await onScene(stage, { hosting: 'embedded', ventures: 1, accounts: 2 }, async (scene) => {
    const load = startLoad(stage, scene, { clients: 8 })
    // However long that takes on a busy machine; the runner's time-out ends a service that never gets there.
    while (completedOrders(scene).length < defects) await stage.pause(50, 50)
    await load.stop()
    await plantIn(scene)
  })
}

/** How many orders are needed to plant one defect in each. */
const defects = 5

function completedOrders({ book }: Scene): Order[] {
  return [...book.orders.values()].filter(({ kind, done }) => kind === 'internal' && done === paths.internal.length)
}

async function plantIn(scene: Scene): Promise<void> {
  const { bank, book, world } = scene
  const [account] = world.accounts
  assert.ok(account)
  const wish = { venture: account.venture, account, to: undefined, amount: 100n, kind: 'deposit' } as const
  Object.assign(book.add(wish), { done: 1, id: account.id })
  const [refused, moved, forgotten, unmoved, twice] = completedOrders(scene)
  assert.ok(refused && moved && forgotten && unmoved && twice, 'there was too little load')
  refused.done = 0
  book.orders.delete(forgotten.reference)
  moved.done = 1
  unmoved.done = 2
  await bank.asOwner(async (owner) => {
    // The database itself would not let us.
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
