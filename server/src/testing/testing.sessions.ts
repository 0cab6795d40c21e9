// People who sign in as a browser does: with the cookie, the origin and the header of the console.
import { randomBytes } from 'node:crypto'
import type { BankRole, VentureRole } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { Authenticator } from './testing.passkeys.ts'
import { type Answer, type Bank, Caller } from './testing.ts'

/** CONSOLE_URL of every test bank. */
export const consoleOrigin = 'http://localhost:8080'

export const consoleHeaders = { origin: consoleOrigin, 'x-vostro-console': '1' }

export const goodPassword = 'seven quiet rivers 42'

export type Person = { user_id: string; email: string; password: string }

/** A signed-in person, acting for a venture if one is given. */
export class PersonCaller extends Caller {
  readonly person: Person
  readonly token: string

  constructor(app: App, { person, token, venture_id }: { person: Person; token: string; venture_id?: string | undefined }) {
    super(app, { ...consoleHeaders, cookie: `vostro=${token}`, ...(venture_id === undefined ? {} : { 'vostro-venture': venture_id }) })
    this.person = person
    this.token = token
  }

  get id(): string {
    return this.person.user_id
  }

  /** The same session with other headers, or without some. */
  with(changes: Record<string, string | undefined>): Caller {
    const headers = Object.entries({ ...this.headers, ...changes }).filter((header): header is [string, string] => header[1] !== undefined)
    return new Caller(this.app, Object.fromEntries(headers))
  }

  actingFor(venture_id: string): Caller {
    return this.with({ 'vostro-venture': venture_id })
  }
}

export function someEmail(): string {
  return `person-${randomBytes(8).toString('hex')}@example.com`
}

/** What the browser keeps from a response. */
export function tokenIn({ headers }: Answer): string {
  return /^(?:__Host-)?vostro=([^;]*)/.exec([headers['set-cookie'] ?? ''].flat().join())?.[1] ?? ''
}

export function secretIn(link: { url: string }): string {
  return new URL(link.url).hash.slice(1)
}

export function consoleOf(bank: Bank): Caller {
  return new Caller(bank.app, consoleHeaders)
}

/** A link that two people have created works only with both parts. */
export type TestLink = { url: string; code?: string }

/** What the browser sends for a link. */
export function partsOf(link: TestLink): { secret: string; code?: string } {
  return { secret: secretIn(link), ...(link.code === undefined ? {} : { code: link.code }) }
}

/** Uses a link as a new person. */
export async function acceptLink({ app }: Pick<Bank, 'app'>, link: TestLink, changes: object = {}): Promise<Person> {
  const { email = '' } = changes as { email?: string }
  const answer = await new Caller(app, consoleHeaders).post('/session/links', {
    ...partsOf(link),
    name: 'Grace Hopper',
    password: goodPassword,
    ...changes,
  })
  if (answer.status !== 200) throw new Error(`the link was refused: ${answer.text}`)
  return { user_id: answer.body.user_id, email: answer.body.email || email, password: goodPassword }
}

export async function signIn(bank: Bank, person: Person, venture_id?: string): Promise<PersonCaller> {
  const answer = await consoleOf(bank).post('/session', { email: person.email, password: person.password })
  if (answer.status !== 200) throw new Error(`the sign-in was refused: ${answer.text}`)
  return new PersonCaller(bank.app, { person, token: tokenIn(answer), venture_id })
}

/**
 * The same person with a passkey, in a session that has used it. All other sessions of the person have ended. Outside the sandbox, people
 * of the bank, and people of ventures who may do more than read, can do nothing without it.
 */
export async function enrol(caller: PersonCaller, device: Authenticator = new Authenticator(consoleOrigin)): Promise<PersonCaller> {
  const options = await caller.post('/session/passkeys/options')
  const answer = await caller.post('/session/passkeys', { name: 'Laptop', credential: device.create(options.body ?? {}) })
  if (answer.status !== 201) throw new Error(`the passkey was refused: ${answer.text}`)
  return withToken(caller, tokenIn(answer))
}

/** Signs in with an already registered passkey, in another browser. */
export async function signInWithPasskey(bank: Bank, caller: PersonCaller, device: Authenticator): Promise<PersonCaller> {
  const answer = await consoleOf(bank).post('/session/passkey', { credential: device.get(await challengeOf(consoleOf(bank))) })
  if (answer.status !== 200) throw new Error(`the sign-in was refused: ${answer.text}`)
  return withToken(caller, tokenIn(answer))
}

/** What a passkey signs. */
export async function challengeOf(caller: Caller): Promise<{ challenge: string }> {
  return (await caller.post('/session/passkey/options')).body
}

/** Another session of the same person, acting for the same venture. */
export function withToken({ app, person, headers }: PersonCaller, token: string): PersonCaller {
  return new PersonCaller(app, { person, token, venture_id: headers['vostro-venture'] })
}

/** A signed-in person of a venture whom nobody at the bank has invited. */
export async function openMember(bank: Bank, venture_id: string, role: VentureRole): Promise<PersonCaller> {
  const app = await withoutFourEyes(bank)
  const operator = new Caller(app, { ...bank.admin.headers, 'vostro-venture': venture_id })
  const invited = await operator.post('/venture/users', { email: someEmail(), role })
  if (invited.status !== 201) throw new Error(`no invitation: ${invited.text}`)
  return signIn(bank, await acceptLink({ app }, invited.body), venture_id)
}

/** A signed-in person of the bank whom nobody there has invited, acting for a venture if one is given. */
export async function openBanker(bank: Bank, role: BankRole, venture_id?: string): Promise<PersonCaller> {
  const app = await withoutFourEyes(bank)
  const admin = new Caller(app, bank.admin.headers)
  const invited = await admin.post('/operator/users', { email: someEmail(), role })
  if (invited.status !== 201) throw new Error(`no invitation: ${invited.text}`)
  const person = await acceptLink({ app }, invited.body)
  // As if two people who have left had let them in: people whom the admin key has let in alone are related, unless they are admins.
  if (role !== 'admin')
    await bank.owner.query('update links set made_by_id = gen_random_uuid(), checker_id = gen_random_uuid() where id = $1', [
      invited.body.id,
    ])
  return signIn(bank, person, venture_id)
}

const alone = new WeakMap<Bank, Promise<App>>()

/** An instance of the bank on which the admin key may invite anyone, as before four-eyes approval was turned on. */
function withoutFourEyes(bank: Bank): Promise<App> {
  const app = bank.config.fourEyes ? (alone.get(bank) ?? bank.openInstance({ fourEyes: false })) : Promise.resolve(bank.app)
  alone.set(bank, app)
  return app
}
