// One person with every trick. A single person requests everything that takes two people, over HTTP and with four-eyes approval on. Whatever the
// responses are, the stored state must not change until a second person, who is not a puppet of the first, has agreed.
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actOnAccount } from '../accounts/accounts.ts'
import { policyApprovals } from '../policies/policies.ts'
import { ManagedVenture, operator } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { acceptLink, openBanker, openMember, type PersonCaller, partsOf, secretIn, signIn, someEmail } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank({ fourEyes: true })
const url = await bank.listen()

/** Sends requests over a socket, as outside clients do. */
class HttpCaller extends Caller {
  override async send({ method, url: path, headers = {}, payload }: Parameters<Caller['send']>[0]): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method: method ?? 'GET',
      headers: { ...this.headers, ...(headers as Record<string, string>) },
      ...(payload === undefined ? {} : { body: String(payload) }),
    })
    const text = await answer.text()
    const body = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined
    const problem = answer.status >= 400 ? body : undefined
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text, body, problem }
  }

  for(venture_id: string): HttpCaller {
    return new HttpCaller(this.app, { ...this.headers, 'vostro-venture': venture_id })
  }
}

const overHttp = ({ headers }: Caller) => new HttpCaller(bank.app, headers)

/** The villain, and two honest people whom nobody at the bank has invited. */
const people = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin'), await openBanker(bank, 'operator')] as const
await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [people[2].id])
const [alice, bob, carol] = [overHttp(people[0]), overHttp(people[1]), overHttp(people[2])] as const
const adminKey = overHttp(bank.admin)
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id

const decide = (approval: { id: string }, by: Caller, how = 'approve') => by.post(`/operator/approvals/${approval.id}/${how}`)
const codeOf = ({ status, problem }: Answer) => [status, problem?.code]

async function asked(answer: Promise<Answer>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.deepEqual([status, body?.state], [202, 'PENDING'], text)
  return body
}

/** Does something with two people. */
async function byTwo(answer: Promise<Answer>, checker: Caller = bob): Promise<Loose> {
  const { id, code } = await asked(answer)
  const { status, body, text } = await decide({ id }, checker)
  assert.deepEqual([status, body?.state], [200, 'APPROVED'], `${text} ${body?.reason}`)
  // A link that two people make has two parts.
  return code === undefined ? body.result : { ...body.result, code }
}

/** The stored state of everything that only two people may change. */
async function picture(): Promise<string> {
  const { rows } = await bank.owner.query(`
    select json_build_object(
      'users', (select json_agg(json_build_array(id, status, password_hash, sequence) order by id) from users),
      'memberships', (select json_agg(json_build_array(user_id, venture_id, role) order by user_id, venture_id) from memberships),
      'links', (select json_agg(json_build_array(id, used_at, revoked_at) order by id) from links),
      'keys', (select json_agg(json_build_array(id, revoked_at) order by id) from api_keys),
      'ventures', (select json_agg(json_build_array(id, status, control, sequence) order by id) from ventures),
      'policies', (select count(*) from policies),
      'rates', (select count(*) from rates),
      'accounts', (select json_agg(json_build_array(id, status, frozen_by_bank, current_balance, sequence) order by id) from accounts),
      'clients', (select json_agg(json_build_array(id, blocked, is_blacklisted, sequence) order by id) from clients),
      'transfers', (select json_agg(json_build_array(id, status, sequence) order by id) from transfers),
      'entries', (select count(*) from entries),
      'events', (select count(*) from events)) as picture`)
  return JSON.stringify(rows[0].picture)
}

async function nothingHappens<Result>(act: () => Promise<Result>): Promise<Result> {
  const pictured = await picture()
  const result = await act()
  assert.equal(await picture(), pictured)
  return result
}

/** A person of the bank who never signs in. */
async function somebody(role: string, status = 'ACTIVE'): Promise<string> {
  const [id, email] = [randomUUID(), someEmail()]
  await bank.owner.query(
    `insert into users (id, email, name, password_hash, status, created_at, updated_at) values ($1, $2, 'Nobody', '$argon2id$', $3, now(), now())`,
    [id, email, status],
  )
  await bank.owner.query(
    `insert into memberships (user_id, venture_id, role, created_at) values ($1, '00000000-0000-0000-0000-000000000000', $2, now())`,
    [id, role],
  )
  return id
}

/** A person of the venture who never signs in. */
async function memberOf(role: string, { status = 'ACTIVE', of = venture_id } = {}): Promise<string> {
  const id = await somebody('auditor', status)
  await bank.owner.query('update memberships set venture_id = $1, role = $2 where user_id = $3', [of, role, id])
  return id
}

/** If a MANAGED venture has an admin, the bank neither invites nor resets anyone there. */
const withoutAdmin = async () => (await ManagedVenture.open(bank)).venture.id

async function frozenAccount(): Promise<Loose> {
  const account = await venture.openAccount()
  assert.equal((await bob.for(venture_id).post(`/accounts/${account.id}/freeze`)).status, 200)
  return account
}

/**
 * A venture's remark about an account decides nothing. It does decide something that two others have activated the account and that it has
 * been frozen again.
 */
const frozenAgain = (id: string) => async () => {
  const by = { actor: operator, approved: true }
  for (const action of ['activate', 'freeze'] as const) await actOnAccount(venture.accounts, { venture_id, id }, action, by)
}

async function blockedClient(marks: object): Promise<Loose> {
  const client = await venture.registerClient()
  assert.equal((await bob.for(venture_id).put(`/clients/${client.id}`, marks)).status, 200)
  return client
}

const one = async (sql: string, ...values: unknown[]) => (await bank.owner.query(sql, values)).rows[0]

type Wish = {
  /** One person's request. */
  ask(by: HttpCaller): Promise<Answer>
  /** Changes what the request is about before the second person looks. */
  change?(): Promise<unknown>
  isDone(): Promise<boolean>
  /** Each request is about something that it creates itself, so no two of them are about the same resource. */
  makes?: true
}

const rename = (id: string) => async () => assert.equal((await bob.put(`/ventures/${id}`, { name: 'Renamed' })).status, 200)
const disable = (id: string) => async () => assert.equal((await bob.put(`/operator/users/${id}`, { status: 'DISABLED' })).status, 200)

async function invitationTo(role: string): Promise<Wish> {
  const [email, of] = [someEmail(), await withoutAdmin()]
  return {
    ask: (by) => by.for(of).post('/venture/users', { email, role }),
    change: async () => {
      const id = await memberOf('viewer', { of })
      await bank.owner.query('update users set email = $1 where id = $2', [email, id])
    },
    isDone: async () => (await one('select count(*)::int from links where email = $1', email)).count === 1,
    makes: true,
  }
}

async function promotion(from: string, to: string): Promise<Wish> {
  const id = await memberOf(from)
  const boss = overHttp(await openMember(bank, venture_id, 'admin'))
  return {
    ask: (by) => by.for(venture_id).put(`/venture/users/${id}`, { role: to }),
    // The role is the same again, but it has been changed in between.
    change: async () => {
      for (const role of ['admin', from])
        if ((await boss.put(`/venture/users/${id}`, { role })).status !== 200) throw new Error(`the role ${role} was refused`)
    },
    isDone: async () => (await one('select role from memberships where user_id = $1', id)).role === to,
  }
}

async function enabling(role: string): Promise<Wish> {
  const id = await memberOf(role, { status: 'DISABLED' })
  return {
    ask: (by) => by.put(`/operator/users/${id}`, { status: 'ACTIVE' }),
    change: () => bank.owner.query('update users set sequence = sequence + 1 where id = $1', [id]),
    isDone: async () => (await one('select status from users where id = $1', id)).status === 'ACTIVE',
  }
}

/** The same for an OPEN venture. */
async function resetOf(role: string, ask: (by: HttpCaller, id: string, of: string) => Promise<Answer>): Promise<Wish> {
  const of = (await bank.registerVenture()).venture.id
  const id = await memberOf(role, { of })
  return {
    ask: (by) => ask(by, id, of),
    change: disable(id),
    isDone: async () => (await one("select count(*)::int from links where user_id = $1 and kind = 'RESET'", id)).count === 1,
  }
}

const wishes: Record<string, () => Promise<Wish>> = {
  async 'enable a venture'() {
    const { id } = (await bank.registerVenture()).venture
    await bob.put(`/ventures/${id}`, { status: 'DISABLED' })
    return {
      ask: (by) => by.put(`/ventures/${id}`, { status: 'ACTIVE' }),
      change: rename(id),
      isDone: async () => (await one('select status from ventures where id = $1', id)).status === 'ACTIVE',
    }
  },
  async 'change the control of a venture'() {
    const { id } = (await bank.registerVenture()).venture
    return {
      ask: (by) => by.put(`/ventures/${id}`, { control: 'MANAGED' }),
      change: rename(id),
      isDone: async () => (await one('select control from ventures where id = $1', id)).control === 'MANAGED',
    }
  },
  async "replace a venture's keys"() {
    const { id } = (await bank.registerVenture()).venture
    return {
      ask: (by) => by.post(`/ventures/${id}/rotate-key`),
      change: rename(id),
      isDone: async () => (await one('select count(*)::int as keys from api_keys where venture_id = $1', id)).keys === 2,
    }
  },
  async 'make a key for a venture'() {
    const { id } = (await bank.registerVenture()).venture
    return {
      ask: (by) => by.post(`/ventures/${id}/keys`, { name: 'Second', scopes: ['transfers'] }),
      change: rename(id),
      isDone: async () => (await one('select count(*)::int as keys from api_keys where venture_id = $1', id)).keys === 2,
    }
  },
  async "make a key through the venture's own route"() {
    const { id } = (await bank.registerVenture()).venture
    return {
      ask: (by) => by.for(id).post('/venture/keys', { name: 'Second', scopes: ['transfers'] }),
      change: rename(id),
      isDone: async () => (await one('select count(*)::int as keys from api_keys where venture_id = $1', id)).keys === 2,
    }
  },
  async 'change a policy'() {
    const { id } = (await bank.registerVenture()).venture
    const request = { venture_id: id, resource_id: id, sequence: 0, payload: { rate_hold_s: 90 } }
    return {
      ask: (by) => by.put(`/ventures/${id}/policy`, { rate_hold_s: 120 }),
      change: async () => policyApprovals(bank.database)[0]?.carryOut(request, { actor: operator }),
      isDone: async () => (await one('select rate_hold_s from policies where venture_id = $1', id))?.rate_hold_s === 120,
    }
  },
  async 'set a rate'() {
    const { count } = await one('select count(*)::int from rates')
    return {
      ask: (by) => by.put('/operator/rates', { from_currency: 'EUR', to_currency: 'SEK', rate: '11.5', margin: '0.01' }),
      isDone: async () => (await one('select count(*)::int from rates')).count === count + 1,
      makes: true,
    }
  },
  async 'unfreeze an account'() {
    const { id } = await frozenAccount()
    return {
      ask: (by) => by.for(venture_id).post(`/accounts/${id}/activate`),
      change: frozenAgain(id),
      isDone: async () => (await one('select status from accounts where id = $1', id)).status === 'ACTIVE',
    }
  },
  async 'close an account that the bank froze'() {
    const { id } = await frozenAccount()
    return {
      ask: (by) => by.for(venture_id).post(`/accounts/${id}/close`),
      change: frozenAgain(id),
      isDone: async () => (await one('select status from accounts where id = $1', id)).status === 'CLOSED',
    }
  },
  async 'unblock a client'() {
    const { id } = await blockedClient({ blocked: true })
    return {
      ask: (by) => by.for(venture_id).put(`/clients/${id}`, { blocked: false }),
      change: () => venture.put(`/clients/${id}`, { city: 'Lyon' }),
      isDone: async () => (await one('select blocked from clients where id = $1', id)).blocked === false,
    }
  },
  async 'take a client off the blacklist'() {
    const { id } = await blockedClient({ is_blacklisted: true })
    return {
      ask: (by) => by.for(venture_id).put(`/clients/${id}`, { is_blacklisted: false }),
      change: () => venture.put(`/clients/${id}`, { city: 'Lyon' }),
      isDone: async () => (await one('select is_blacklisted from clients where id = $1', id)).is_blacklisted === false,
    }
  },
  async 'create a transfer of a reserved type'() {
    const { id: account_id } = await venture.openAccount()
    const order = { account_id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '1000000.00' }
    return {
      ask: (by) => by.for(venture_id).post('/transfers', order),
      change: () => bob.for(venture_id).post(`/accounts/${account_id}/freeze`),
      isDone: async () => (await one('select count(*)::int from transfers where account_id = $1', account_id)).count === 1,
      makes: true,
    }
  },
  async 'state a fact of the scheme'() {
    const { id: account_id } = await venture.openAccount()
    const arrived = await venture.order({ account_id, direction: 'INBOUND', credit_amount: '5.00', dr_iban: 'DE89370400440532013000' })
    return {
      ask: (by) => by.for(venture_id).put(`/transfers/${arrived.id}`, { status: 'RECEIVED', third_party_status: 'ACCC' }),
      change: () => bob.for(venture_id).put(`/transfers/${arrived.id}`, { status_reason: 'changed' }),
      isDone: async () => (await one('select status from transfers where id = $1', arrived.id)).status === 'RECEIVED',
    }
  },
  async 'release a transfer that the bank holds'() {
    const account = await venture.openAccount({ balance: '10.00' })
    const beneficiary = await venture.addBeneficiary(account.client_id)
    const { id } = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' })
    await bob.for(venture_id).put(`/transfers/${id}`, { status: 'ON_HOLD' })
    return {
      ask: (by) => by.for(venture_id).put(`/transfers/${id}`, { status: 'CREATED' }),
      change: () => bob.for(venture_id).put(`/transfers/${id}`, { status_reason: 'changed' }),
      isDone: async () => (await one('select status from transfers where id = $1', id)).status === 'CREATED',
    }
  },
  async 'invite somebody to the bank'() {
    const email = someEmail()
    return {
      ask: (by) => by.post('/operator/users', { email, role: 'operator' }),
      change: async () => bank.owner.query('update users set email = $1 where id = $2', [email, await somebody('auditor')]),
      isDone: async () => (await one('select count(*)::int from links where email = $1', email)).count === 1,
      makes: true,
    }
  },
  async 'give somebody of a venture a role at the bank'() {
    const id = await memberOf('viewer')
    return {
      ask: (by) => by.put(`/operator/users/${id}`, { bank_role: 'auditor' }),
      change: disable(id),
      isDone: async () =>
        (await one('select role from memberships where user_id = $1 and venture_id <> $2', id, venture_id))?.role === 'auditor',
    }
  },
  async 'promote somebody of the bank'() {
    const id = await somebody('auditor')
    return {
      ask: (by) => by.put(`/operator/users/${id}`, { bank_role: 'admin', status: 'ACTIVE' }),
      change: disable(id),
      isDone: async () => (await one('select role from memberships where user_id = $1', id)).role === 'admin',
    }
  },
  async 'enable somebody of the bank'() {
    const id = await somebody('operator', 'DISABLED')
    return {
      ask: (by) => by.put(`/operator/users/${id}`, { status: 'ACTIVE' }),
      change: async () => assert.equal((await bob.put(`/operator/users/${id}`, { bank_role: null })).status, 200),
      isDone: async () => (await one('select status from users where id = $1', id)).status === 'ACTIVE',
    }
  },
  'invite an admin of a venture': () => invitationTo('admin'),
  'invite a viewer of a venture': () => invitationTo('viewer'),
  'make somebody an admin of a venture': () => promotion('operator', 'admin'),
  'make somebody an operator of a venture': () => promotion('viewer', 'operator'),
  'enable an admin of a venture': () => enabling('admin'),
  'enable an operator of a venture': () => enabling('operator'),
  'reset the password of an admin of a venture': () => resetOf('admin', (by, id) => by.post(`/operator/users/${id}/reset`)),
  'reset the password of a viewer of a venture': () => resetOf('viewer', (by, id) => by.post(`/operator/users/${id}/reset`)),
  "reset the password of an admin of a venture through the venture's route": () =>
    resetOf('admin', (by, id, of) => by.for(of).post(`/venture/users/${id}/reset`)),
  async 'reset the password of somebody of the bank'() {
    const id = await somebody('operator')
    return {
      ask: (by) => by.post(`/operator/users/${id}/reset`),
      change: disable(id),
      isDone: async () => (await one("select count(*)::int from links where user_id = $1 and kind = 'RESET'", id)).count === 1,
    }
  },
}

/** People who must not decide Alice's requests, with the refusal that they get. */
const outsiders: Record<string, { caller: HttpCaller; answer: [number, string] }> = {}
/** The people whom Alice has let in, reset, promoted or enabled, alone or as the second person. */
const puppets: Record<string, HttpCaller> = {}

async function enter(link: Promise<Loose>): Promise<HttpCaller> {
  return overHttp(await signIn(bank, await acceptLink(bank, await link)))
}

const resetBy = async (target: PersonCaller, maker: Caller, checker: Caller) => {
  await acceptLink(bank, await byTwo(maker.post(`/operator/users/${target.id}/reset`), checker))
  return overHttp(await signIn(bank, target.person))
}

before(async () => {
  const invitation = () => ({ email: someEmail(), role: 'admin' })
  puppets['invited by Alice'] = await enter(byTwo(alice.post('/operator/users', invitation()), bob))
  puppets['whose invitation Alice approved'] = await enter(byTwo(bob.post('/operator/users', invitation()), alice))
  puppets['reset by Alice'] = await resetBy(await openBanker(bank, 'operator'), alice, bob)
  puppets['whose reset Alice approved'] = await resetBy(await openBanker(bank, 'operator'), bob, alice)

  const member = await openMember(bank, venture_id, 'viewer')
  await byTwo(alice.put(`/operator/users/${member.id}`, { bank_role: 'operator' }))
  puppets['of a venture, to whom Alice gave a role'] = overHttp(await signIn(bank, member.person))
  const enabled = await openBanker(bank, 'operator')
  await bob.put(`/operator/users/${enabled.id}`, { status: 'DISABLED' })
  await byTwo(bob.put(`/operator/users/${enabled.id}`, { status: 'ACTIVE' }), alice)
  puppets['whom Alice let in again'] = overHttp(await signIn(bank, enabled.person))

  const disabled = await openBanker(bank, 'operator')
  await alice.put(`/operator/users/${disabled.id}`, { status: 'DISABLED' })
  const second = await venture.post('/venture/keys', { name: 'Second', scopes: ['transfers'] })
  Object.assign(outsiders, {
    'Alice herself': { caller: alice, answer: [409, 'own_approval'] },
    'Alice, acting for the venture': { caller: alice.for(venture_id), answer: [409, 'own_approval'] },
    'the admin key': { caller: adminKey, answer: [403, 'person_needed'] },
    'an auditor': { caller: overHttp(await openBanker(bank, 'auditor')), answer: [403, 'forbidden'] },
    'an admin of the venture': { caller: overHttp(await openMember(bank, venture_id, 'admin')), answer: [403, 'forbidden'] },
    'somebody who was disabled': { caller: overHttp(disabled), answer: [401, 'unauthorized'] },
    "the venture's key": { caller: overHttp(venture), answer: [403, 'forbidden'] },
    'a second key': { caller: new HttpCaller(bank.app, { 'x-api-key': second.body.api_key }), answer: [403, 'forbidden'] },
  })
  for (const [name, caller] of Object.entries(puppets)) outsiders[`somebody ${name}`] = { caller, answer: [409, 'related_approval'] }
})

for (const [name, make] of Object.entries(wishes)) {
  test(`${name}: nobody does it alone, two do it once`, async () => {
    const wish = await make()
    await nothingHappens(async () => assert.deepEqual(codeOf(await wish.ask(adminKey)), [403, 'person_needed']))
    const approval = await nothingHappens(() => asked(wish.ask(alice)))
    await nothingHappens(async () => {
      if (wish.makes === undefined) {
        assert.deepEqual(codeOf(await wish.ask(alice)), [409, 'approval_pending'])
        assert.deepEqual(codeOf(await wish.ask(bob)), [409, 'approval_pending'])
      }
      for (const [who, { caller, answer }] of Object.entries(outsiders)) {
        assert.deepEqual(codeOf(await decide(approval, caller)), answer, who)
        // Rejecting protects, so it does not take an unrelated person.
        if (answer[0] !== 409) assert.deepEqual(codeOf(await decide(approval, caller, 'reject')), answer, `${who}: reject`)
      }
      assert.equal((await bob.get(`/operator/approvals/${approval.id}`)).body.state, 'PENDING')
    })
    assert.equal(await wish.isDone(), false)
    const answers = await Promise.all([decide(approval, bob), decide(approval, carol)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], answers.map(({ text }) => text).join())
    const approved = answers.find(({ status }) => status === 200)?.body
    assert.deepEqual([approved.state, approved.reason], ['APPROVED', null])
    assert.equal(await wish.isDone(), true)
    await nothingHappens(async () => assert.deepEqual(codeOf(await decide(approval, carol)), [409, 'approval_not_pending']))
  })

  test(`${name}: not if it has changed since, and not if the request has expired`, async () => {
    const expiring = await make()
    const late = await asked(expiring.ask(alice))
    await bank.owner.query("update approvals set expires_at = created_at - interval '1 second' where id = $1", [late.id])
    await nothingHappens(async () => assert.deepEqual(codeOf(await decide(late, bob)), [409, 'approval_not_pending']))
    assert.equal(await expiring.isDone(), false)

    const changing = await make()
    if (changing.change === undefined) return
    const approval = await asked(changing.ask(alice))
    await changing.change()
    const { status, body } = await nothingHappens(() => decide(approval, bob))
    assert.deepEqual([status, body.state, body.result], [200, 'FAILED', null])
    if (changing.makes === undefined) assert.match(body.reason, /has changed since the request was made/)
  })
}

test('what a puppet asks for, Alice cannot approve', async () => {
  for (const [name, puppet] of Object.entries(puppets)) {
    const wish = await wishes['unfreeze an account']?.()
    assert.ok(wish)
    const approval = await asked(wish.ask(puppet))
    await nothingHappens(async () => assert.deepEqual(codeOf(await decide(approval, alice)), [409, 'related_approval'], name))
    assert.equal((await decide(approval, carol)).body.state, 'APPROVED', name)
  }
})

test('nobody gives a role to themselves, with or without somebody else’s approval of something else', async () => {
  const path = `/operator/users/${people[0].id}`
  const oscar = await openBanker(bank, 'operator')
  const approval = await nothingHappens(() => asked(alice.put(path, { bank_role: 'operator' })))
  await nothingHappens(async () => {
    assert.deepEqual(codeOf(await decide(approval, alice)), [409, 'own_approval'])
    assert.deepEqual(codeOf(await alice.post(`${path}/reset`)), [409, 'approval_pending'])
    assert.deepEqual(codeOf(await oscar.put(`/operator/users/${oscar.id}`, { bank_role: 'admin' })), [403, 'forbidden'])
  })
  assert.equal((await decide(approval, bob, 'reject')).status, 200)
})

test('what takes rights away is one act: disabling, removing a role, revoking an invitation', async () => {
  const id = await somebody('operator')
  assert.equal((await bob.put(`/operator/users/${id}`, { status: 'DISABLED' })).body.status, 'DISABLED')
  assert.equal((await bob.put(`/operator/users/${id}`, { bank_role: null })).body.bank_role, null)
  // For a person without a role at the bank, nobody needs to agree.
  assert.equal((await bob.put(`/operator/users/${id}`, { status: 'ACTIVE' })).body.status, 'ACTIVE')
  const link = await byTwo(alice.post('/operator/users', { email: someEmail(), role: 'admin' }))
  assert.equal((await adminKey.post(`/operator/invitations/${link.id}/revoke`)).status, 200)
  await assert.rejects(acceptLink(bank, link), /link_expired/)
  assert.equal((await adminKey.put(`/operator/users/${await somebody('admin')}`, { status: 'DISABLED' })).status, 200)
})

test('of an invitation, the request alone shows the code and the approval alone the link, which names both people', async () => {
  const invitation = { email: someEmail(), role: 'operator' }
  const key = randomUUID()
  const post = () =>
    alice.send({
      method: 'POST',
      url: '/api/v1/operator/users',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      payload: JSON.stringify(invitation),
    })
  const approval = await asked(post())
  const code_hash = hash('sha256', approval.code.replaceAll('-', ''))
  assert.deepEqual([approval.action, approval.payload], ['invite-bank-user', { ...invitation, code_hash }])
  assert.match(approval.code, /^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/)
  const again = await post()
  assert.deepEqual([...codeOf(again), again.problem.resource_id], [409, 'idempotency_secret_shown', approval.id])
  const { body, text } = await decide(approval, bob)
  assert.equal(body.result.id, approval.resource_id)
  assert.ok(!text.includes(approval.code))
  const secret = secretIn(body.result)
  const { rows } = await bank.owner.query(`
    select approvals::text as row from approvals union all select idempotency_keys::text from idempotency_keys
    union all select audit_log::text from audit_log union all select events::text from events union all select links::text from links`)
  assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(secret) && !row.includes(approval.code)))
  for (const path of [`/operator/approvals/${approval.id}`, '/operator/approvals', '/operator/invitations']) {
    const shown = (await bob.get(path)).text
    assert.ok(!shown.includes(secret) && !shown.includes(approval.code), path)
  }
  for (const text of [secret, approval.code]) assert.ok(!bank.logLines.join().includes(text))
  const { made_by_id, checker_id } = await one('select made_by_id, checker_id from links where id = $1', approval.resource_id)
  assert.deepEqual([made_by_id, checker_id], [people[0].id, people[1].id])
})

test('an invitation ends when one of the two who made it is disabled', async () => {
  for (const [index, role] of ['admin', 'operator'].entries()) {
    const third = await signIn(
      bank,
      await acceptLink(bank, await byTwo(bob.post('/operator/users', { email: someEmail(), role: 'admin' }), carol)),
    )
    const link = await byTwo(alice.post('/operator/users', { email: someEmail(), role }), overHttp(third))
    assert.equal((await bob.put(`/operator/users/${third.id}`, index === 0 ? { status: 'DISABLED' } : { bank_role: null })).status, 200)
    await assert.rejects(acceptLink(bank, link), /link_expired/)
  }
})

test('a person who was removed from the bank does not come back with another invitation', async () => {
  const email = someEmail()
  const [first, second] = [
    await byTwo(alice.post('/operator/users', { email, role: 'auditor' })),
    await byTwo(alice.post('/operator/users', { email, role: 'admin' })),
  ]
  const removed = await signIn(bank, await acceptLink(bank, first))
  assert.equal((await bob.put(`/operator/users/${removed.id}`, { bank_role: null })).status, 200)
  await nothingHappens(async () => {
    assert.deepEqual(codeOf(await overHttp(removed).post('/session/links', partsOf(second))), [410, 'link_expired'])
  })
  // The same for a person who got a role without using the invitation, so that no acceptance has ended it.
  const member = await openMember(bank, venture_id, 'viewer')
  const unused = await byTwo(alice.post('/operator/users', { email: member.person.email, role: 'admin' }))
  await byTwo(alice.put(`/operator/users/${member.id}`, { bank_role: 'auditor' }))
  assert.equal((await bob.put(`/operator/users/${member.id}`, { bank_role: null })).status, 200)
  await nothingHappens(async () => {
    assert.deepEqual(codeOf(await overHttp(member).post('/session/links', partsOf(unused))), [410, 'link_expired'])
  })
})

test('the route of a venture is no way to the password of somebody of the bank', async () => {
  const member = await openMember(bank, venture_id, 'viewer')
  const path = `/venture/users/${member.id}/reset`
  const admin = overHttp(await openMember(bank, venture_id, 'admin'))
  // A link that the venture made earlier is worthless once the person belongs to the bank.
  const { body: early } = await admin.post(path)
  await byTwo(bob.put(`/operator/users/${member.id}`, { bank_role: 'operator' }), carol)
  await nothingHappens(async () => {
    await assert.rejects(acceptLink(bank, early), /link_expired/)
    for (const caller of [admin, alice.for(venture_id), adminKey.for(venture_id)])
      assert.deepEqual(codeOf(await caller.post(path)), [409, 'user_elsewhere'])
    assert.deepEqual(codeOf(await alice.for('00000000-0000-0000-0000-000000000000').post(path)), [404, 'venture_not_found'])
    const invited = await alice.for('00000000-0000-0000-0000-000000000000').post('/venture/users', { email: someEmail(), role: 'admin' })
    assert.deepEqual(codeOf(invited), [404, 'venture_not_found'])
  })
  // The same for a person who accepts an invitation to the bank.
  const invited = await openMember(bank, venture_id, 'viewer')
  const { body: older } = await admin.post(`/venture/users/${invited.id}/reset`)
  const link = await byTwo(bob.post('/operator/users', { email: invited.person.email, role: 'operator' }), carol)
  assert.equal((await overHttp(invited).post('/session/links', partsOf(link))).status, 200)
  await assert.rejects(acceptLink(bank, older), /link_expired/)
})

test('a venture lets its own people in, gives them roles and resets them by one person', async () => {
  const boss = overHttp(await openMember(bank, venture_id, 'admin'))
  for (const role of ['admin', 'operator', 'viewer']) {
    const invited = await boss.post('/venture/users', { email: someEmail(), role })
    assert.equal(invited.status, 201, invited.text)
    const { user_id } = await acceptLink(bank, invited.body)
    assert.equal((await boss.post(`/venture/users/${user_id}/reset`)).status, 201)
    assert.equal((await boss.put(`/venture/users/${user_id}`, { role: 'admin' })).body.role, 'admin')
    // At the bank, too, one person can take rights away.
    assert.equal((await alice.for(venture_id).put(`/venture/users/${user_id}`, { role: 'operator' })).body.role, 'operator')
  }
})

test('a create that waits is repeated by its key, and the transfer gets the announced id once', async () => {
  const { id: account_id } = await venture.openAccount()
  const order = { account_id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '7.00' }
  const key = randomUUID()
  const post = (changes: object = {}) =>
    alice.for(venture_id).send({
      method: 'POST',
      url: '/api/v1/transfers',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      payload: JSON.stringify({ ...order, ...changes }),
    })
  const approval = await asked(post())
  const again = await post()
  assert.deepEqual(
    [again.status, again.headers['idempotency-replayed'], again.headers['location'], again.body],
    [202, 'true', undefined, approval],
  )
  assert.deepEqual(codeOf(await post({ credit_amount: '8.00' })), [422, 'idempotency_key_reused'])
  // Tests change rows by hand, which leaves no line.
  const byHand = 'rows that decide are as their last lines say'
  const broken = (await checkInvariants(bank.owner)).filter(({ name, violations }) => violations > 0 && name !== byHand)
  assert.deepEqual(broken, [])
  assert.equal((await one('select count(*)::int from approvals where payload->>$1 = $2', 'account_id', account_id)).count, 1)
  const { body } = await decide(approval, bob)
  assert.deepEqual([body.state, body.result.id], ['APPROVED', approval.resource_id])
  assert.deepEqual((await post()).body, approval)
  const { count } = await one('select count(*)::int from transfers where account_id = $1', account_id)
  assert.equal(count, 1)
  // The registration of a client, most of which one person does, gets the same response as before.
  const registered = await alice.for(venture_id).post('/clients/person', somePerson())
  assert.deepEqual([registered.status, registered.headers['location']], [201, `/api/v1/clients/${registered.body.id}`], registered.text)
})

test('the same reserved order, requested again by its reference, has one approval and is carried out once', async () => {
  const { id: account_id } = await venture.openAccount()
  const order = { account_id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '7.00' }
  const post = (by: HttpCaller, changes: object = {}) => by.for(venture_id).post('/transfers', { ...order, ...changes })
  const [first, ...others] = await Promise.all([alice, alice, bob, carol].map((by) => asked(post(by))))
  for (const other of others) assert.deepEqual(other, first)
  assert.equal((await one("select count(*)::int from approvals where payload ->> 'account_id' = $1", account_id)).count, 1)
  const another = await post(alice, { credit_amount: '8.00' })
  assert.deepEqual([...codeOf(another), another.problem.approval_id], [409, 'approval_pending', first?.id])
  const checker = first?.maker_id === people[1].id ? carol : bob
  assert.equal((await decide(first as { id: string }, checker)).body.state, 'APPROVED')
  assert.deepEqual(codeOf(await decide(first as { id: string }, checker)), [409, 'approval_not_pending'])
  assert.deepEqual(codeOf(await post(alice)), [409, 'unique_reference_used'])
  assert.equal((await one('select count(*)::int from transfers where account_id = $1', account_id)).count, 1)
})

test('two requests about one resource do not wait at the same time, whatever they are', async () => {
  const account = await frozenAccount()
  const forVenture = alice.for(venture_id)
  const approval = await asked(forVenture.post(`/accounts/${account.id}/activate`))
  await nothingHappens(async () => {
    for (const caller of [forVenture, bob.for(venture_id)]) {
      const answer = await caller.post(`/accounts/${account.id}/close`)
      assert.deepEqual([...codeOf(answer), answer.problem.approval_id], [409, 'approval_pending', approval.id])
    }
  })
})

test('people of the bank see which moves need a second person, and with four eyes off none does', async () => {
  const { id: account_id } = await venture.openAccount()
  const { id } = await venture.order({ account_id, direction: 'INBOUND', credit_amount: '5.00' })
  const received = async (by: Caller) =>
    (await by.get(`/transfers/${id}/transitions`)).body.find(({ status }: Loose) => status === 'RECEIVED')
  assert.equal((await received(alice.for(venture_id))).blocked_by, 'approval_required')
  const alone = new Caller(await bank.openInstance({ fourEyes: false }), alice.for(venture_id).headers)
  assert.equal((await received(alone)).allowed, true)
  assert.equal((await received(venture)).blocked_by, 'reserved_to_bank')
})

test('with four eyes off, one person does all of it at once', async () => {
  const app = await bank.openInstance({ fourEyes: false })
  const alone = new Caller(app, alice.headers)
  const forVenture = new Caller(app, alice.for(venture_id).headers)
  assert.ok((await alone.post('/operator/users', { email: someEmail(), role: 'operator' })).body.url)
  const id = await somebody('auditor', 'DISABLED')
  assert.deepEqual((await alone.put(`/operator/users/${id}`, { bank_role: 'operator', status: 'ACTIVE' })).body.bank_role, 'operator')
  assert.equal((await alone.post(`/operator/users/${id}/reset`)).status, 201)
  assert.equal((await forVenture.post('/venture/keys', { name: 'Third', scopes: ['read'] })).status, 201)
  const { id: account_id } = await frozenAccount()
  assert.equal((await forVenture.post(`/accounts/${account_id}/close`)).body.status, 'CLOSED')
  const open = await venture.openAccount()
  const order = { account_id: open.id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '7.00' }
  const created = await forVenture.post('/transfers', order)
  assert.deepEqual([created.status, created.headers['location']], [201, `/api/v1/transfers/${created.body.id}`])
  const moved = await forVenture.put(`/transfers/${created.body.id}`, { status: 'RECEIVED', third_party_status: 'ACCC' })
  assert.equal(moved.body.status, 'RECEIVED')
})

test('a person who acts for a venture reads it as its key does', async () => {
  const { body } = await venture.get('/venture')
  assert.ok(body.api_key_prefix)
  const member = await openMember(bank, venture_id, 'viewer')
  for (const caller of [alice.for(venture_id), overHttp(member), adminKey.for(venture_id)])
    assert.deepEqual((await caller.get('/venture')).body, body)
})

test('the admin key lets the first three admins in, and gives nobody a puppet afterwards', async () => {
  const fresh = await openBank({ fourEyes: true })
  const invite = (role = 'admin') => fresh.admin.post('/operator/users', { email: someEmail(), role })
  assert.deepEqual(codeOf(await invite('operator')), [403, 'person_needed'])
  const enterBy = async (link: Loose) => signIn(fresh, await acceptLink(fresh, link))
  const first = await enterBy((await invite()).body)
  const spare = (await invite()).body
  const second = await enterBy((await invite()).body)
  const third = await enterBy((await invite()).body)
  const venture = await fresh.registerVenture()
  const path = `/ventures/${venture.venture.id}`
  await fresh.admin.put(path, { status: 'DISABLED' })
  const statusNow = async () => (await fresh.admin.get(path)).body.status

  // With three admins, neither a new invitation nor an earlier one lets a fourth in.
  assert.deepEqual(codeOf(await invite()), [409, 'bank_has_admins'])
  await assert.rejects(acceptLink(fresh, spare), /link_expired/)
  const { body: asked } = await first.put(path, { status: 'ACTIVE' })

  // An attacker with the admin key disables two of them and lets a puppet in.
  for (const { id } of [second, third]) await fresh.admin.put(`/operator/users/${id}`, { status: 'DISABLED' })
  const puppet = await enterBy((await invite()).body)
  assert.deepEqual(codeOf(await puppet.post(`/operator/approvals/${asked.id}/approve`)), [409, 'related_approval'])
  // Two puppets that were let in one after the other do not count as two people either.
  await fresh.admin.put(`/operator/users/${first.id}`, { status: 'DISABLED' })
  const another = await enterBy((await invite()).body)
  const { body: theirs } = await puppet.put(path, { status: 'ACTIVE' })
  assert.equal(theirs.state, 'PENDING')
  assert.deepEqual(codeOf(await another.post(`/operator/approvals/${theirs.id}/approve`)), [409, 'related_approval'])
  assert.equal(await statusNow(), 'DISABLED')
})

test('of many invitations of the admin key that are used at once, three let somebody in', async () => {
  const fresh = await openBank({ fourEyes: true })
  const invite = async () => (await fresh.admin.post('/operator/users', { email: someEmail(), role: 'admin' })).body
  const links = [await invite(), await invite(), await invite(), await invite()]
  // Nobody comes in before all of them have begun.
  await fresh.owner.query('begin; lock table memberships in share mode')
  const uses = Promise.allSettled(links.map((link) => acceptLink(fresh, link)))
  const waiting = `
    select count(distinct pid)::int from pg_locks
    where not granted and database = (select oid from pg_database where datname = current_database())`
  while ((await fresh.owner.query(waiting)).rows[0].count < links.length) await sleep(5)
  await fresh.owner.query('commit')
  assert.deepEqual((await uses).map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  const { rows } = await fresh.owner.query("select count(*)::int from memberships where role = 'admin'")
  assert.equal(rows[0].count, 3)
})
