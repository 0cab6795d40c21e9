import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { theService } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { wantsCluster } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { lockRow } from '../../testing/testing.waits.ts'
import { formatMoney } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import type { BatchAccount, BatchClient } from '../deciding/transfers.batch.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import type { Key } from './transfers.keys.ts'
import { type Owners, selectOwners } from './transfers.lock.sql.ts'
import { runBatch } from './transfers.run.ts'
import { Speculation } from './transfers.schedule.ts'
import { lockSnapshot, StaleSnapshot } from './transfers.snapshot.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const venture_id = venture.venture.id

const keyOf = ({ id }: { id: string }): Key => ({ venture_id, id })
const known = (...accounts: { id: string }[]): Promise<Owners> => selectOwners(bank.database, accounts.map(keyOf))
const alone = <T>(act: (tx: Tx) => Promise<T>): Promise<T> => bank.database.transaction(act)
const changed = (act: Promise<unknown>): Promise<void> => assert.rejects(act, StaleSnapshot)

/**
 * For each field a value that no account or client here has; undefined if the service has no right to change the field, which is then not compared.
 */
type Others<Row> = { [Field in Exclude<keyof Row, 'venture_id' | 'id'>]: Row[Field] | undefined }

const otherAccount: Others<BatchAccount> = {
  client_id: undefined,
  account_number: undefined,
  currency: undefined,
  status: 'SUSPENDED',
  current: 999n,
  reserved: 999n,
  debt: 999n,
  last_activity_date: '2020-01-01T00:00:00.000Z',
  daily_limit: 999n,
  monthly_limit: 999n,
  yearly_limit: 999n,
  used_on: '2020-01-01',
  used_day: 999n,
  used_month: 999n,
  used_year: 999n,
  managed: true,
  frozen_by_bank: true,
  venture_active: false,
}

const otherClient: Others<BatchClient> = {
  first_name: 'Grace',
  last_name: 'Hopper',
  address: '1 Other Street',
  city: 'Arlington',
  postcode: '22201',
  country_code: 'US',
  blocked: true,
  is_blacklisted: true,
  stopped_by_bank: true,
  kyc_status: 'DECLINED',
}

suite('rows that are locked as in the snapshot', {
  skip: wantsCluster() && 'On the coordinator of a cluster no batch is speculative.',
}, async () => {
  const [plain, full] = [await venture.openAccount(), await venture.openAccount({ balance: '50.00' })]
  // Each column has a different value, so comparing the wrong columns would show.
  await bank.owner.query(
    `update accounts set daily_limit = 11, monthly_limit = 12, yearly_limit = 13, used_on = '2026-01-05', used_day = 1, used_month = 2, used_year = 3
     where id = $1`,
    [full.id],
  )

  test('what nobody has changed is as in the snapshot, with limits or without, one by one or together', async () => {
    for (const accounts of [[plain], [full], [plain, full], [full, plain]]) {
      await alone(async (tx) => lockSnapshot(tx, await known(...accounts)))
    }
  })

  test('a field of an account that differs is found, and what is not compared cannot be changed', async () => {
    for (const [field, other] of Object.entries(otherAccount)) {
      const { accounts, clients } = await known(plain, full)
      if (other === undefined) {
        const { rows } = await bank.owner.query(`select has_column_privilege('vostro_service', 'accounts', $1, 'update') as may`, [field])
        assert.deepEqual(rows, [{ may: false }], field)
        continue
      }
      for (const place of [0, 1]) {
        const differing = accounts.map((account, index) => (index === place ? { ...account, [field]: other } : account))
        await changed(alone((tx) => lockSnapshot(tx, { accounts: differing, clients })))
      }
    }
  })

  test('a field of a client that differs is found', async () => {
    for (const [field, other] of Object.entries(otherClient)) {
      const { accounts, clients } = await known(plain, full)
      for (const place of [0, 1]) {
        const differing = clients.map((client, index) => (index === place ? { ...client, [field]: other } : client))
        await changed(alone((tx) => lockSnapshot(tx, { accounts, clients: differing })))
      }
    }
  })

  test('a value that was null, or is null now, differs', async () => {
    for (const [account, changes] of [
      [plain, { daily_limit: 0n }] as const,
      [full, { daily_limit: null, last_activity_date: null }] as const,
    ]) {
      for (const [field, value] of Object.entries(changes)) {
        const { accounts, clients } = await known(account)
        await changed(alone((tx) => lockSnapshot(tx, { accounts: accounts.map((each) => ({ ...each, [field]: value })), clients })))
      }
    }
  })

  test('an account that does not exist, or belongs to another venture, is not as in the snapshot', async () => {
    const { accounts, clients } = await known(plain, full)
    for (const changes of [{ id: randomUUID() }, { venture_id: randomUUID() }]) {
      const elsewhere = accounts.map((account, index) => (index === 1 ? { ...account, ...changes } : account))
      await changed(alone((tx) => lockSnapshot(tx, { accounts: elsewhere, clients })))
    }
  })

  test('what another transaction has locked is not waited for', async () => {
    const owners = await known(plain, full)
    for (const [table, id] of [
      ['accounts', full.id],
      ['clients', full.client_id],
    ] as const) {
      await bank.owner.query('begin')
      await lockRow(bank.owner, table, id, 'no key update')
      await changed(alone((tx) => lockSnapshot(tx, owners)))
      await bank.owner.query('rollback')
    }
  })

  test('accounts and clients stay locked until the transaction ends, clients for others to share', async () => {
    await alone(async (tx) => {
      await lockSnapshot(tx, await known(plain, full))
      for (const { id, client_id } of [plain, full]) {
        for (const [table, row] of [
          ['accounts', id],
          ['clients', client_id],
        ] as const) {
          const locking = lockRow(bank.owner, table, row, 'no key update nowait')
          await assert.rejects(locking, { code: '55P03' }, table)
        }
        await bank.owner.query('select from clients where id = $1 for share nowait', [client_id])
      }
    })
  })
})

suite('speculative batches', { skip: wantsCluster() && 'On a cluster no batch is speculative.' }, () => {
  const opening = Promise.all([venture.openAccount({ daily_limit: '100.00' }), venture.openAccount()])

  async function payer(account: { id: string; client_id: string }) {
    const beneficiary_id = (await venture.addBeneficiary(account.client_id)).id
    return (debit_amount: string, changes: object = {}) => {
      const order = { account_id: account.id, beneficiary_id, unique_reference: randomUUID(), debit_amount, ...changes } as TransferOrder
      return { kind: 'create', venture_id, id: uuidv7(), actor: theService, order, now: now() } as const
    }
  }
  type Create = ReturnType<Awaited<ReturnType<typeof payer>>>

  /** Runs one batch as the service runs overlapping ones. `says`: for each command the status, the code of its refusal, or that it was skipped. */
  async function run(owners: Speculation, ...commands: Create[]) {
    const turn = { key: randomUUID(), after: undefined, isReached: false }
    const batch = { commands, continueNew: undefined, turn, speculation: owners }
    const decided = await alone((tx) => runBatch(tx, bank.config.bank, batch, false)).catch((error: unknown) => error)
    if (decided instanceof StaleSnapshot) return { isSpeculative: true, says: 'stale snapshot' }
    if (decided instanceof Error) throw decided
    const { results, isSpeculative } = decided as Awaited<ReturnType<typeof runBatch>>
    const says = results.map((result) => (typeof result === 'symbol' ? 'skipped' : result instanceof Refusal ? result.code : result.status))
    return { isSpeculative, says }
  }

  test('a batch is decided over what the ones before have left, whatever they refused', async () => {
    const [limited, other] = await opening
    const [pay, payOther] = [await payer(limited), await payer(other)]
    const owners = new Speculation()
    assert.deepEqual(await run(owners, pay('30.00'), payOther('1.00')), { isSpeculative: false, says: ['CREATED', 'CREATED'] })
    const second = await run(owners, pay('30.00'), pay('90.00'), payOther('1.00', { debit_currency: 'USD' }), pay('30.00'))
    assert.deepEqual(second, { isSpeculative: true, says: ['CREATED', 'limit_exceeded', 'currency_mismatch', 'CREATED'] })
    assert.deepEqual(await run(owners, pay('10.01'), payOther('1.00')), { isSpeculative: true, says: ['limit_exceeded', 'CREATED'] })
    assert.deepEqual(await run(owners, pay('10.00')), { isSpeculative: true, says: ['CREATED'] })
    const used = new Map((await known(limited, other)).accounts.map(({ id, used_day, currency }) => [id, formatMoney(used_day, currency)]))
    assert.deepEqual([used.get(limited.id), used.get(other.id)], ['100.00', '2.00'])
  })

  test('a batch with an account that is not in the snapshot, or with anything else than a plain create, locks and reads', async () => {
    const [limited, other] = await opening
    const [pay, payOther] = [await payer(limited), await payer(other)]
    const owners = new Speculation()
    await run(owners, payOther('1.00'))
    const read = async (...commands: Create[]) => assert.equal((await run(owners, ...commands)).isSpeculative, false)
    await read(payOther('1.00'), pay('0.01'))
    await read(payOther('1.00', { parent_transaction_id: randomUUID() }))
    assert.equal((await run(owners, payOther('1.00'))).isSpeculative, true)
  })

  test('what was changed behind the back of the service is noticed, and nothing is written', async () => {
    const [, other] = await opening
    const pay = await payer(other)
    const owners = new Speculation()
    await run(owners, pay('1.00'))
    const before = await bank.count('transfers')
    await bank.owner.query('update accounts set daily_limit = 0 where id = $1', [other.id])
    assert.equal((await run(owners, pay('1.00'))).says, 'stale snapshot')
    assert.equal(await bank.count('transfers'), before)
    owners.conflicted()
    assert.deepEqual(await run(owners, pay('1.00')), { isSpeculative: false, says: ['limit_exceeded'] })
    await bank.owner.query('update accounts set daily_limit = null where id = $1', [other.id])
  })

  test('an account that another transaction holds is not in the snapshot afterwards', async () => {
    const [limited, other] = await opening
    const [pay, payOther] = [await payer(limited), await payer(other)]
    const owners = new Speculation()
    await bank.owner.query('begin')
    await lockRow(bank.owner, 'accounts', limited.id, 'no key update')
    assert.deepEqual((await run(owners, pay('0.01'), payOther('1.00'))).says, ['skipped', 'CREATED'])
    await bank.owner.query('rollback')
    assert.equal(owners.find([keyOf(limited)]), undefined)
    assert.equal(owners.find([keyOf(other)])?.accounts.length, 1)
  })

  test('an order is decided over the truth after every change that was made elsewhere, and is carried out once that is undone', async () => {
    const account = await venture.openAccount()
    const beneficiary = await venture.addBeneficiary(account.client_id)
    const order = () => ({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', unique_reference: randomUUID() })
    const create = async () => {
      const { status, problem } = await venture.post('/transfers', order())
      return problem?.code ?? status
    }
    const change = (table: string, set: string, id: string) => bank.owner.query(`update ${table} set ${set} where id = $1`, [id])
    const changes = [
      ['accounts', "status = 'SUSPENDED'", "status = 'ACTIVE'", account.id, 'account_not_active'],
      ['accounts', 'daily_limit = 0', 'daily_limit = null', account.id, 'limit_exceeded'],
      ['clients', 'blocked = true', 'blocked = false', account.client_id, 'client_blocked'],
    ] as const
    for (const [table, set, undo, id, code] of changes) {
      assert.deepEqual([await create(), await create()], [201, 201])
      await change(table, set, id)
      assert.equal(await create(), code)
      await change(table, undo, id)
      assert.equal(await create(), 201)
    }
  })
})

suite('the snapshot', () => {
  const account = (id: string, client_id = 'client'): BatchAccount => ({ ...({} as BatchAccount), venture_id: 'venture', id, client_id })
  const client = (id = 'client'): BatchClient => ({ ...({} as BatchClient), venture_id: 'venture', id })
  const key = (id: string): Key => ({ venture_id: 'venture', id })
  const keep = (owners: Speculation, accounts: BatchAccount[], clients = [client()], locked = accounts.map(({ id }) => id)) =>
    owners.keep({ accounts, clients }, new Set(locked))
  const knows = (owners: Speculation, ...ids: string[]) => owners.find(ids.map(key)) !== undefined

  test('accounts are found with their clients, in the order in which they are asked for, and all or none', () => {
    const owners = new Speculation()
    keep(owners, [account('a', 'one'), account('b', 'two')], [client('two'), client('one')])
    assert.deepEqual(owners.find([key('b'), key('a')]), {
      accounts: [account('b', 'two'), account('a', 'one')],
      clients: [client('two'), client('one')],
    })
    assert.equal(knows(owners, 'a', 'c'), false)
    assert.equal(owners.find([{ venture_id: 'another', id: 'a' }]), undefined)
  })

  test('what was kept last counts, and an account without its client is not kept', () => {
    const owners = new Speculation()
    keep(owners, [account('a')])
    const later = { ...account('a'), managed: true }
    keep(owners, [later])
    assert.deepEqual(owners.find([key('a')])?.accounts, [later])
    keep(owners, [account('a')], [])
    assert.equal(knows(owners, 'a'), false)
  })

  test('an account that was not locked is dropped', () => {
    const owners = new Speculation()
    keep(owners, [account('a'), account('b')])
    keep(owners, [account('a'), account('b')], [client()], ['b'])
    assert.deepEqual([knows(owners, 'a'), knows(owners, 'b')], [false, true])
  })

  test('after a conflict more and more batches lock first, up to 64, until one is confirmed', () => {
    const owners = new Speculation()
    const rests = () => {
      owners.conflicted()
      keep(owners, [account('a')])
      let batches = 0
      while (!knows(owners, 'a')) batches++
      return batches
    }
    assert.deepEqual(Array.from({ length: 8 }, rests), [2, 4, 8, 16, 32, 64, 64, 64])
    owners.confirmed()
    assert.equal(rests(), 2)
  })

  test('a conflict and a failure clear the snapshot', () => {
    for (const end of ['conflicted', 'forget'] as const) {
      const owners = new Speculation()
      keep(owners, [account('a')])
      owners[end]()
      for (let batch = 0; batch < 3; batch++) assert.equal(knows(owners, 'a'), false)
    }
  })

  test('of more than ten thousand accounts, the least recently used are dropped', () => {
    const owners = new Speculation()
    const ids = Array.from({ length: 10_000 }, (_, n) => String(n))
    keep(
      owners,
      ids.map((id) => account(id)),
    )
    keep(owners, [account('0')])
    keep(owners, [account('x'), account('y')])
    assert.deepEqual(
      ['0', '1', '2', '3', 'x', 'y'].map((id) => knows(owners, id)),
      [true, false, false, true, true, true],
    )
  })
})
