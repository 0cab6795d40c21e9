// The stream that tells pages of the console what has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signOutOf } from '../testing/testing.console.ts'
import { openBanker, openMember, type PersonCaller } from '../testing/testing.sessions.ts'
import { openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { type Frame, frameOf, joined } from './desk.changes.ts'

const bank = await openBank({ streamHeartbeat_ms: 50 })
const url = await bank.listen()

class Listener {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  constructor(reader: ReadableStreamDefaultReader<string>) {
    this.#reader = reader
  }

  static async open(person: PersonCaller, query = ''): Promise<Listener> {
    const response = await fetch(`${url}/console/stream${query}`, { headers: person.headers as Record<string, string> })
    assert.equal(response.status, 200, await (response.ok ? '' : response.text()))
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const texts = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>
    return new Listener((response.body as ReadableStream<Uint8Array>).pipeThrough(texts).getReader())
  }

  /** The next frame; undefined if the stream has ended. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const [, data] = /^data: (.*)$/m.exec(this.#text) ?? []
      if (data !== undefined) {
        this.#text = this.#text.slice(this.#text.indexOf(data) + data.length)
        return JSON.parse(data)
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += value
    }
  }

  /** Merges frames until one names an id. */
  async until(id: string): Promise<Frame> {
    let all: Frame | undefined
    for (;;) {
      const frame = await this.next()
      assert.ok(frame !== undefined, 'the stream has ended')
      all = all === undefined ? frame : joined(all, frame)
      if (frame.ids.includes(id)) return all
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel()
  }
}

test('a viewer of a venture learns what changes in it from then on, and nothing of other ventures', async () => {
  const [venture, other] = [await bank.registerVenture(), await bank.registerVenture()]
  // The page already shows what was there before.
  const before = await venture.registerClient()
  const member = await openMember(bank, venture.venture.id, 'viewer')
  const banker = await openBanker(bank, 'auditor', venture.venture.id)
  await bank.othersEnded()
  const listeners = [await Listener.open(member), await Listener.open(banker)]
  const theirs = await other.registerClient()
  const client = await venture.registerClient()
  for (const listener of listeners) {
    const { kinds, ids } = await listener.until(client.id)
    assert.deepEqual([kinds, ids], [{ client: 1 }, [client.id]])
    assert.ok(![before.id, theirs.id].some((id) => ids.includes(id)))
  }
  const account = await venture.openAccount()
  for (const listener of listeners) {
    assert.ok(((await listener.until(account.id)).kinds['account'] ?? 0) >= 1)
    await listener.close()
  }
})

test('a stream ends with the session, with the role, and at the time that the page has chosen', async () => {
  const venture = await bank.registerVenture()
  const [leaving, removed, brief] = [
    await openMember(bank, venture.venture.id, 'viewer'),
    await openMember(bank, venture.venture.id, 'viewer'),
    await openMember(bank, venture.venture.id, 'viewer'),
  ]
  const ending = await Listener.open(leaving)
  await signOutOf(leaving)
  assert.equal(await ending.next(), undefined)

  const losing = await Listener.open(removed)
  const admin = await openMember(bank, venture.venture.id, 'admin')
  assert.equal((await admin.send({ method: 'DELETE', url: `/api/v1/venture/users/${removed.id}` })).status, 204)
  assert.equal(await losing.next(), undefined)

  assert.equal(await (await Listener.open(brief, '?seconds=0')).next(), undefined)
})

test('only people listen: no key, nobody else, and not from another site', async () => {
  const venture = await bank.registerVenture()
  const member = await openMember(bank, venture.venture.id, 'viewer')
  const stranger = await openMember(bank, (await bank.registerVenture()).venture.id, 'viewer')
  const ask = (headers: Record<string, unknown>, query = '?seconds=0') =>
    bank.app.inject({ url: `/console/stream${query}`, headers: headers as Record<string, string> })
  assert.equal((await ask({})).json().code, 'unauthorized')
  assert.equal((await ask(venture.headers)).json().code, 'forbidden')
  assert.equal((await ask(stranger.actingFor(venture.venture.id).headers)).json().code, 'venture_not_found')
  assert.equal((await ask({ ...member.headers, 'sec-fetch-site': 'cross-site' })).json().code, 'foreign_origin')
  for (const seconds of ['-1', '601', 'x']) assert.equal((await ask(member.headers, `?seconds=${seconds}`)).statusCode, 400)
})

/** The limit for one person. */
const mostOfPerson = 20

test('nobody takes all places: neither a person, nor with requests that are dropped at once', async () => {
  const venture = await bank.registerVenture()
  const [greedy, other] = [await openMember(bank, venture.venture.id, 'viewer'), await openMember(bank, venture.venture.id, 'viewer')]
  const headers = greedy.headers as Record<string, string>
  const listeners = await Promise.all(Array.from({ length: mostOfPerson }, () => Listener.open(greedy)))
  const refused = await fetch(`${url}/console/stream`, { headers })
  // Streams never end, so waiting for a place makes no sense.
  assert.equal(refused.status, 429)
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_streams')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await (await Listener.open(other)).close()
  for (const listener of listeners) await listener.close()

  const isRefused = async () => {
    const stop = new AbortController()
    const { status } = await fetch(`${url}/console/stream`, { headers, signal: stop.signal })
    stop.abort()
    return status === 429
  }
  await eventually(async () => !(await isRefused()))
  const dropped = Array.from({ length: 3 * mostOfPerson }, async (_, index) => {
    const stop = new AbortController()
    const asked = fetch(`${url}/console/stream`, { headers, signal: stop.signal, method: index % 3 === 0 ? 'HEAD' : 'GET' })
    setTimeout(() => stop.abort(), index)
    await asked.then(
      (answer) => answer.text(),
      () => undefined,
    )
  })
  await Promise.all(dropped.map((one) => one.catch(() => undefined)))
  await eventually(async () => {
    const ask = async () => {
      const answer = await fetch(`${url}/console/stream?seconds=0`, { headers })
      await answer.text()
      return answer.status
    }
    return (await Promise.all(Array.from({ length: mostOfPerson }, ask))).every((status) => status === 200)
  })
})

/** The limit for one venture. */
const mostOfVenture = 250

test('no venture takes all places: its people have so many together, and others still get theirs', async (t) => {
  const [venture, another] = [await bank.registerVenture(), await bank.registerVenture()]
  // An instance that rarely checks who may still listen.
  const calm = await bank.openInstance({ streamHeartbeat_ms: 60_000 })
  const address = await calm.listen({ port: 0, host: '127.0.0.1' })
  const stop = new AbortController()
  t.after(() => stop.abort())
  const ask = ({ headers }: PersonCaller) =>
    fetch(`${address}/console/stream`, { headers: headers as Record<string, string>, signal: stop.signal })
  const people: PersonCaller[] = []
  for (let count = 0; count <= mostOfVenture / mostOfPerson; count++) people.push(await openMember(bank, venture.venture.id, 'viewer'))
  const places = people.flatMap((person) => Array.from({ length: mostOfPerson }, () => person)).slice(0, mostOfVenture)
  const answers = await Promise.all(places.map(ask))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  // The last person has places left, but the venture has none.
  const last = people.at(-1) as PersonCaller
  assert.ok(places.filter((person) => person === last).length < mostOfPerson)
  const refused = await ask(last)
  assert.equal(refused.status, 429)
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_streams')
  assert.equal((await ask(await openMember(bank, another.venture.id, 'viewer'))).status, 200)
})

test('a stream that could not begin leaves its place to others', async () => {
  const venture = await bank.registerVenture()
  const member = await openMember(bank, venture.venture.id, 'viewer')
  const broken = await bank.openInstance()
  // Only this statement fails: authentication works, but the venture's last event cannot be read.
  await bank.owner.query('alter table events rename to events_away')
  try {
    for (let count = 0; count <= mostOfPerson; count++) {
      const { statusCode } = await broken.inject({ url: '/console/stream?seconds=0', headers: member.headers })
      assert.equal(statusCode, 500)
    }
  } finally {
    await bank.owner.query('alter table events_away rename to events')
  }
  assert.equal((await broken.inject({ url: '/console/stream?seconds=0', headers: member.headers })).statusCode, 200)
})

test('many changes are counted and not named one by one', () => {
  const changes = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'transfer.created', resource_id: String(index) }))
  assert.deepEqual(frameOf(changes(2)), { kinds: { transfer: 2 }, ids: ['0', '1'] })
  assert.deepEqual(frameOf([...changes(2), ...changes(1)]), { kinds: { transfer: 3 }, ids: ['0', '1'] })
  assert.deepEqual(frameOf(changes(51)), { kinds: { transfer: 51 }, ids: [] })
  const one = { kinds: { transfer: 1, client: 2 }, ids: ['a', 'b'] }
  assert.deepEqual(joined(one, { kinds: { transfer: 3 }, ids: ['b', 'c'] }), { kinds: { transfer: 4, client: 2 }, ids: ['a', 'b', 'c'] })
  assert.deepEqual(joined(one, frameOf(changes(51))).ids, [])
})
