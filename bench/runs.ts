// Measures the daily comparison of everyone with the lists: invented clients and beneficiaries against a list of invented names, alone and
// beside payments. The runs are taken by the service's own worker, on its own durable PostgreSQL.
//   npm run bench:runs
//   npm run bench:runs -- --people 50000 --names 30000 --payments 8
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { Database } from '../server/src/platform/database/database.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/src/platform/embedded/embedded.ts'
import { createLog } from '../server/src/platform/log.ts'
import { beginRuns } from '../server/src/processing/processing.runs.ts'
import { openServices } from '../server/src/services.ts'
import { makeDataFolder } from '../server/src/testing/testing.folders.ts'
import { formOf, someList } from '../server/src/testing/testing.lists.ts'
import { inventCompany, inventPerson } from '../server/src/testing/testing.names.ts'
import { SeededRandom } from '../server/src/values/seeded-random.ts'
import { makeKey } from '../server/src/ventures/ventures.keys.ts'
import { createWorker } from '../server/src/workers.ts'
import { openManagedAccounts } from './accounts.ts'
import { keepResult, machine } from './results.ts'
import { callsTo } from './setup.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '50000' },
    names: { type: 'string', default: '30000' },
    payments: { type: 'string', default: '8' },
  },
})
/** `people`: half are clients, half are beneficiaries. `payments`: how many are ordered at a time in the second run. */
const sizes = { people: Number(values.people), names: Number(values.names), payments: Number(values.payments) }

/** A million names in two hours. */
const bound_per_s = 1_000_000 / 7_200

const dataDir = makeDataFolder('bench')
const adminApiKey = makeKey('admin')
const postgres = await startEmbeddedPostgres({ dataDir })
await migrate(postgres)
const database = new Database({ url: postgres.serviceUrl })
const services = openServices({
  config: { ...readConfig({ PORT: '0' }), adminApiKey, requestLog: false },
  database,
  log: createLog('warn'),
})
const app = await createApp(services)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
services.self.listensOn(url)
services.lists.start()
services.processing.start()
const owner = new pg.Client({ connectionString: postgres.ownerUrl })
await owner.connect()
const { call, registerVenture } = callsTo(Number(new URL(url).port), adminApiKey)

const random = new SeededRandom(48)
const invent = () => (random.chance(0.7) ? inventPerson(random) : inventCompany(random))

async function publishList(): Promise<void> {
  const names = new Set<string>()
  while (names.size < sizes.names) names.add(invent())
  const list = await call(adminApiKey, 'POST', '/api/v1/operator/watchlists', { name: 'bench', format: 'OPENSANCTIONS' })
  const { payload, headers } = formOf({ list: someList(...names) })
  const path = `/api/v1/operator/watchlists/${list['id']}/versions`
  const sent = await app.inject({ method: 'POST', url: path, payload, headers: { ...headers, 'x-api-key': adminApiKey } })
  assert.equal(sent.statusCode, 201, sent.body)
  await call(adminApiKey, 'POST', `${path}/${sent.json().id}/activate`)
  await services.lists.refresh()
}

/** Copies of a client and a beneficiary, with names of their own. */
async function addPeople(venture_id: string): Promise<void> {
  // The rows are valid by construction.
  await owner.query('set session_replication_role = replica')
  const copies = [
    ['clients', "jsonb_build_object('last_name', invented, 'middle_name', null)"],
    ['beneficiaries', "jsonb_build_object('name', invented)"],
  ] as const
  for (const [table, changes] of copies)
    for (let left = sizes.people / 2; left > 0; left -= 1_000)
      await owner.query(
        `insert into ${table} select copy.* from (select * from ${table} where venture_id = $1 limit 1) one, unnest($2::text[]) as given (invented),
           jsonb_populate_record(one::${table}, jsonb_build_object('id', gen_random_uuid()) || ${changes}) copy`,
        [venture_id, Array.from({ length: Math.min(1_000, left) }, invent)],
      )
  await owner.query('vacuum analyze clients, beneficiaries')
}

type Measured = { compared: number; seconds: number; cpu_s: number; payments: number }

/** A whole run of the venture, while payments are ordered and carried out. */
async function measure(
  venture: { id: string; api_key: string },
  order: ((number: number) => Promise<void>) | undefined,
): Promise<Measured> {
  await owner.query('delete from screening_runs')
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await beginRuns(services.rescreening)
  let [payments, isOver] = [0, false]
  const paying = Array.from({ length: order === undefined ? 0 : sizes.payments }, async () => {
    while (!isOver) await order?.(payments++)
  })
  for (;;) {
    const { rows } = await owner.query('select compared, ended_at from screening_runs where venture_id = $1', [venture.id])
    if (rows[0]?.ended_at) {
      const [seconds, { user, system }] = [(performance.now() - began) / 1000, process.cpuUsage(cpu)]
      isOver = true
      await Promise.all(paying)
      return { compared: rows[0].compared, seconds, cpu_s: (user + system) / 1e6, payments }
    }
    await sleep(100)
  }
}

const worker = createWorker(services)
try {
  const venture = await registerVenture('MANAGED')
  const accounts = await openManagedAccounts({ call, postgres }, venture, 20)
  await publishList()
  await addPeople(venture.id)
  worker.start()
  // The jobs of the setup come first.
  while ((await owner.query("select from jobs where kind <> 'screening.run'")).rowCount !== 0) await sleep(200)
  const order = async (number: number) => {
    const { account_id = '', neighbour_id = '' } = accounts[number % accounts.length] ?? {}
    const body = { account_id, beneficiary_id: neighbour_id, unique_reference: `run-${number}`, debit_amount: '1.00', purpose: 'Rent' }
    await call(venture.api_key, 'POST', '/api/v1/transfers', body)
  }
  const results = { alone: await measure(venture, undefined), 'beside payments': await measure(venture, order) }
  console.log(machine)
  for (const [how, { compared, seconds, cpu_s, payments }] of Object.entries(results)) {
    const rate = compared / seconds
    console.log(
      `${how}: ${compared} names in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} a second; a million take ${(1_000_000 / rate / 60).toFixed(0)} minutes; ` +
        `CPU time of the service ${cpu_s.toFixed(1)} s${payments === 0 ? '' : `; ${(payments / seconds).toFixed(0)} payments a second`}`,
    )
  }
  await keepResult('runs.json', `${JSON.stringify({ machine, sizes, results }, undefined, 2)}\n`)
  const isMet = Object.values(results).every(({ compared, seconds }) => compared / seconds >= bound_per_s)
  console.log(`at least ${bound_per_s.toFixed(0)} a second: ${isMet ? 'met' : 'failed'}`)
  if (!isMet) process.exitCode = 1
} finally {
  await worker.stop()
  await services.processing.stop()
  await services.lists.stop()
  await app.close()
  await services.messages.close()
  await services.simulatedBank?.close()
  await owner.end()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
