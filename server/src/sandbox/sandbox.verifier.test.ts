import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { someOnboarding } from '../testing/testing.people.ts'
import { openBank, type VentureCaller } from '../testing/testing.ts'

const bank = await openBank()
const url = await bank.listen()
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function onboard(venture: VentureCaller, changes: object = {}): Promise<string> {
  const { id } = await venture.registerClient(changes)
  assert.equal((await venture.post(`/clients/${id}/onboarding/details`, someOnboarding)).status, 201)
  return id
}

/** The page behind the client's `kyc_link`. */
async function openPage(venture: VentureCaller, client_id: string) {
  await bank.runJobs()
  const { kyc_link } = (await venture.get(`/clients/${client_id}/onboarding/details`)).body
  const read = async () => (await fetch(kyc_link)).text()
  const decide = async (outcome: string) => {
    const answer = await fetch(kyc_link, { method: 'POST', headers: browser, body: new URLSearchParams({ outcome }) })
    return { status: answer.status, text: await answer.text() }
  }
  return { read, decide }
}

const decide = (venture: VentureCaller, client_id: string, outcome = 'APPROVED') =>
  venture.post(`/sandbox/clients/${client_id}/verification`, { outcome })

const statusOf = async (venture: VentureCaller, client_id: string) => (await venture.get(`/clients/${client_id}`)).body.kyc_status
const buttonsOf = (text: string) =>
  [...text.matchAll(/<button(?: class="(\w+)")? name="outcome" value="(\w+)">/g)].map(([, ...found]) => found)

test('a decision right after the onboarding details waits until the application is open', async () => {
  const venture = await bank.registerVenture()
  const client_id = await onboard(venture)
  const answer = decide(venture, client_id)
  // Long enough for the request to look for the application once, without success.
  await sleep(300)
  await bank.runJobs()
  assert.deepEqual((await answer).body, { client_id, outcome: 'APPROVED' })
  assert.equal((await answer).status, 202)
  await bank.runJobs()
  assert.equal(await statusOf(venture, client_id), 'VALIDATED')
})

test('many decisions that wait for one application are all carried out', async () => {
  const venture = await bank.registerVenture()
  const client_id = await onboard(venture)
  const answers = Array.from({ length: 8 }, () => decide(venture, client_id))
  await bank.runJobs()
  for (const { status } of await Promise.all(answers)) assert.equal(status, 202)
})

test('a decision without onboarding details is refused immediately, with what to do first', async () => {
  const venture = await bank.registerVenture()
  const { id } = await venture.registerClient()
  const { status, problem } = await decide(venture, id)
  assert.deepEqual([status, problem.code], [404, 'application_not_found'])
  assert.match(problem.detail, /Submit the onboarding details first: POST \/api\/v1\/clients\/\{client_id\}\/onboarding\/details/)
})

test('another venture’s client is not waited for', async () => {
  const client_id = await onboard(await bank.registerVenture())
  const { status, problem } = await decide(await bank.registerVenture(), client_id)
  assert.deepEqual([status, problem.code], [404, 'client_not_found'])
  await bank.runJobs()
})

test('a decision on an application that another verifier opened is refused immediately', async () => {
  const venture = await bank.registerVenture()
  const client_id = await onboard(venture)
  await bank.owner.query('update onboarding_details set kyc_application_id = $2 where client_id = $1', [client_id, randomUUID()])
  const { status, problem } = await decide(venture, client_id)
  assert.deepEqual([status, problem.code], [404, 'application_not_found'])
  assert.match(problem.detail, /no application at the sandbox verifier/)
  await bank.runJobs()
})

test('when no application is opened in time, the refusal says what to do, and nothing is decided', async () => {
  const venture = await bank.registerVenture()
  const client_id = await onboard(venture)
  const { status, problem } = await decide(venture, client_id)
  assert.deepEqual([status, problem.code], [404, 'application_not_found'])
  assert.match(problem.detail, /has not opened the application within 5 seconds\. Try again in a moment\./)
  await bank.runJobs()
  assert.equal(await statusOf(venture, client_id), 'PROCESSING')
  assert.equal((await decide(venture, client_id)).status, 202)
})

test('the page says whose application it is, and puts approving first', async () => {
  const venture = await bank.registerVenture('Bank <b>One</b>')
  const { read } = await openPage(venture, await onboard(venture, { first_name: 'Zoé', last_name: 'Benali' }))
  const text = await read()
  assert.match(text, /<dt>Applicant<\/dt><dd><bdi>Zoé Benali<\/bdi><\/dd>/)
  assert.match(text, /<dt>Client of<\/dt><dd><bdi>Bank &lt;b&gt;One&lt;\/b&gt;<\/bdi><\/dd>/)
  assert.deepEqual(buttonsOf(text), [
    ['main', 'APPROVED'],
    [undefined, 'DECLINED'],
    [undefined, 'REVIEW'],
    [undefined, 'ABORTED'],
  ])
})

test('after a decision the page says what happened and what comes next', async () => {
  const venture = await bank.registerVenture()
  const { read, decide } = await openPage(venture, await onboard(venture))
  for (const [outcome, title, kyc_status, next, isOver] of [
    ['REVIEW', 'Application in review', 'PENDING_REVIEW', 'Next, approve or decline it here.', false],
    ['DECLINED', 'Application declined', 'DECLINED', 'You can close this window.', true],
    ['ABORTED', 'Application aborted', 'ABORTED', 'You can close this window.', true],
    ['APPROVED', 'Application approved', 'VALIDATED', 'You can close this window.', true],
  ] as const) {
    const { status, text } = await decide(outcome)
    assert.equal(status, 200)
    assert.match(
      text,
      new RegExp(`<h1 class="\\w+">${title}</h1>\n<p role="status">[^/]*kyc_status</code>[^/]*>${kyc_status}</code>.<br>${next}</p>`),
    )
    assert.equal(text.includes('<details>'), isOver)
    assert.equal(buttonsOf(text).length, 3)
    assert.ok(buttonsOf(text).every(([, other]) => other !== outcome))
    assert.equal(await read(), text)
  }
})

test('a browser with an unknown application or an unreadable request gets a page, other clients a problem', async () => {
  const address = `${url}/sandbox/verifier/${'a'.repeat(32)}`
  const missing = await fetch(address, { headers: browser })
  assert.equal(missing.status, 404)
  assert.equal(missing.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(missing.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.match(await missing.text(), /<h1>Application not found<\/h1>/)
  const venture = await bank.registerVenture()
  const { decide } = await openPage(venture, await onboard(venture))
  const { status, text } = await decide('MAYBE')
  assert.equal(status, 400)
  assert.match(text, /<h1>Request not understood<\/h1>/)
  const problem = await fetch(address)
  assert.equal(problem.status, 404)
  assert.match(await problem.text(), /"code":"application_not_found"/)
})
