// What the bank freezes stops, in every status and even if the venture holds it: guards stop it at once, and the service then puts it on hold.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountApprovals, actOnAccount } from '../../accounts/accounts.ts'
import { openFirstCase } from '../../cases/cases.ts'
import { enqueueHold, updateClient } from '../../clients/clients.ts'
import { ManagedVenture, operator, toSent } from '../../testing/testing.managed.ts'
import { wantsCluster } from '../../testing/testing.server.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { lockRow } from '../../testing/testing.waits.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { openTransfers } from '../orders/transfers.orders.ts'
import { listTransitions } from '../orders/transfers.standing.ts'
import { holdTransfersOf } from './transfers.freeze.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const toReady = toSent.slice(0, -1)

afterEach(async () => assert.deepEqual(await bank.wrongBooks(), []))

/** An account with payments that the bank has moved through these statuses. */
async function accountWith(...walks: (readonly TransferStatus[])[]): Promise<{ account: Loose; payments: Loose[] }> {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const payments: Loose[] = []
  for (const walk of walks) {
    const payment = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
    payments.push(await venture.process(payment, ...walk))
  }
  return { account, payments }
}

const freeze = ({ id }: Loose) => actOnAccount(venture.accounts, { venture_id, id }, 'freeze', { actor: operator })

const statusOf = async ({ id }: Loose) => (await venture.get(`/transfers/${id}`)).body.status

async function reserved(transfer: Loose, status: string): Promise<void> {
  const { status: answered, problem, text } = await venture.put(`/transfers/${transfer.id}`, { status })
  assert.deepEqual([answered, problem?.code], [403, 'reserved_to_bank'], text)
}

test('nothing unsent of a frozen account goes on before the service holds it, and what was sent settles', async () => {
  const packed = [...toReady, 'SENT_TO_PACK', 'PACKED'] as const
  const { account, payments } = await accountWith([], toReady, [...toReady, 'MANUAL_ACTION'], packed, toSent)
  const [created, ready, manual, inPack, sent] = payments
  await freeze(account)
  const tries: [Loose, TransferStatus][] = [
    [created, 'RESERVED'],
    [ready, 'SENT_TO_PACK'],
    [ready, 'SENT_TO_CLEAR'],
    [manual, 'READY_TO_CLEAR'],
    [inPack, 'SENT_TO_CLEAR'],
  ]
  for (const [transfer, status] of tries) await assert.rejects(venture.process(transfer, status), { code: 'account_frozen' })
  for (const transfer of [created, ready, inPack]) await reserved(transfer, transfer === inPack ? 'TO_CANCEL' : 'CANCELLED')
  await reserved(created, 'SIGNED')
  await reserved(ready, 'ON_HOLD')
  const { body: moves } = await venture.get(`/transfers/${ready.id}/transitions`)
  assert.ok(moves.every(({ blocked_by }: Loose) => blocked_by === 'reserved_to_bank'))
  const seenByBank = await listTransitions(venture.transfers, venture_id, ready.id, { actor: operator })
  const blockedBy = Object.fromEntries(seenByBank.map(({ status, blocked_by }) => [status, blocked_by]))
  assert.deepEqual([blockedBy['CANCELLED'], blockedBy['ON_HOLD']], ['approval_required', null])
  await bank.runJobs()
  assert.deepEqual(await Promise.all(payments.map(statusOf)), ['ON_HOLD', 'ON_HOLD', 'MANUAL_ACTION', 'ON_HOLD', 'SENT_TO_CLEAR'])
  await assert.rejects(venture.process(manual, 'READY_TO_CLEAR'), { code: 'account_frozen' })
  await venture.process(sent, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['99.00', '3.00', '96.00'])
})

test('a return in a pack that no longer fits does not keep the others from being held', async () => {
  const account = await venture.openAccount({ balance: '15.00' })
  const arrived = await venture.receive(account, '10.00')
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: 'DE89370400440532013000' })
  const back = { account_id: account.id, beneficiary_id, parent_transaction_id: arrived.id, debit_amount: '10.00' }
  const ordered = await venture.createTransfer({ ...back, transfer_type: 'PAYMENT_RETURN' })
  const other = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '1.00' })
  await venture.process(ordered, ...toReady, 'SENT_TO_PACK')
  // The scheme takes the money back before the pack leaves.
  await venture.process(await venture.order({ ...back, transfer_type: 'PAYMENT_REVERSAL' }), ...toSent, 'COMPLETED')
  await freeze(account)
  await bank.runJobs()
  assert.deepEqual([await statusOf(ordered), await statusOf(other)], ['SENT_TO_PACK', 'ON_HOLD'])
  assert.equal(await bank.count('jobs'), 0)
})

test('a freeze takes over what the venture holds: the venture neither takes it back nor cancels it', async () => {
  const { account, payments } = await accountWith(toReady, [])
  for (const { id } of payments) assert.equal((await venture.put(`/transfers/${id}`, { status: 'ON_HOLD' })).status, 200)
  const [held, created] = payments
  await freeze(account)
  const stays = async () => {
    await reserved(held, 'READY_TO_CLEAR')
    await reserved(held, 'CANCELLED')
    await reserved(created, 'CREATED')
  }
  await stays()
  await bank.runJobs()
  await stays()
  // The bank now holds it, even after the account was unfrozen.
  const [unfreeze] = accountApprovals(venture.accounts)
  const { rows } = await bank.owner.query('select sequence from accounts where id = $1', [account.id])
  const by = { actor: operator, approved: true }
  await unfreeze?.carryOut({ venture_id, resource_id: account.id, sequence: rows[0].sequence, payload: {} } as Loose, by)
  await stays()
  const { body: history } = await venture.get(`/transfers/${held.id}/history`)
  assert.deepEqual([history.at(-1).to_status, history.at(-1).actor], ['ON_HOLD', 'venture'], 'taking over is no move')
  const { body } = await venture.get(`/transfers/${held.id}`)
  assert.equal(body.status_reason, 'The bank has frozen the account.')
  await venture.process(held, 'READY_TO_CLEAR', 'SENT_TO_CLEAR', 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['99.00', '0.00', '99.00'])
})

test('somebody at the bank takes over a hold of the venture', async () => {
  const { payments } = await accountWith([])
  const [{ id }] = payments as [Loose]
  await venture.put(`/transfers/${id}`, { status: 'ON_HOLD' })
  const twice = await venture.put(`/transfers/${id}`, { status: 'ON_HOLD' })
  assert.equal(twice.problem?.code, 'transfer_transition_not_allowed')
  const hold = () => venture.move(id, { status: 'ON_HOLD' }, { actor: operator })
  assert.equal((await hold()).status, 'ON_HOLD')
  await reserved({ id }, 'CREATED')
  await assert.rejects(hold(), { code: 'transfer_transition_not_allowed' })
})

test('a client whom the bank blocks or blacklists keeps the venture from cancelling, and the venture’s own block does not', async () => {
  for (const mark of [{ blocked: true }, { is_blacklisted: true }]) {
    const { account, payments } = await accountWith(['RESERVED'], ['RESERVED'])
    const [held, other] = payments
    await venture.put(`/transfers/${held.id}`, { status: 'ON_HOLD' })
    await venture.put(`/clients/${account.client_id}`, { blocked: true })
    assert.equal((await venture.put(`/transfers/${other.id}`, { status: 'CANCELLED' })).status, 200)
    await updateClient(bank.database, venture.venture, account.client_id, mark, { actor: operator })
    for (const status of ['CANCELLED', 'RESERVED']) await reserved(held, status)
    await bank.runJobs()
    await reserved(held, 'CANCELLED')
    assert.equal(await statusOf(held), 'ON_HOLD')
  }
})

test('a pay-out on its way stops once its client is blacklisted, and for no other mark', async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const mark = (marks: object) => updateClient(bank.database, venture.venture, account.client_id, marks, { actor: operator })
  await mark({ blocked: true })
  await freeze(account)
  const own = await venture.addBeneficiary(account.client_id, { name: 'Ada Lovelace', iban: 'DE89370400440532013000' })
  const order = { venture_id, account_id: account.id, beneficiary_id: own.id }
  const { body: payout } = await bank.admin.post('/operator/pay-outs', order)
  const enqueue = () => bank.database.transaction((tx) => enqueueHold(tx, { venture_id, client_id: account.client_id }))
  await enqueue()
  await bank.runJobs()
  assert.equal(await statusOf(payout), 'RESERVED')
  await venture.process(payout, ...toReady.slice(1), 'SENT_TO_PACK', 'PACKED')
  await mark({ is_blacklisted: true })
  await assert.rejects(venture.process(payout, 'SENT_TO_CLEAR'), { code: 'client_blocked' })
  const alone = await listTransitions(venture.transfers, venture_id, payout.id, { actor: operator })
  assert.equal(alone.find(({ status }) => status === 'TO_CANCEL')?.blocked_by, 'approval_required')
  await bank.runJobs()
  assert.equal(await statusOf(payout), 'ON_HOLD')
  await venture.process(payout, 'READY_TO_CLEAR')
  await assert.rejects(venture.process(payout, 'SENT_TO_CLEAR'), { code: 'client_blocked' })
  // A fact of the scheme is booked all the same.
  const message = { sender: 'COBADEFF', kind: 'pacs.007', tx_id: payout.id }
  const debit = { ...message, venture_id, account_id: account.id, amount: '1.00', transfer_type: 'FEE', explanation: 'Costs' }
  assert.equal((await bank.admin.post('/operator/forced-debits', debit)).status, 201)
  assert.deepEqual(await venture.balances(account), ['99.00', '100.00', '-1.00'])
})

test('a transfer that moves while the service is about to hold it is held in its new status', async () => {
  const { account, payments } = await accountWith([...toReady, 'SENT_TO_PACK', 'PACKED'])
  const [packed] = payments
  const elsewhere = openTransfers(bank.database, bank.config.bank, openFirstCase)
  await freeze(account)
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', account.id, 'no key update')
  const waiting = async (count: number) => {
    const ungranted = wantsCluster()
      ? 'select distinct waiting_gpid from citus_lock_waits'
      : 'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and database is null'
    while ((await bank.owner.query(ungranted)).rows.length < count) await sleep(2)
  }
  const unpacked = venture.process(packed, 'READY_TO_CLEAR')
  await waiting(1)
  const holding = holdTransfersOf(elsewhere, { venture_id, client_id: account.client_id, account_id: account.id })
  await waiting(2)
  await bank.owner.query('commit')
  await Promise.all([unpacked, holding])
  assert.equal(await statusOf(packed), 'ON_HOLD')
})
