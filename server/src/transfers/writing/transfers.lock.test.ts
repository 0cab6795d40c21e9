import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, mock, test } from 'node:test'
import { openFirstCase } from '../../cases/cases.ts'
import { theService } from '../../platform/actor.ts'
import { onSeveralServers } from '../../platform/database/database.placement.ts'
import { Database, Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { standInForCitus } from '../../testing/testing.citus.ts'
import { notOnCluster } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { Refusal } from '../../values/refusals.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, openTransfers } from '../orders/transfers.orders.ts'

const said = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'created',
    (error) => (error instanceof Refusal ? error.code : String(error)),
  )

test('a transfer that the coordinator has committed, and the worker has not yet, is waited for', {
  skip: notOnCluster('citus'),
}, async () => {
  const bank = await openBank()
  await standInForCitus(bank.owner)
  const database = new Database({ url: bank.database.url, wait_ms: 60_000 })
  after(() => database.close())
  database.placement = onSeveralServers
  const transfers = openTransfers(database, bank.config.bank, openFirstCase)
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const { id: venture_id } = venture.venture
  const create = (unique_reference: string) => {
    const order = { account_id: account.id, unique_reference, direction: 'INBOUND', credit_amount: '1.00' } as unknown as TransferOrder
    return said(createTransfer(transfers, { venture_id, actor: theService, order }))
  }
  /** The transfer of this claim is prepared. */
  const claim = async () => {
    const [reference, name] = [randomUUID(), randomUUID()]
    await bank.owner.query('insert into transfer_references (unique_reference, venture_id, transfer_id) values ($1, $2, $3)', [
      reference,
      venture_id,
      uuidv7(),
    ])
    await bank.owner.query('insert into prepared values ($1)', [name])
    await bank.owner.query('insert into pg_dist_transaction values (1, $1)', [name])
    return { reference, commit: () => bank.owner.query('delete from prepared where gid = $1', [name]) }
  }
  let looks = 0
  const { first } = Tx.prototype
  mock.method(Tx.prototype, 'first', function (this: Tx, query: Parameters<typeof first>[0]) {
    if (query.text.includes('master_run_on_worker')) looks++
    return first.call(this, query as never)
  })

  assert.equal(await create(randomUUID()), 'created')
  assert.equal(looks, 0)
  const { reference, commit } = await claim()
  let isOver = false
  const wanted = create(reference).finally(() => {
    isOver = true
  })
  await eventually(() => isOver || looks > 2)
  assert.equal(isOver, false, 'a transfer was named that is not there')
  await commit()
  assert.equal(await wanted, 'unique_reference_used')

  // A waiter may hold locks itself.
  const stuck = await claim()
  assert.equal(await create(stuck.reference), 'unavailable')
  await stuck.commit()
  assert.equal(await create(stuck.reference), 'unique_reference_used')
})
