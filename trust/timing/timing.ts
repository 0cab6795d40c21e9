// Whether the time of a refused sign-in tells if an email is known: measures many wrong passwords for known and unknown emails, in random order, over
// real connections, and compares the two with statistical tests. Fails if they can be told apart.
//
//   npm run timing                       400 sign-ins of each kind
//   npm run timing -- --count 2000       more of them
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { makeSecret } from '../../server/src/platform/standard-webhooks.ts'
import { openServices } from '../../server/src/services.ts'
import { startServer } from '../../server/src/testing/testing.servers.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { compare, type Samples } from './timing.statistics.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '400' } } })
const count = Number(values.count)
if (!Number.isInteger(count) || count < 50) throw new Error('--count must be a whole number of at least 50')

const origin = 'http://localhost:8080'
const headers = { origin, 'x-vostro-console': '1', 'content-type': 'application/json' }
const people = 20
const alone = { password: 'seven quiet rivers 42' }

const server = await startServer('timing')
try {
  await migrate({ ownerUrl: server.ownerUrl, serviceUrl: server.serviceUrl })
  const config = {
    ...readConfig({ PORT: '0', CONSOLE_URL: origin, SANDBOX: 'true' }),
    adminApiKey: makeKey('admin'),
    kycApiKey: makeKey('kyc'),
    kycWebhookSecrets: [makeSecret()],
    signInLimitFactor: 1_000_000,
    requestLog: false,
  }
  const database = new Database({ url: server.serviceUrl })
  const app = await createApp(openServices({ config, database, log: createLog('silent') }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const known = await register(url, config.adminApiKey)
    const samples = await measure(url, known)
    process.exitCode = report(samples)
  } finally {
    await app.close()
    await database.close()
  }
} finally {
  await server.stop()
}

async function send(url: string, path: string, body: object, more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
}

/** People with a password. */
async function register(url: string, adminKey: string): Promise<string[]> {
  const emails: string[] = []
  for (let index = 0; index < people; index++) {
    const email = emailOf()
    const invited = await send(url, '/operator/users', { email, role: 'auditor' }, { 'x-api-key': adminKey })
    const { url: link } = (await invited.json()) as { url: string }
    const used = await send(url, '/session/links', { secret: new URL(link).hash.slice(1), name: 'Somebody', ...alone })
    if (used.status !== 200) throw new Error(`nobody could be registered: ${await used.text()}`)
    emails.push(email)
  }
  return emails
}

/** All emails have the same length. */
function emailOf(): string {
  return `person-${String(randomInt(1e9)).padStart(9, '0')}@example.com`
}

/** In random order and one at a time, so that whatever else slows the machine down slows both kinds alike. */
async function measure(url: string, known: readonly string[]): Promise<Samples> {
  const unknown = Array.from({ length: people }, emailOf)
  const samples: Samples = { known: [], unknown: [] }
  const order = Array.from({ length: 2 * count }, (_, index) => (index % 2 === 0 ? ('known' as const) : ('unknown' as const)))
  for (let at = order.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    const [one, two] = [order[at], order[other]]
    if (one !== undefined && two !== undefined) [order[at], order[other]] = [two, one]
  }
  for (const [index, kind] of [...order.slice(0, 20), ...order].entries()) {
    const emails = kind === 'known' ? known : unknown
    const start = performance.now()
    const answer = await send(url, '/session', { email: emails[randomInt(people)], password: 'another password 17' })
    await answer.arrayBuffer()
    const time_ms = performance.now() - start
    if (answer.status !== 401) throw new Error(`a wrong password was answered with ${answer.status}`)
    // The first ones warm up.
    if (index >= 20) samples[kind].push(time_ms)
  }
  return samples
}

function report(samples: Samples): number {
  const { known, unknown, differs, ...tests } = compare(samples)
  console.log(`known emails:   median ${known.median.toFixed(2)} ms, mean ${known.mean.toFixed(2)} ms, n = ${samples.known.length}`)
  console.log(`unknown emails: median ${unknown.median.toFixed(2)} ms, mean ${unknown.mean.toFixed(2)} ms, n = ${samples.unknown.length}`)
  console.log(`rank test: z = ${tests.rank_z.toFixed(2)}; t test on the middle 90 %: t = ${tests.trimmed_t.toFixed(2)}`)
  console.log(differs ? 'The times differ by more than noise.' : 'The times differ by less than noise.')
  return differs ? 1 : 0
}
