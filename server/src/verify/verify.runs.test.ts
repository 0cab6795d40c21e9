// Verifications that the operator starts over the API: one at a time, with progress and findings.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { Verifications } from './verify.runs.ts'

const bank = await openBank()
const runs = '/operator/verifications'
const lines: string[] = []
const log = createLog('info', { write: (line: string) => void lines.push(line) })

async function ended(id: string) {
  let run = (await bank.admin.get(`${runs}/${id}`)).body
  await eventually(async () => {
    run = (await bank.admin.get(`${runs}/${id}`)).body
    return run.status !== 'RUNNING'
  })
  return run
}

/** A run of an instance that is still verifying, or has stopped in the middle of it. */
async function plantRun(lease: string): Promise<string> {
  const id = randomUUID()
  await bank.owner.query(
    `insert into verification_runs (id, started_at, status, invariants, done, step, broken, lease_until)
     values ($1, now(), 'RUNNING', 50, 7, 'entries balance', '{}', now() + $2::interval)`,
    [id, lease],
  )
  return id
}

test('a run checks everything in the background and is listed with what it found', async () => {
  const venture = await bank.registerVenture()
  await venture.openAccount({ balance: '5.00' })
  const { status, body: started } = await bank.admin.post(runs)
  assert.equal(status, 202)
  assert.deepEqual([started.status, started.ended_at, started.done, started.broken], ['RUNNING', null, 0, []])
  const { findings, ...run } = await ended(started.id)
  assert.deepEqual([run.status, run.broken, run.step, run.detail, findings], ['DONE', [], null, null, []])
  assert.ok(run.done === run.invariants && run.invariants > 30, `${run.done} of ${run.invariants}`)
  const [listed] = (await bank.admin.get(runs)).body
  assert.deepEqual(listed, run)
  const { rows } = await bank.owner.query('select seal_number is not null as sealed from verification_runs where id = $1', [run.id])
  assert.deepEqual(rows, [{ sealed: true }])
  await assert.rejects(bank.owner.query("update verification_runs set broken = '{}' where id = $1", [run.id]), /must not|never|change/)
})

test('what is broken is named, with its meaning and with rows that show it', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '5.00' })
  await bank.owner.query('update accounts set current_balance = current_balance + 1 where id = $1', [account.id])
  const { body } = await bank.admin.post(runs)
  const { broken, findings } = await ended(body.id)
  assert.ok(broken.length > 0 && findings.length === broken.length)
  const [finding] = findings
  assert.deepEqual([finding.name, finding.violations], [broken[0], 1])
  assert.match(finding.examples[0], new RegExp(account.id))
  assert.ok(finding.meaning.length > 10)
  await bank.owner.query('update accounts set current_balance = current_balance - 1 where id = $1', [account.id])
})

test('one runs at a time; one whose instance has ended is shown as failed, and makes room', async () => {
  const running = await plantRun('1 minute')
  const { status, problem } = await bank.admin.post(runs)
  assert.deepEqual([status, problem?.code], [409, 'verification_running'])
  const shown = (await bank.admin.get(`${runs}/${running}`)).body
  assert.deepEqual([shown.status, shown.done, shown.step], ['RUNNING', 7, 'entries balance'])
  await bank.owner.query("update verification_runs set lease_until = now() - interval '1 second' where id = $1", [running])
  const abandoned = (await bank.admin.get(`${runs}/${running}`)).body
  assert.deepEqual([abandoned.status, abandoned.detail], ['FAILED', 'The instance of the service that ran it has ended.'])
  const { status: again, body } = await bank.admin.post(runs)
  assert.equal(again, 202)
  assert.equal((await ended(body.id)).status, 'DONE')
  const failed = (await bank.admin.get(`${runs}/${running}`)).body
  assert.deepEqual([failed.status, failed.detail], [abandoned.status, abandoned.detail])
})

test('a run that cannot be carried out says why, and one that is interrupted by a stop has failed', async () => {
  const threads = {
    refused: "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ failure: 'No database.' })",
    broken: "throw new Error('Out of order.')",
    silent: '0',
  }
  for (const [code, detail] of [
    [threads.refused, /No database\./],
    [threads.broken, /Out of order\./],
    [threads.silent, /ended without a result/],
  ] as const) {
    const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
    const { id } = await new Verifications({ database: bank.database, log, file }).start(3)
    const run = await ended(id)
    assert.equal(run.status, 'FAILED')
    assert.match(run.detail, detail)
  }
  const endless = new URL(
    `data:text/javascript,${encodeURIComponent(
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ progress: { done: 2, of: 3, name: 'third' } }); setInterval(() => {}, 1000)",
    )}`,
  )
  const instance = new Verifications({ database: bank.database, log, file: endless })
  const { id } = await instance.start(3)
  await eventually(async () => (await bank.admin.get(`${runs}/${id}`)).body.step === 'third')
  assert.equal((await bank.admin.get(`${runs}/${id}`)).body.done, 2)
  await instance.stop()
  const { status, detail, ended_at } = (await bank.admin.get(`${runs}/${id}`)).body
  assert.deepEqual([status, detail], ['FAILED', 'The instance of the service that ran it has ended.'])
  assert.ok(ended_at !== null)
  assert.equal((await bank.admin.get(`${runs}/${randomUUID()}`)).problem?.code, 'verification_not_found')
})
