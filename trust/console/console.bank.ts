// Banks for console tests: one filled by the demo and an empty one, each with people of every role.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Config, readConfig } from '../../server/src/config.ts'
import { aheadBy_s } from '../../server/src/platform/clock.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { createDatabase, findTestServer, urlOf } from '../../server/src/testing/testing.server.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'

// biome-ignore lint/suspicious/noExplicitAny: readers of a response know its shape.
type Loose = any

export type Role = 'bank admin' | 'bank operator' | 'bank auditor' | 'venture admin' | 'venture operator' | 'venture viewer'
export type Credentials = { email: string; password: string }

export const password = 'seven quiet rivers 42'

export class ConsoleBank {
  readonly origin: string
  /** The venture that the pages are about. */
  readonly venture: string
  readonly people: Readonly<Record<Role, Credentials>>
  readonly #adminKey: string
  readonly #owner: pg.Client
  readonly #stop: () => Promise<void>

  private constructor(
    origin: string,
    found: { venture: string; people: Record<Role, Credentials>; adminKey: string; owner: pg.Client; stop: () => Promise<void> },
  ) {
    this.origin = origin
    this.venture = found.venture
    this.people = found.people
    this.#adminKey = found.adminKey
    this.#owner = found.owner
    this.#stop = found.stop
  }

  static async open({ demo, changes = {} }: { demo: 'full' | 'small' | undefined; changes?: Partial<Config> }): Promise<ConsoleBank> {
    const server = findTestServer()
    const name = `vostro_test_${randomBytes(8).toString('hex')}`
    const creator = new pg.Client({ connectionString: server.ownerUrl })
    await creator.connect()
    await createDatabase(creator, name, server.template)
    const owner = new pg.Client({ connectionString: urlOf(server.ownerUrl, name) })
    await owner.connect()
    const adminKey = makeKey('admin')
    const config: Config = {
      ...readConfig({
        DATABASE_URL: urlOf(server.serviceUrl, name),
        MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, name),
        ADMIN_API_KEY: adminKey,
        SANDBOX: 'true',
        PORT: '0',
        LOG_LEVEL: 'silent',
        DATABASE_WAIT_MS: '60000',
        REQUEST_LOG: 'on',
      }),
      signInLimitFactor: 1_000_000,
      demoSize: demo ?? 'small',
      ...changes,
    }
    // The clock of this process cannot go back, so each bank starts where the previous one ended.
    await owner.query('update test_clock set ahead_s = $1', [aheadBy_s()])
    let service: Service | undefined
    const stop = async () => {
      await service?.stop()
      await owner.end()
      await creator.query(`drop database ${name} with (force)`)
      await creator.end()
    }
    try {
      // Before four-eyes approval was turned on.
      service = await startService({ ...config, fourEyes: false })
      const { venture, people } = await settle(config.consoleUrl ?? service.url, { adminKey, demo })
      await service.stop()
      service = await startService({ ...config, fourEyes: true })
      const bank = new ConsoleBank(config.consoleUrl ?? service.url, { venture, people, adminKey, owner, stop })
      if (demo !== undefined) await bank.#addWhatTheDemoLacks()
      return bank
    } catch (error) {
      await stop()
      throw error
    }
  }

  /** A card payment and a link of this venture, something that waits for a second person, and a verification. */
  async #addWhatTheDemoLacks(): Promise<void> {
    await this.post(
      '/payments',
      { amount: '12.50', currency: 'EUR', order_ref: 'CONSOLE-1', success_url: this.origin, fail_url: this.origin },
      this.venture,
    )
    await this.#addToCases()
    await this.post('/payment-links', { amount: '30.00', currency: 'EUR', description: 'A chair' }, this.venture)
    const admin = await this.signIn('bank admin')
    await admin('PUT', `/ventures/${this.venture}/policy`, { payout_delay_days: 5 })
    const { id } = await this.post('/operator/verifications', {})
    await eventually(async () => (await this.get(`/operator/verifications/${id}`)).status !== 'RUNNING')
  }

  /** A case with a note, a file, a link and a question that the venture has answered, and another question. */
  async #addToCases(): Promise<void> {
    const operator = await this.signIn('bank operator')
    const [other] = await this.get('/operator/cases?state=OPEN&limit=1')
    const [account] = await this.get('/accounts?limit=1', this.venture)
    const about = { venture_id: this.venture, about: 'account', resource_id: account.id }
    const { id } = await operator('POST', '/operator/cases', { ...about, reason: 'A letter of the tax office.' })
    const path = `/operator/cases/${id}`
    await operator('POST', `${path}/notes`, { text: 'Called the branch: the client has lived at this address since 2019.' })
    await operator('POST', `${path}/links`, { other_case_id: other.id })
    const form = new FormData()
    form.append('file', new Blob(['The contract says so.'], { type: 'text/plain' }), 'contract.txt')
    const headers = { authorization: `Bearer ${this.#adminKey}` }
    const sent = await fetch(`${this.origin}/api/v1${path}/files`, { method: 'POST', headers, body: form })
    if (!sent.ok) throw new Error(`no file: ${await sent.text()}`)
    const ask = (text: string) => operator('POST', `${path}/questions`, { text, due_on: '2099-11-20' })
    const { id: asked } = await ask('What was the payment of 3 November for?')
    const venture = await this.signIn('venture admin')
    await venture('POST', `/questions/${asked}/answer`, { answer: 'The rent for November.' }, this.venture)
    await ask('Since when does the client rent out the flat?')
  }

  /** Calls with a person's session. */
  async signIn(role: Role): Promise<(method: string, path: string, body?: object, venture?: string) => Promise<Loose>> {
    const fromConsole = { origin: this.origin, 'x-vostro-console': '1' }
    const answer = await fetch(`${this.origin}/api/v1/session`, {
      method: 'POST',
      headers: { ...fromConsole, 'content-type': 'application/json' },
      body: JSON.stringify(this.people[role]),
    })
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    return (method, path, body, venture) =>
      call(this.origin, {
        method,
        path,
        body,
        headers: { ...fromConsole, cookie, ...(venture !== undefined && { 'vostro-venture': venture }) },
      })
  }

  /** The API's response to the bank, for a venture if given. */
  get(path: string, venture?: string): Promise<Loose> {
    return this.#ask('GET', path, undefined, venture)
  }

  post(path: string, body: object, venture?: string): Promise<Loose> {
    return this.#ask('POST', path, body, venture)
  }

  /** Uses the link of an invitation. */
  accept(link: { url: string }, more: { name: string }): Promise<void> {
    return accept(this.origin, link, more)
  }

  query(statement: string, values: unknown[] = []): Promise<Loose[]> {
    return this.#owner.query(statement, values).then(({ rows }) => rows)
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  #ask(method: string, path: string, body: object | undefined, venture: string | undefined): Promise<Loose> {
    const headers = { authorization: `Bearer ${this.#adminKey}`, ...(venture !== undefined && { 'vostro-venture': venture }) }
    return call(this.origin, { method, path, body, headers })
  }
}

/** Fills the bank, and invites a person for each role. */
async function settle(
  origin: string,
  { adminKey, demo }: { adminKey: string; demo: 'full' | 'small' | undefined },
): Promise<{ venture: string; people: Record<Role, Credentials> }> {
  const headers = { authorization: `Bearer ${adminKey}` }
  const send: Send = (method, path, body) => call(origin, { method, path, body, headers })
  if (demo === undefined) await send('POST', '/ventures', { name: 'Empty Shelves' })
  else {
    await fill(send)
    for (const scope of ['payees', 'lists', 'metrics']) await send('POST', '/operator/keys', { name: `The ${scope} connector`, scope })
  }
  const ventures: Loose[] = await send('GET', '/ventures')
  const { id: venture } = ventures.find(({ control }) => control === 'MANAGED') ?? ventures[0]
  return { venture, people: await invite(origin, { adminKey, venture }) }
}

type Send = (method: string, path: string, body?: object) => Promise<Loose>

async function fill(send: Send): Promise<void> {
  await send('POST', '/sandbox/demo', { seed: 1 })
  let run: Loose
  await eventually(async () => {
    run = await send('GET', '/sandbox/demo')
    return run.status !== 'RUNNING'
  })
  if (run.status !== 'DONE') throw new Error(`the demo bank was not filled: ${run.detail}`)
}

async function invite(origin: string, { adminKey, venture }: { adminKey: string; venture: string }): Promise<Record<Role, Credentials>> {
  const people: Partial<Record<Role, Credentials>> = {}
  const byAdmin = { authorization: `Bearer ${adminKey}` }
  for (const [role, path, headers] of [
    ...(['admin', 'operator', 'auditor'] as const).map((one) => [`bank ${one}`, '/operator/users', byAdmin] as const),
    ...(['admin', 'operator', 'viewer'] as const).map(
      (one) => [`venture ${one}`, '/venture/users', { ...byAdmin, 'vostro-venture': venture }] as const,
    ),
  ]) {
    const email = `${role.replace(' ', '.')}@bank.example`
    const body = { email, role: role.split(' ')[1] }
    const link = await call(origin, { method: 'POST', path, body, headers })
    await accept(origin, link, { name: role.replace(/^./, (first) => first.toUpperCase()) })
    people[role as Role] = { email, password }
  }
  return people as Record<Role, Credentials>
}

async function accept(origin: string, link: { url: string }, more: { name: string }): Promise<void> {
  const body = { secret: new URL(link.url).hash.slice(1), password, ...more }
  await call(origin, { method: 'POST', path: '/session/links', body, headers: { origin, 'x-vostro-console': '1' } })
}

type Request = { method: string; path: string; body?: object | undefined; headers: Record<string, string> }

async function call(origin: string, { method, path, body, headers }: Request): Promise<Loose> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
