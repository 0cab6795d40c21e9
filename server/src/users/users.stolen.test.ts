// A cookie that was stolen, or planted before a person signs in. It is worthless once the person has left, was removed or has signed in
// again, and whatever was opened with it before ends too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptLink, consoleOf, goodPassword, openBanker, openMember, PersonCaller, signIn, tokenIn } from '../testing/testing.sessions.ts'
import { Caller, openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'

const bank = await openBank({ streamHeartbeat_ms: 50 })
const url = await bank.listen()
const { id: venture_id } = (await bank.registerVenture()).venture

/** What a thief does with the cookie: reads, changes, and listens. */
async function steal({ headers }: PersonCaller) {
  const thief = new Caller(bank.app, headers)
  const stream = await fetch(`${url}/console/stream`, { headers })
  assert.equal(stream.status, 200)
  const listening = listen(stream)
  assert.equal((await thief.get('/clients')).status, 200)
  return {
    /** The refusals of a reading and a changing request, after the stream has ended. */
    async refusals(): Promise<string[]> {
      const before = listening.heartbeats
      await eventually(() => listening.ended || listening.heartbeats >= before + manyHeartbeats)
      assert.ok(listening.ended, 'the stream continues')
      const again = await fetch(`${url}/console/stream?seconds=0`, { headers })
      const answers = [await thief.get('/clients'), await thief.post('/clients/person', { surprise: 1 })]
      return [...answers.map(({ status }) => String(status)), String(again.status)]
    },
  }
}

/** A stream ends with one of the next heartbeats. This is more than can be in transit when it ends. */
const manyHeartbeats = 40

/** Reads continuously, so that nothing is left unread when something ends. */
function listen({ body }: Response): { heartbeats: number; ended: boolean } {
  const listening = { heartbeats: 0, ended: false }
  const read = async () => {
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>)
      listening.heartbeats += Buffer.from(bytes).toString().split('still here').length - 1
    listening.ended = true
  }
  void read()
  return listening
}

const out = ['401', '401', '401']
const ownerOf = (person: PersonCaller) => new PersonCaller(bank.app, { person: person.person, token: person.token, venture_id })

const endings: Record<string, { end(victim: PersonCaller): Promise<unknown>; refusals: string[] }> = {
  'its person has signed out': { end: (victim) => victim.delete('/session'), refusals: out },
  'its person has ended it from another browser': {
    end: async (victim) => {
      const { id } = (await victim.get('/session')).body
      return (await signIn(bank, victim.person)).delete(`/session/sessions/${id}`)
    },
    refusals: out,
  },
  'its person has signed out everywhere': {
    end: async (victim) => {
      const other = await signIn(bank, victim.person)
      const { body: sessions } = await other.get('/session/sessions')
      for (const { id } of sessions.toReversed()) await other.delete(`/session/sessions/${id}`)
    },
    refusals: out,
  },
  'its person has changed the password in another browser': {
    end: async (victim) =>
      (await signIn(bank, victim.person, venture_id)).put('/session/password', { new_password: 'nine loud mountains 17' }),
    refusals: out,
  },
  'its person has used a link to choose another password': {
    end: async (victim) => {
      const admin = await openMember(bank, venture_id, 'admin')
      const link = await admin.post(`/venture/users/${victim.id}/reset`)
      assert.equal(link.status, 201, link.text)
      const used = await consoleOf(bank).post('/session/links', {
        secret: new URL(link.body.url).hash.slice(1),
        password: 'nine loud mountains 17',
      })
      assert.equal(used.status, 200, used.text)
    },
    refusals: out,
  },
  'its person has proved again who they are': {
    end: (victim) => victim.post('/session/reauthentication', { password: goodPassword }),
    refusals: out,
  },
  'its person has signed in again in the same browser': {
    end: (victim) => victim.post('/session', { email: victim.person.email, password: goodPassword }),
    refusals: out,
  },
  'its person was disabled': {
    end: (victim) => bank.admin.put(`/operator/users/${victim.id}`, { status: 'DISABLED' }),
    refusals: out,
  },
  'its person was taken out of the venture': {
    end: async (victim) => (await openMember(bank, venture_id, 'admin')).delete(`/venture/users/${victim.id}`),
    refusals: ['404', '404', '404'],
  },
}

for (const [name, { end, refusals }] of Object.entries(endings)) {
  test(`a stolen cookie is worth nothing after ${name}`, async () => {
    const victim = await openMember(bank, venture_id, 'operator')
    const thief = await steal(ownerOf(victim))
    await end(victim)
    assert.deepEqual(await thief.refusals(), refusals)
  })
}

test('a stolen cookie of the bank is worth nothing after its person has left the bank', async () => {
  const banker = await openBanker(bank, 'operator', venture_id)
  const thief = await steal(banker)
  assert.equal((await bank.admin.put(`/operator/users/${banker.id}`, { bank_role: null })).status, 200)
  assert.deepEqual(await thief.refusals(), ['404', '404', '404'])
})

test('a person who loses a role loses at once what it allowed, with the same cookie', async () => {
  const person = await openMember(bank, venture_id, 'operator')
  assert.equal((await person.post('/clients/person', { surprise: 1 })).status, 400)
  const admin = await openMember(bank, venture_id, 'admin')
  assert.equal((await admin.put(`/venture/users/${person.id}`, { role: 'viewer' })).status, 200)
  assert.equal((await person.post('/clients/person', { surprise: 1 })).status, 403)
  assert.equal((await person.get('/clients')).status, 200)
})

test('a cookie that was planted before somebody signs in never becomes a session', async () => {
  const victim = await openMember(bank, venture_id, 'viewer')
  const attacker = await openMember(bank, venture_id, 'viewer')
  const planted = [attacker.token, 'A'.repeat(43), 'short', '']
  for (const token of planted) {
    const browser = new PersonCaller(bank.app, { person: victim.person, token, venture_id })
    const answer = await browser.post('/session', { email: victim.person.email, password: goodPassword })
    assert.equal(answer.status, 200, token)
    const given = tokenIn(answer)
    assert.ok(!planted.includes(given), token)
    // Planting it does not sign anyone in.
    assert.equal((await browser.get('/session')).status, 401, token)
    const { body } = await new PersonCaller(bank.app, { person: victim.person, token: given }).get('/session')
    assert.equal(body.user.id, victim.id)
  }
})

test('every sign-in and every rise of rights gives another token', async () => {
  const victim = await openMember(bank, venture_id, 'viewer')
  const tokens = new Set([victim.token])
  let { token } = victim
  for (const path of ['/session', '/session/reauthentication', '/session']) {
    const browser = new PersonCaller(bank.app, { person: victim.person, token, venture_id })
    const body = { ...(path === '/session' ? { email: victim.person.email } : {}), password: goodPassword }
    token = tokenIn(await browser.post(path, body))
    assert.equal((await browser.get('/session')).status, 401, 'the last token still works')
    tokens.add(token)
  }
  assert.equal(tokens.size, 4)
})

test('using a link signs nobody in, and leaves a planted cookie without a person', async () => {
  const admin = await openMember(bank, venture_id, 'admin')
  const { body: link } = await admin.post('/venture/users', { email: 'invited@example.com', role: 'viewer' })
  const person = await acceptLink(bank, link)
  const { body: sessions } = await (await signIn(bank, person)).get('/session/sessions')
  assert.equal(sessions.length, 1)
})
