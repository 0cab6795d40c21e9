// openBank(): the real application on its own real database, with ventures as fixtures. Tests call it over HTTP.
import { randomBytes, randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { createApp } from '../app.ts'
import type { Approvals } from '../audit/audit.ts'
import { type Config, readConfig } from '../config.ts'
import type { CardGateway } from '../payments/gateway/payments.gateway.ts'
import type { PayoutPolicy } from '../payments/payouts/payments.payouts.funds.ts'
import { Database } from '../platform/database/database.ts'
import { withCheck } from '../platform/distribute/distribute.checking.ts'
import type { App } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { makeSecret } from '../platform/standard-webhooks.ts'
import type { Screener } from '../processing/processing.worker.ts'
import type { FileExchange } from '../rails/rails.ts'
import { openServices, type Services } from '../services.ts'
import { makeKey } from '../ventures/ventures.keys.ts'
import type { VentureWithKey } from '../ventures/ventures.ts'
import { Sealing } from '../verify/verify.sealing.ts'
import { createCouriers, createWorker } from '../workers.ts'
import { testCases } from './testing.cases.ts'
import { somePerson } from './testing.people.ts'
import { requireListed } from './testing.refusals.ts'
import { createDatabase, findTestServer, onServers, urlOf } from './testing.server.ts'

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
export type Loose = any

export type Answer = { status: number; headers: Record<string, string | undefined>; text: string; body: Loose; problem: Loose }

export class Caller {
  readonly app: App
  readonly headers: Record<string, string>

  constructor(app: App, headers: Record<string, string>) {
    this.app = app
    this.headers = headers
  }

  async send(options: InjectOptions): Promise<Answer> {
    const answer = await this.app.inject({ ...options, headers: { ...this.headers, ...options.headers } })
    const isJson = /json/.test(String(answer.headers['content-type'])) && options.method !== 'HEAD'
    const body = isJson ? answer.json() : undefined
    const problem = answer.statusCode >= 400 ? body : undefined
    if (problem?.code !== undefined) requireListed(this.app, { method: options.method ?? 'GET', url: String(options.url) }, problem.code)
    return { status: answer.statusCode, headers: answer.headers as Answer['headers'], text: answer.body, body, problem }
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: 'GET', url: `/api/v1${path}` })
  }

  post(path: string, body?: object | string): Promise<Answer> {
    return this.#withBody('POST', path, body)
  }

  put(path: string, body?: object | string): Promise<Answer> {
    return this.#withBody('PUT', path, body)
  }

  delete(path: string): Promise<Answer> {
    return this.send({ method: 'DELETE', url: `/api/v1${path}` })
  }

  /** A body given as text is sent unchanged, so that a test can send what no serializer would write. */
  #withBody(method: 'POST' | 'PUT', path: string, body: object | string | undefined): Promise<Answer> {
    const url = `/api/v1${path}`
    if (body === undefined) return this.send({ method, url })
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send({ method, url, payload, headers: { 'content-type': 'application/json' } })
  }
}

export class VentureCaller extends Caller {
  readonly venture: VentureWithKey

  constructor(app: App, venture: VentureWithKey) {
    super(app, { 'x-api-key': venture.api_key })
    this.venture = venture
  }

  async registerClient(changes: object = {}): Promise<Loose> {
    const { status, body, text } = await this.post('/clients/person', somePerson(changes))
    if (status !== 201) throw new Error(`no client: ${text}`)
    return body
  }

  /** An active, funded account of a client who needs no verification. */
  async openAccount({
    balance,
    client_id,
    ...changes
  }: {
    balance?: string
    client_id?: string
    [field: string]: unknown
  } = {}): Promise<Loose> {
    const owner = client_id ?? (await this.registerClient({ kyc_level: 'NOT_REQUIRED' })).id
    const account = await this.#made('/accounts', {
      client_id: owner,
      account_name: 'Main',
      account_type: 'CURRENT',
      currency: 'EUR',
      ...changes,
    })
    await this.#made(`/accounts/${account.id}/activate`)
    if (balance !== undefined) await this.deposit(account.id, balance)
    return (await this.get(`/accounts/${account.id}`)).body
  }

  deposit(account_id: string, amount: string): Promise<Loose> {
    return this.#made(`/sandbox/accounts/${account_id}/deposits`, { amount })
  }

  /** A beneficiary in Germany, unless changed. */
  addBeneficiary(client_id: string, changes: object = { iban: 'DE89370400440532013000' }): Promise<Loose> {
    return this.#made('/beneficiaries', { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', ...changes })
  }

  createTransfer(order: object): Promise<Loose> {
    return this.#made('/transfers', { unique_reference: randomUUID(), ...order })
  }

  /** The current, reserved and available balance of an account. */
  async balances({ id }: { id: string }): Promise<string[]> {
    const { body } = await this.get(`/accounts/${id}`)
    return [body.current_balance, body.reserved_balance, body.available_balance]
  }

  async #made(path: string, body?: object): Promise<Loose> {
    const answer = await this.post(path, body)
    if (answer.status >= 400) throw new Error(`POST ${path}: ${answer.text}`)
    return answer.body
  }
}

export type Bank = {
  app: App
  config: Config
  database: Database
  /** Connects as the owner of the tables, for direct access to the database. */
  owner: pg.Client
  logLines: string[]
  admin: Caller
  approvals: Approvals
  /** The watch lists of the instance. No list is loaded until a test calls `refresh`. */
  lists: Services['lists']
  rescreening: Services['rescreening']
  stranger: Caller
  registerVenture(name?: string): Promise<VentureCaller>
  /** Makes the application listen, so that its parts can reach each other over HTTP as in production. */
  listen(): Promise<string>
  /** Runs due jobs, and the jobs that they enqueue, until there are none. */
  runJobs(): Promise<void>
  /** Takes transfers that the bank processes as far as possible. */
  runProcessing(): Promise<void>
  /** Takes payments out of the bank as far as possible, if there is a file exchange. */
  runSending(): Promise<void>
  /** Reads and applies what other banks have sent, if there is a file exchange. */
  runInbox(): Promise<void>
  services: Services
  /** Delivers events to webhook endpoints until nothing is due. */
  runDeliveries(options?: { afterOthers?: boolean }): Promise<void>
  /** Seals everything that has been committed. */
  seal(): Promise<void>
  /** Waits for all transactions that are running on the whole server: those of other test files also hide events from followers. */
  othersEnded(): Promise<void>
  /** The types of a venture's events, in order. */
  eventTypes(venture: VentureCaller): Promise<string[]>
  /** The balances of the venture's system accounts, without zeros. */
  systemBalances(caller: VentureCaller): Promise<Record<string, string>>
  /** Violations of the invariants of journals, balances, holds, suspense and card money; empty if there are none. */
  wrongBooks(): Promise<object[]>
  /** The number of rows of a table. */
  count(table: string): Promise<number>
  /** Another instance of the service on the same database. */
  openInstance(config?: Partial<Config>): Promise<App>
}

type Replacements = {
  /** Replaces the card gateway of the settings. */
  gateway?: CardGateway
  /** Replaces the bank's policy. */
  policy?: PayoutPolicy
  /** Replaces the comparison with watch lists. By default, no name is on a list. */
  screener?: Screener
  /** The exchange with the clearing system. By default, the small one of the sandbox confirms everything. */
  files?: FileExchange | 'simulated bank'
}

const nobodyListed: Screener = {
  screen: async (transfers) => transfers.map(() => ({ outcome: 'CLEAR', companions: [] })),
  screenArriving: async () => ({ code: undefined, companions: [] }),
}

export async function openBank(
  changes: Partial<Config> = {},
  { gateway, policy, screener = nobodyListed, files }: Replacements = {},
): Promise<Bank> {
  const server = findTestServer()
  const name = `vostro_test_${randomBytes(8).toString('hex')}`
  await onServers(server, (client) => createDatabase(client, name, server.template))
  const owner = new pg.Client({ connectionString: urlOf(server.ownerUrl, name) })
  await owner.connect()

  const config: Config = {
    // On a busy machine everything takes longer, and no test may fail because of that. All requests come from one address.
    ...readConfig({ PORT: '0', DATABASE_WAIT_MS: '60000', PAY_PAGE_LIMIT_PER_MINUTE: '1000000', CONSOLE_URL: 'http://localhost:8080' }),
    signInLimitFactor: 1_000_000,
    // Rows that are written some time after a request would disturb tests that compare everything that is stored.
    requestLog: false,
    adminApiKey: makeKey('admin'),
    kycApiKey: makeKey('kyc'),
    metricsApiKey: randomBytes(32).toString('hex'),
    kycWebhookSecrets: [makeSecret()],
    ...changes,
  }
  const logLines: string[] = []
  const log = createLog('info', { write: (line: string) => void logLines.push(line) })
  const closing: (() => Promise<unknown>)[] = []
  const open = async (more: Partial<Config> = {}) => {
    const settings = { ...config, ...more }
    const { databasePoolSize: poolSize, databaseListPoolSize: listPoolSize, databaseWait_ms: wait_ms } = settings
    const database = new Database({ url: urlOf(server.serviceUrl, name), poolSize, listPoolSize, wait_ms })
    if (server.workerUrls !== undefined) await database.findPlacement()
    const services = openServices({
      config: settings,
      database,
      log,
      screener,
      files: files === 'simulated bank' ? undefined : (files ?? null),
    })
    if (gateway !== undefined) services.payments = { ...services.payments, gateway }
    if (policy !== undefined) services.payouts = { ...services.payouts, policyOf: async () => policy }
    services.cases.handlers = { ...services.cases.handlers, ...testCases(database) }
    const app = await createApp(services)
    await app.ready()
    closing.push(async () => {
      await services.lists.stop()
      await services.verifications.stop()
      await services.messages.close()
      await services.simulatedBank?.close()
      await services.payees.directory?.close?.()
      await app.close()
      await database.close()
    })
    return { app, database, services }
  }
  const { app, database, services } = await open()
  const worker = createWorker(services)
  const couriers = createCouriers(services)
  closing.unshift(() => couriers.stop())
  const admin = new Caller(app, { authorization: `Bearer ${config.adminApiKey}` })
  // Every server of a cluster has its own transactions.
  const allEnded = () => (server.workerUrls === undefined ? othersEnded(owner) : onServers(server, othersEnded))

  after(async () => {
    for (const close of closing) await close()
    await owner.end()
    await onServers(server, (client) => client.query(`drop database ${name} with (force)`))
  })

  return {
    app,
    config,
    database,
    owner,
    logLines,
    admin,
    approvals: services.approvals,
    lists: services.lists,
    rescreening: services.rescreening,
    stranger: new Caller(app, {}),
    async registerVenture(name = 'Acme') {
      const { status, body, text } = await admin.post('/ventures', { name })
      if (status !== 201) throw new Error(`no venture: ${text}`)
      return new VentureCaller(app, body)
    },
    async eventTypes({ venture }) {
      const { rows } = await owner.query('select type from events where venture_id = $1 order by id', [venture.id])
      return rows.map(({ type }) => type)
    },
    async systemBalances({ venture }) {
      const { rows } = await owner.query(
        `select system_account, sum(amount)::text as sum from entries where venture_id = $1 and system_account is not null
         group by system_account having sum(amount) <> 0`,
        [venture.id],
      )
      return Object.fromEntries(rows.map(({ system_account, sum }) => [system_account, sum]))
    },
    async wrongBooks() {
      return withCheck(owner, (check) => check({ text: wrongBooks, values: [] }))
    },
    async count(table) {
      const { rows } = await owner.query(`select count(*)::int as count from ${pg.escapeIdentifier(table)}`)
      return rows[0].count
    },
    async listen() {
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      services.self.listensOn(url)
      return url
    },
    runJobs: () => worker.runDue(),
    runProcessing: () => services.processing.runDue(),
    runSending: () => services.sending.runDue(),
    runInbox: async () => services.inbox?.runDue(),
    services,
    async runDeliveries({ afterOthers = true } = {}) {
      if (afterOthers) await allEnded()
      await couriers.runDue()
    },
    async seal() {
      await allEnded()
      await new Sealing({ database, log, anchors: services.anchors, every_ms: 60_000 }).runDue()
    },
    othersEnded: allEnded,
    openInstance: async (more) => (await open(more)).app,
  }
}

const wrongBooks = `
  select 'debt is not what is missing' as wrong, id from accounts where debt <> greatest(0, reserved_balance - current_balance)
  union all select 'receivables are not the open breaks', venture_id from (
    select venture_id, currency, amount from entries where system_account like 'receivable:%' or system_account like 'breaks:%'
    union all select venture_id, currency, amount from breaks where status = 'OPEN' and kind in ('FORCED_DEBIT', 'LATE_SETTLEMENT')) as owed
    group by venture_id, currency having sum(amount) <> 0
  union all
  select 'a journal is not balanced' as wrong, journal_id as id from entries group by venture_id, journal_id, currency having sum(amount) <> 0
  union all select 'current is not the sum of entries', id from accounts
    where current_balance <> (select coalesce(sum(amount), 0) from entries where account_id = accounts.id)
  union all select 'reserved is not the sum of holds', id from accounts
    where reserved_balance <> (select coalesce(sum(hold), 0) from transfers where account_id = accounts.id)
  union all select 'suspense is not what is suspended', venture_id from (
    select venture_id, currency, amount from entries where system_account like 'suspense:%'
    union all select venture_id, debit_currency, -suspended from transfers
    union all select venture_id, currency, -amount from unapplied_payments where status = 'OPEN') as lying
    group by venture_id, currency having sum(amount) <> 0
  union all select 'a card payment is not booked', id from payments
    where case when status in ('PAID', 'REFUNDED') then amount else 0 end - refunded_amount <> (
      select coalesce(sum(amount), 0) from entries where cause_kind = 'payment' and cause_id = payments.id and system_account like 'payable:%')
  union all select 'payable is not what is booked less what was paid out', venture_id from (
    select venture_id, currency, amount from entries where system_account like 'payable:%' and cause_kind <> 'payment'
    union all select venture_id, currency, amount from payouts) as paid
    group by venture_id, currency having sum(amount) <> 0`

async function othersEnded(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query('select pg_snapshot_xmax(pg_current_snapshot())::text as begun')
  for (;;) {
    const { rows: now } = await owner.query('select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended', [rows[0].begun])
    if (now[0].ended) return
    await sleep(5)
  }
}
