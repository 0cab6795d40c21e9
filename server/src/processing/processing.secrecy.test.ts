// All that a venture sees of screening, anywhere, is that a payment is under review.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { companion } from '../platform/companions.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank(
  { fourEyes: true, webhookAllowPrivateNetwork: true },
  {
    screener: {
      screen: async (payments) =>
        payments.map(({ transfer: { cr_name } }) => ({
          hits_client: true,
          outcome: cr_name === 'Viktor One' ? 'HIT' : cr_name === 'Viktor Two' ? 'BLOCK' : 'CLEAR',
          // Rows written with the walk are not shown. The number has more digits than a time of day, so that no time looks like it.
          companions: [
            companion({ name: 'screenings', acquire: async (_tx, rows) => rows.map(() => 'granted' as const) }, { score: 0.97351 }),
          ],
        })),
    },
  },
)
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const [ann, bob] = [await openBanker(bank, 'admin'), await openBanker(bank, 'operator')]
const alone = new Caller(await bank.openInstance({ fourEyes: false }), bank.admin.headers)

test('a venture learns nothing of scores, rules, lists, cases and decisions', async () => {
  const receiver = await openReceiver()
  const endpoint = await venture.post('/webhook-endpoints', { url: receiver.url })
  assert.equal(endpoint.status, 201, endpoint.text)
  const rules = [
    { kind: 'new_payee', above: '77.77' },
    { kind: 'just_below', threshold: '10000', share: '0.1', count: 9, days: 7 },
  ]
  const changed = await alone.put(`/ventures/${venture_id}/policy`, {
    rules,
    review_above: '444.44',
    screen_threshold: '0.8123',
    block_threshold: '0.9456',
    lists: ['ofac-sdn'],
  })
  assert.equal(changed.status, 200, changed.text)

  const account = await venture.openAccount({ balance: '5000.00' })
  const pay = async (name: string, debit_amount: string) => {
    const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
    return venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount })
  }
  const payments = [
    await pay('Viktor One', '5.00'),
    await pay('Viktor One', '6.00'),
    await pay('Viktor Two', '7.00'),
    await pay('Somebody New', '88.00'),
  ]
  await bank.runProcessing()
  // A known payee, so that only the amount is reviewed.
  const plain = await pay('Plain', '9.00')
  await bank.runProcessing()
  const large = await pay('Plain', '500.00')
  await bank.runProcessing()
  const all = [...payments, plain, large]
  const { body: cases } = await ann.get(`/operator/cases?venture_id=${venture_id}`)
  assert.deepEqual(cases.map(({ kind }: Loose) => kind).sort(), ['amount', 'hit', 'hit', 'hit', 'rule'])

  const seen: string[] = []
  const look = async () => {
    for (const { id } of all) {
      for (const path of ['', '/history', '/transitions']) seen.push((await venture.get(`/transfers/${id}${path}`)).text)
      for (const status of ['AML_APPROVED', 'CANCELLED', 'REVIEW', 'ON_HOLD']) {
        seen.push((await venture.put(`/transfers/${id}`, { status })).text)
      }
      seen.push((await venture.get(`/operator/cases?resource_id=${id}`)).text)
    }
    for (const path of ['/transfers', '/events?limit=100', '/accounts', '/clients', '/beneficiaries', '/venture']) {
      seen.push((await venture.get(path)).text)
    }
    for (const { id } of cases) seen.push((await venture.get(`/operator/cases/${id}`)).text.replaceAll(id, ''))
    seen.push((await venture.get(`/ventures/${venture_id}/policy`)).text)
  }
  await look()
  const { body: history } = await venture.get(`/transfers/${payments[0].id}/history`)
  const last = history.at(-1)
  assert.deepEqual(
    [last.to_status, last.reason, last.reason_code, last.actor, last.actor_id],
    ['REVIEW', 'Under review. Policy version 1.', null, 'service', null],
  )
  const reviewed = [...payments, large]
  const paths = await Promise.all(
    reviewed.map(async ({ id }) =>
      (await venture.get(`/transfers/${id}/history`)).body.map(({ from_status, to_status }: Loose) => `${from_status} ${to_status}`),
    ),
  )
  const expected = ['null CREATED', 'CREATED RESERVED', 'RESERVED READY_FOR_SCREENING', 'READY_FOR_SCREENING REVIEW']
  for (const path of paths) assert.deepEqual(path, expected, 'a list and a rule look the same')
  const { body: known } = await ann.actingFor(venture_id).get(`/transfers/${large.id}/history`)
  assert.equal(known.at(-1).from_status, 'AML_SCANNING', 'the bank sees everything')
  const reasons = await Promise.all(all.map(async ({ id }) => (await venture.get(`/transfers/${id}`)).body.status_reason))
  const underReview = 'Under review. Policy version 1.'
  assert.deepEqual(reasons.toSpliced(4, 1), [underReview, underReview, underReview, underReview, underReview], 'all reviews look the same')

  // Clear, decline and freeze.
  const decide = async ({ id }: Loose, decision: string, comment: string) => {
    const of = cases.find(({ resource_id }: Loose) => resource_id === id)
    const answer = await ann.post(`/operator/cases/${of.id}/decisions`, { decision, comment })
    if (answer.status === 202) await bob.post(`/operator/approvals/${answer.body.id}/approve`)
  }
  const comment = 'Compared with the secret dossier'
  await decide(payments[0], 'clear', comment)
  await decide(payments[1], 'decline', comment)
  await decide(payments[3], 'decline', comment)
  await decide(large, 'approve', comment)
  await bank.runProcessing()
  await look()
  await decide(payments[2], 'freeze', comment)
  await bank.runJobs()
  await look()
  const ends = await Promise.all(all.map(async ({ id }) => (await venture.get(`/transfers/${id}`)).body.status))
  assert.deepEqual(ends, ['COMPLETED', 'AML_REJECTED', 'ON_HOLD', 'AML_REJECTED', 'COMPLETED', 'COMPLETED'])
  await bank.runDeliveries()
  assert.ok(receiver.arrivals.length > 20)
  for (const { body } of receiver.arrivals) seen.push(body)

  const secrets = [
    ...cases.map(({ id }: Loose) => id),
    ann.id,
    bob.id,
    comment,
    'dossier',
    'ofac',
    'sdn',
    '0.97351',
    '0.8123',
    '0.9456',
    '77.77',
    '444.44',
    'new_payee',
    'just_below',
    'review_above',
    'threshold',
    'score',
    'watchlist',
    'watch list',
    '"hit"',
    '"rule"',
    'BLOCK"',
    'HIT"',
    'alert',
    'figures',
    'sanction',
    'proposes',
    'outcome',
    'decide-case',
  ]
  for (const secret of secrets)
    for (const text of seen) assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${secret} is in ${text}`)
  assert.ok(seen.some((text) => text.includes(underReview)))
})

/** The counter of the id generator within a millisecond. */
function counterOf(id: string): number {
  const digits = id.replaceAll('-', '')
  return Number.parseInt(digits.slice(13, 16), 16) * 2 ** 30 + (Number.parseInt(digits.slice(16, 24), 16) & 0x3fffffff)
}

test('the ids of moves and events do not tell a list from a rule either', async () => {
  const rules = [{ kind: 'amount', above: '50' }]
  const changed = await alone.put(`/ventures/${venture_id}/policy`, { rules, review_above: null })
  assert.equal(changed.status, 200, changed.text)
  const account = await venture.openAccount({ balance: '500.00' })
  const idsOf = async (name: string, debit_amount: string): Promise<number[]> => {
    const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
    const { id } = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount })
    // All ids of the walk are made in the same millisecond.
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await bank.runProcessing().finally(() => mock.timers.reset())
    const { body: moves } = await venture.get(`/transfers/${id}/history`)
    assert.deepEqual([moves.length, moves.at(-1).to_status], [4, 'REVIEW'])
    const { body: events } = await venture.get(`/events?resource_id=${id}`)
    const walk = events.find(({ data }: Loose) => data.object.status === 'REVIEW')
    return [...moves.slice(1).map((move: Loose) => move.id), walk.id].map(counterOf)
  }
  const gapsOf = (ids: readonly number[]) => ids.slice(1).map((id, index) => id - (ids[index] ?? 0))
  const [byList, byRule] = [gapsOf(await idsOf('Viktor One', '5.00')), gapsOf(await idsOf('Somebody Else', '60.00'))]
  assert.deepEqual(byList, byRule)
})
