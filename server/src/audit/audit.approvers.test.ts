// How many people could approve a request: the maker has to know if nobody can.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { acceptLink, openBanker, type PersonCaller, signIn, someEmail } from '../testing/testing.sessions.ts'
import { type Answer, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank({ fourEyes: true })
const alice = await openBanker(bank, 'admin')

/** The admin key invites no more than three admins. */
async function openAdmin(): Promise<PersonCaller> {
  const person = await openBanker(bank, 'operator')
  await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [person.id])
  return person
}

async function asked(answer: Promise<Answer>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.equal(status, 202, text)
  return body
}

const invite = (maker: PersonCaller, role = 'operator') => asked(maker.post('/operator/users', { email: someEmail(), role }))
const approve = ({ id }: Loose, by: PersonCaller) => by.post(`/operator/approvals/${id}/approve`)
const approversOf = async ({ id }: Loose): Promise<number> => (await alice.get(`/operator/approvals/${id}`)).body.approvers

test('a request says how many people could approve it, from the first admin on', async () => {
  const request = await invite(alice)
  assert.equal(request.approvers, 0)
  await openBanker(bank, 'operator')
  assert.equal(await approversOf(request), 0, 'operators can invite nobody')
  const bob = await openBanker(bank, 'admin')
  assert.equal(await approversOf(request), 1)
  const { body: listed } = await bob.get('/operator/approvals')
  assert.deepEqual(
    listed.map(({ id, approvers }: Loose) => [id, approvers]),
    [[request.id, 1]],
  )
  const { body: decided } = await approve(request, bob)
  assert.deepEqual([decided.state, decided.approvers, await approversOf(request)], ['APPROVED', null, null])
})

test('requests that nobody could approve are listed alone, page by page', async () => {
  const lonely = await openBank({ fourEyes: true })
  const first = await openBanker(lonely, 'admin')
  const ask = (role: string) => asked(first.post('/operator/users', { email: someEmail(), role }))
  const [oldest, second] = [await ask('operator'), await ask('operator')]
  const list = async (filter: string) => (await first.get(`/operator/approvals?${filter}`)).body.map(({ id }: Loose) => id)
  assert.deepEqual(await list('stuck=true'), [second.id, oldest.id])
  assert.deepEqual(await list('stuck=true&limit=1'), [second.id])
  assert.deepEqual(await list(`stuck=true&limit=1&after=${second.id}`), [oldest.id])
  assert.deepEqual(await list('stuck=false'), [])

  // An operator can approve what operators do, and can invite nobody.
  const operator = await openBanker(lonely, 'operator')
  const venture = await ManagedVenture.open(lonely)
  const { id: client_id } = await venture.registerClient()
  const beneficiary = { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
  const decidable = await asked(operator.actingFor(venture.venture.id).post('/beneficiaries', beneficiary))
  assert.deepEqual(await list('stuck=true'), [second.id, oldest.id])
  assert.deepEqual(await list('stuck=false'), [decidable.id])
  assert.deepEqual(await list(`stuck=true&maker_id=${operator.id}`), [])

  // An expired request is no longer open, and with a second admin nothing is stuck.
  await lonely.owner.query("update approvals set expires_at = created_at + interval '1 millisecond' where id = $1", [second.id])
  assert.deepEqual(await list('stuck=true'), [oldest.id])
  await openBanker(lonely, 'admin')
  assert.deepEqual(await list('stuck=true'), [])
  assert.deepEqual(await list('stuck=false'), [decidable.id, second.id, oldest.id])
  const refused = await first.get('/operator/approvals?stuck=maybe')
  assert.deepEqual([refused.status, refused.problem?.code], [400, 'invalid_request'])
})

test('neither people who are related to the person who asks count, nor those who were disabled', async () => {
  const bob = await openAdmin()
  const before = await invite(alice)
  const invitation = await invite(alice, 'admin')
  const { body } = await approve(invitation, bob)
  const grace = await signIn(bank, await acceptLink(bank, { ...body.result, code: invitation.code }))
  assert.equal(await approversOf(before), before.approvers, 'Alice has invited Grace')
  // Alice and Bob have let Grace in, so two of the others count as one with her.
  assert.equal((await invite(grace)).approvers, before.approvers - 1)
  await alice.put(`/operator/users/${bob.id}`, { status: 'DISABLED' })
  assert.equal(await approversOf(before), before.approvers - 1)
})

test('what operators may do, they may approve', async () => {
  const venture = await ManagedVenture.open(bank)
  const { id: client_id } = await venture.registerClient()
  const beneficiary = { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
  const request = await asked(alice.actingFor(venture.venture.id).post('/beneficiaries', beneficiary))
  const invitation = await invite(alice)
  await openBanker(bank, 'operator')
  assert.equal(await approversOf(request), request.approvers + 1)
  assert.equal(await approversOf(invitation), invitation.approvers)
})

test('nobody approves a request that has expired', async () => {
  const request = await invite(alice)
  await bank.owner.query("update approvals set expires_at = now() - interval '1 minute' where id = $1", [request.id])
  assert.equal(await approversOf(request), null)
})
