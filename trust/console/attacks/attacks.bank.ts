// A bank to attack: a venture with rows of every kind, and one whose transfers the bank processes, with people of both and of the bank.
import { requestApproval } from '../../../server/src/audit/audit.ts'
import { consoleOrigin, openBanker, openMember, type PersonCaller } from '../../../server/src/testing/testing.sessions.ts'
import { type Bank, type Loose, openBank } from '../../../server/src/testing/testing.ts'
import { openPlace } from '../../fuzz/fuzz.place.ts'
import { buildWorld, type World } from '../../fuzz/fuzz.world.ts'
import type { Place } from '../console.pages.ts'

export type AttackedBank = {
  bank: Bank
  origin: string
  world: World
  keys: { admin: string; relay: string; webhookSecret: string }
  people: { member: PersonCaller; viewer: PersonCaller; banker: PersonCaller }
  /** As the pages of a venture, or of the bank, need it to find something to show. */
  placeOf(venture: string): Place
  /** Runs pending background work. */
  turn(): Promise<void>
}

/** People sign in at another instance, whose console is where the tests of the service expect it; their cookies count at both. */
export async function openDoor(bank: Bank): Promise<Bank> {
  return { ...bank, app: await bank.openInstance({ consoleUrl: consoleOrigin }) }
}

export async function openAttackedBank(): Promise<AttackedBank> {
  const bank = await openBank({ requestLog: true, consoleUrl: undefined }, { files: 'simulated bank' })
  const place = await openPlace(bank)
  const { url: origin, keys, turn } = place
  const world = await buildWorld(place, { word: 'sparrow', seed: 1 })
  const door = await openDoor(bank)
  const { id } = world.venture
  const people = {
    member: await openMember(door, id, 'admin'),
    viewer: await openMember(door, id, 'viewer'),
    banker: await openBanker(door, 'admin'),
  }
  await addWorkOfTheBank(bank, { world, maker: await openBanker(door, 'operator') })
  const ask = async (method: string, path: string, { headers, body }: { headers: Record<string, string>; body?: object | undefined }) => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json() as Loose
  }
  const placeOf = (venture: string): Place => ({
    origin,
    venture,
    get: (path, of) => ask('GET', path, { headers: { 'x-api-key': keys.admin, ...(of !== undefined && { 'vostro-venture': of }) } }),
    signIn: async () => (method, path, body) =>
      ask(method, path, { headers: { cookie: people.viewer.headers['cookie'] ?? '', 'vostro-venture': venture }, body }),
  })
  return { bank, origin, world, keys, people, placeOf, turn }
}

/** Something that waits for a second person, and a verification. */
async function addWorkOfTheBank({ owner, approvals, admin }: Bank, { world, maker }: { world: World; maker: PersonCaller }): Promise<void> {
  const [resource_id = ''] = world.pools.clients
  const { rows } = await owner.query('select venture_id, sequence from clients where id = $1', [resource_id])
  await requestApproval(
    approvals,
    { ...rows[0], resource_id, action: 'unblock-client', payload: { blocked: false } },
    { actor: { kind: 'operator', id: maker.id } },
  )
  await admin.post('/operator/verifications')
}
