// Starts the service with the demo bank in it: fills a new data folder, or continues with one that was filled before.
//   npm run demo
//   npm run demo -- --seed 7
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { start } from './instances.ts'
import { loadEnvFile } from './platform/config.ts'
import { scopes } from './platform/http/access.ts'
import { callPartner } from './platform/outgoing/partner.ts'
import { barOf, redraw } from './platform/progress.ts'
import { keepSecret } from './platform/secrets.ts'
import { StartupError } from './platform/startup-error.ts'
import { stopSignal } from './platform/stop-signal.ts'
import type { DemoRunShown } from './sandbox/demo/sandbox.demo.schemas.ts'
import type { Service } from './service.ts'

const help = `Starts Vostro with a bank full of invented data, in ./demo-data (or DATA_DIR).

  npm run demo                  fills the folder, about a minute, or continues with it
  npm run demo -- --seed 7      another bank, in a folder that has not been filled yet

Another port: PORT=8137 npm run demo. To start again, stop it and delete the folder.`

const poll_ms = 250
const email = 'you@demo.example'

/** What newcomers need to look around. It is created once and kept in the data folder. */
type SignIn = { email: string; password: string; keys: { venture: string; control: string; key: string }[] }

class DemoBank {
  readonly #url: string
  readonly #origin: string
  readonly #key: string

  constructor({ url }: Service, { publicUrl, consoleUrl }: Config, key: string) {
    this.#url = url
    this.#origin = new URL(consoleUrl ?? publicUrl).origin
    this.#key = key
  }

  /** The existing run; undefined if there is none. */
  async find(): Promise<DemoRunShown | undefined> {
    const { status, body } = await this.#send('GET', '/sandbox/demo')
    return status === 404 ? undefined : (body as DemoRunShown)
  }

  start(seed: number | undefined): Promise<DemoRunShown> {
    return this.#accepted('POST', '/sandbox/demo', { ...(seed !== undefined && { seed }) })
  }

  /** Creates an admin of the bank, and a key for each venture. */
  async makeSignIn(): Promise<SignIn> {
    const { url } = await this.#accepted<{ url: string }>('POST', '/operator/users/set-up')
    const password = randomBytes(12).toString('base64url')
    await this.#accepted('POST', '/session/links', { secret: new URL(url).hash.slice(1), email, name: 'You', password }, 'console')
    const ventures = await this.#accepted<{ id: string; name: string; control: string }[]>('GET', '/ventures')
    const keys: SignIn['keys'] = []
    for (const { id, name, control } of ventures) {
      const { api_key } = await this.#accepted<{ api_key: string }>('POST', `/ventures/${id}/keys`, { name: 'Demo', scopes })
      keys.push({ venture: name, control, key: api_key })
    }
    return { email, password, keys }
  }

  async #accepted<Body>(method: 'GET' | 'POST', path: string, body?: object, by: 'key' | 'console' = 'key'): Promise<Body> {
    const answer = await this.#send(method, path, body, by)
    if (answer.status >= 400)
      throw new StartupError(`The service refused ${method} ${path}: ${(answer.body as { detail?: string }).detail}`)
    return answer.body as Body
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    by: 'key' | 'console' = 'key',
  ): Promise<{ status: number; body: unknown }> {
    const caller = by === 'key' ? { authorization: `Bearer ${this.#key}` } : { origin: this.#origin, 'x-vostro-console': '1' }
    const { status, bytes } = await callPartner(`${this.#url}/api/v1${path}`, {
      method,
      headers: { ...caller, ...(body && { 'content-type': 'application/json' }) },
      timeout_ms: 60_000,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status, body: JSON.parse(Buffer.from(bytes).toString()) }
  }
}

const stopRequested = stopSignal()
try {
  const seed = readSeed()
  loadEnvFile()
  const config = readConfig()
  if (config.databaseUrl !== undefined)
    throw new StartupError('npm run demo uses its own database: unset DATABASE_URL, or fill your database with POST /api/v1/sandbox/demo.')
  console.log(`Starting Vostro in ${config.dataDir}.`)
  const service = await start(config)
  // While the bank is being filled.
  service.buildConsole()
  try {
    const bank = new DemoBank(service, config, service.adminKey?.value ?? config.adminApiKey ?? '')
    const run = await filled(bank, seed)
    const signIn = await keepSignIn(config, bank)
    announce(service, run, signIn)
    await stopRequested
  } finally {
    await service.stop()
  }
  process.exit(0)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}

function readSeed(): number | undefined {
  try {
    const { values } = parseArgs({ options: { seed: { type: 'string' }, help: { type: 'boolean' } } })
    if (values.help) {
      console.log(help)
      process.exit(0)
    }
    if (values.seed === undefined) return undefined
    if (!/^\d{1,9}$/.test(values.seed)) throw new Error(`--seed must be a whole number, not ${JSON.stringify(values.seed)}.`)
    return Number(values.seed)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

/** Fills the service unless it is already full, and shows the progress. */
async function filled(bank: DemoBank, seed: number | undefined): Promise<DemoRunShown> {
  let run = await bank.find()
  if (run?.status === 'DONE') {
    if (seed !== undefined && seed !== run.seed)
      throw new StartupError(`The folder contains the demo bank with the seed ${run.seed}: delete it, or set DATA_DIR to another folder.`)
    return run
  }
  run = await bank.start(seed)
  const isTerminal = process.stderr.isTTY
  if (!isTerminal) console.log('Filling it with the demo bank.')
  while (run.status === 'RUNNING') {
    if (isTerminal) redraw(`${barOf({ done: run.done, of: Math.max(1, run.total) })} ${run.step}`)
    await Promise.race([
      sleep(poll_ms),
      stopRequested.then(() => Promise.reject(new StartupError('Stopped before the bank was full: delete the folder to start again.'))),
    ])
    run = (await bank.find()) as DemoRunShown
  }
  if (isTerminal) redraw('')
  if (run.status === 'FAILED') throw new StartupError(`The demo bank could not be created: ${run.detail}`)
  return run
}

async function keepSignIn({ dataDir }: Config, bank: DemoBank): Promise<SignIn> {
  const name = 'demo-sign-in'
  const made = existsSync(join(dataDir, name)) ? '' : JSON.stringify(await bank.makeSignIn())
  return JSON.parse((await keepSecret(dataDir, name, () => made)).value)
}

function announce({ url, adminKey }: Service, { seed, digest }: DemoRunShown, { email, password, keys }: SignIn): void {
  const width = Math.max(...keys.map(({ venture }) => venture.length))
  const lines = [
    '',
    `  API          ${url}/api/v1`,
    `  Console      ${url}/console/`,
    `  Reference    ${url}/docs`,
    `  Sign-in      ${email} with ${password}, an admin of the bank`,
    ...(adminKey ? [`  Admin key    ${adminKey.value}`] : []),
    '',
    ...keys.map(({ venture, control, key }) => `  ${venture.padEnd(width)}  ${control.padEnd(7)}  ${key}`),
    '',
    `The demo bank of the seed ${seed} (digest ${digest?.slice(0, 12)}). Its clock is about 90 days ahead.`,
    `Vostro is ready on ${url}`,
  ]
  console.log(lines.join('\n'))
}
