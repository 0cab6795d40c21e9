// Instant payments of other banks: yes or no within the seconds, and credited by the clearing system's word alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOnAccount } from '../../accounts/accounts.ts'
import { MessageReader } from '../../iso20022/iso20022.ts'
import { type ScreenArriving, screenerOfArriving } from '../../processing/processing.instants.ts'
import { operator } from '../../testing/testing.managed.ts'
import { instantly, type Seen, theirBic } from '../../testing/testing.otherbank.ts'
import { applyingOf, openRails } from '../../testing/testing.rails.ts'
import type { Loose } from '../../testing/testing.ts'
import { Inbox } from '../inbox/rails.inbox.ts'

/** The real screening, once the bank is open. */
let screenArriving: ScreenArriving
const rails = await openRails(
  {},
  {
    screener: {
      screen: async (transfers) => transfers.map(() => ({ outcome: 'CLEAR', companions: [] })),
      screenArriving: (arriving) => screenArriving(arriving),
    },
  },
)
await rails.bank.lists.refresh()
screenArriving = screenerOfArriving(rails.bank.database, rails.bank.rescreening.comparison)
const { other, bank, venture, rows, outcomesOf, openCases, lastCase, takeIn, booksAreRight, statusOf } = rails

type Options = { age_s?: number; account?: Loose; debtor?: { name: string } }
type Paid = { file: string; seen: Seen; account: Loose }

/** The other bank pays an account of ours. */
async function paid(amount = '10.00', { age_s = 0, account: given, debtor }: Options = {}): Promise<Paid> {
  const account = given ?? (await venture.openAccount())
  const tx_id = other.next('INST')
  const units = BigInt(Math.round(Number(amount) * 100)) * 100n
  const file = other.pay([
    {
      tx_id,
      end_to_end_id: `E-${tx_id}`,
      creditor_iban: account['account_number'],
      amount: units,
      ...instantly(age_s),
      ...(debtor && { debtor }),
    },
  ])
  const seen = {
    message_id: file.slice(0, -4),
    message_type: 'pacs.008.001.08',
    tx_id,
    end_to_end_id: `E-${tx_id}`,
    amount: units,
    currency: 'EUR',
  }
  return { file, seen, account }
}

async function arrived(amount?: string, options?: Options): Promise<Paid & { transfer: Loose }> {
  const one = await paid(amount, options)
  await takeIn()
  return { ...one, transfer: await transferOf(one) }
}

const transferOf = async ({ account }: Pick<Paid, 'account'>): Promise<Loose> =>
  (await rows(`select * from transfers where account_id = $1 and direction = 'INBOUND' order by id desc limit 1`, account['id']))[0]
const balanceOf = async ({ account }: Pick<Paid, 'account'>): Promise<string> =>
  (await venture.balances(account as { id: string }))[0] as string
const stateOf = async ({ seen }: Pick<Paid, 'seen'>): Promise<string> =>
  (await rows('select state from rail_instants where tx_id = $1', seen.tx_id))[0]?.state
const answersTo = async ({ seen }: Pick<Paid, 'seen'>): Promise<Loose[]> =>
  (await other.received())
    .filter(({ type }) => type === 'pacs.002.001.10')
    .flatMap(({ message }: Loose) => message.transactions)
    .filter(({ original_tx_id }: Loose) => original_tx_id === seen.tx_id)
    .map(({ status, reasons }: Loose) => [status, reasons?.[0]?.code])
const questionsAbout = async ({ seen }: Pick<Paid, 'seen'>): Promise<Loose[]> =>
  (await other.received())
    .filter(({ type }) => type === 'pacs.028.001.03')
    .flatMap(({ message }: Loose) => message.transactions)
    .filter(({ original_tx_id }: Loose) => original_tx_id === seen.tx_id)
const silence = async ({ seen }: Pick<Paid, 'seen'>) => {
  await bank.owner.query(`update rail_instants set created_at = created_at - interval '21 seconds' where tx_id = $1`, [seen.tx_id])
  await bank.runInbox()
  await bank.runSending()
}

test('what is in time is accepted, and credited only when the clearing system has confirmed it', async () => {
  const one = await arrived('10.00', { age_s: 4 })
  assert.deepEqual([one.transfer['status'], await stateOf(one), await balanceOf(one)], ['ACCEPTED', 'AWAITED', '0.00'])
  assert.deepEqual(await answersTo(one), [['ACCP', undefined]])
  const history = (await venture.get(`/transfers/${one.transfer['id']}/history`)).body.map(({ to_status }: Loose) => to_status)
  assert.deepEqual(history.slice(-2), ['AML_APPROVED', 'ACCEPTED'])
  const [screening] = await rows('select cause, outcome, versions from screenings where subject_id = $1', one.transfer['id'])
  assert.deepEqual(screening, { cause: 'art_5d', outcome: 'CLEAR', versions: [] })
  await booksAreRight()
  // Time changes nothing, and neither does a word that is not final.
  const noted = other.answer([one.seen], 'ACSP')
  await takeIn()
  assert.deepEqual([await outcomesOf(noted), await statusOf(one.transfer as { id: string })], [[[1, 'noted']], 'ACCEPTED'])
  const yes = other.answer([one.seen], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(yes), await stateOf(one), await balanceOf(one)], [[[1, 'applied']], 'CONFIRMED', '10.00'])
  assert.equal((await transferOf(one))['third_party_status'], 'ACSC')
  await booksAreRight()
})

test('what is late is refused with AB05, and nothing is booked', async () => {
  const house = await rails.houseBalances()
  for (const age_s of [9, 3_600]) {
    const one = await arrived('10.00', { age_s })
    assert.deepEqual([await outcomesOf(one.file), one.transfer, await answersTo(one)], [[[1, 'refused']], undefined, [['RJCT', 'AB05']]])
    // The same payment has the same answer, although it could be accepted by now.
    const again = other.pay([
      {
        tx_id: one.seen.tx_id,
        end_to_end_id: one.seen.end_to_end_id,
        creditor_iban: one.account['account_number'],
        amount: 10_0000n,
        ...instantly(),
      },
    ])
    const differs = other.pay([{ tx_id: one.seen.tx_id, creditor_iban: one.account['account_number'], amount: 11_0000n, ...instantly() }])
    await takeIn()
    assert.deepEqual([await outcomesOf(again), await outcomesOf(differs)], [[[1, 'known']], [[1, 'case']]])
    assert.deepEqual(await answersTo(one), [
      ['RJCT', 'AB05'],
      ['RJCT', 'AB05'],
    ])
    // The clearing system confirms our no. If it has settled nevertheless, people have to know.
    const no = other.answer([one.seen], 'RJCT', { reason: 'AB05' })
    const yes = other.answer([one.seen], 'ACSC')
    await takeIn()
    assert.deepEqual([await outcomesOf(no), await outcomesOf(yes)], [[[1, 'known']], [[1, 'case']]])
    assert.equal((await lastCase('message')).payload.problem, 'settled_refused')
  }
  assert.deepEqual(await rails.houseBalances(), house)
  await booksAreRight()
})

test('a message from the future is processed, and counted for the alert', async () => {
  const before = bank.services.inbox?.figures.clock_off ?? 0
  const [soon, ahead] = [await arrived('10.00', { age_s: -1 }), await arrived('10.00', { age_s: -60 })]
  assert.deepEqual([await answersTo(soon), await answersTo(ahead)], [[['ACCP', undefined]], [['ACCP', undefined]]])
  assert.equal((bank.services.inbox?.figures.clock_off ?? 0) - before, 1)
})

test('a rejection after our yes ends the payment: the client gets nothing, and nothing is sent back', async () => {
  const one = await arrived('12.00')
  const house = await rails.houseBalances()
  const no = other.answer([one.seen], 'RJCT', { reason: 'AB06' })
  await takeIn()
  const transfer = await transferOf(one)
  assert.deepEqual(
    [await outcomesOf(no), transfer['status'], transfer['status_reason_code'], await stateOf(one), await balanceOf(one)],
    [[[1, 'applied']], 'REJECTED', 'AB06', 'REJECTED', '0.00'],
  )
  assert.equal((await rows('select 1 from rail_payments where transfer_id = $1', transfer['id'])).length, 0)
  assert.deepEqual(await rails.houseBalances(), house)
  assert.deepEqual(await questionsAbout(one), [])
  await booksAreRight()
})

test('the same word twice is known, and the opposite word later is a break: nothing is booked for it', async () => {
  for (const [first, opposite, status, balance] of [
    ['ACSC', 'RJCT', 'COMPLETED', '10.00'],
    ['RJCT', 'ACSC', 'REJECTED', '0.00'],
  ] as const) {
    const one = await arrived()
    other.answer([one.seen], first)
    await takeIn()
    const [again, other_word, repeated] = [
      other.answer([one.seen], first),
      other.answer([one.seen], opposite),
      other.answer([one.seen], opposite),
    ]
    await takeIn()
    assert.deepEqual([await outcomesOf(again)], [[[1, 'known']]])
    const found = [...(await outcomesOf(other_word)), ...(await outcomesOf(repeated))].map(([, outcome]) => outcome).sort()
    assert.deepEqual(found, ['break', 'known'])
    assert.deepEqual([(await transferOf(one))['status'], await balanceOf(one)], [status, balance])
    const open = await lastCase('break')
    const { body } = await bank.admin.get(`/operator/cases/${open['id']}`)
    assert.deepEqual([body.subject.kind, body.subject.amount, body.allowed_decisions], ['CONTRADICTED', '10.00', ['match']])
    await booksAreRight()
  }
})

test('two words that arrive together are applied one after the other, whichever is first', async () => {
  const given = await Promise.all(Array.from({ length: 6 }, () => arrived()))
  for (const [index, { seen }] of given.entries()) {
    const words = index % 2 === 0 ? ['ACSC', 'RJCT'] : ['RJCT', 'ACSC']
    for (const word of words) other.answer([seen], word)
  }
  await takeIn()
  for (const one of given) {
    const [state, status, balance] = [await stateOf(one), (await transferOf(one))['status'], await balanceOf(one)]
    assert.ok(
      ['CONFIRMED COMPLETED 10.00', 'REJECTED REJECTED 0.00'].includes(`${state} ${status} ${balance}`),
      `${state} ${status} ${balance}`,
    )
  }
  await booksAreRight()
})

test('two instances that read the same files book, answer and credit once', async () => {
  const second = new Inbox({
    ...applyingOf(bank),
    exchange: other.exchange,
    reader: new MessageReader(),
    applyStatement: async () => ({ outcome: 'APPLIED' }),
    allowedSenders: async () => [theirBic],
  })
  const both = async () => {
    await Promise.all([bank.runInbox(), second.runDue()])
    await takeIn()
  }
  const given = await Promise.all(Array.from({ length: 4 }, () => paid()))
  await both()
  for (const { seen } of given) other.answer([seen], 'ACSC')
  await both()
  for (const one of given)
    assert.deepEqual([await answersTo(one), await stateOf(one), await balanceOf(one)], [[['ACCP', undefined]], 'CONFIRMED', '10.00'])
  await booksAreRight()
})

test('a status names the payment by our answer as well, or as the status of the whole message', async () => {
  const one = await arrived()
  const [{ answer_id }] = await rows('select answer_id from rail_instants where tx_id = $1', one.seen.tx_id)
  const wrong = other.answer([{ ...one.seen, message_id: 'ANOTHER' }], 'ACSC')
  const amount = other.answer([one.seen], 'ACSC', { amount: '11.00' })
  await takeIn()
  assert.deepEqual([await outcomesOf(wrong), await outcomesOf(amount)], [[[1, 'case']], [[1, 'case']]])
  const ours = other.answer([{ ...one.seen, message_id: answer_id, message_type: 'pacs.002.001.10' }], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(ours), await balanceOf(one)], [[[1, 'applied']], '10.00'])
  const two = await arrived()
  const whole = other.answerMessage(two.seen, 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(whole), await balanceOf(two)], [[[0, 'applied']], '10.00'])
})

test('a confirmation that arrives before the payment credits nobody; the question after twenty seconds settles it', async () => {
  const account = await venture.openAccount()
  const seen = {
    message_id: 'EARLY-1',
    message_type: 'pacs.008.001.08',
    tx_id: other.next('INST'),
    end_to_end_id: 'E-1',
    amount: 10_0000n,
    currency: 'EUR',
  }
  const early = other.answer([seen], 'ACSC')
  await takeIn()
  assert.deepEqual(await outcomesOf(early), [[1, 'case']])
  const file = other.pay(
    [{ tx_id: seen.tx_id, end_to_end_id: seen.end_to_end_id, creditor_iban: account.account_number, ...instantly() }],
    {
      message_id: seen.message_id,
    },
  )
  await takeIn()
  const one = { file, seen, account }
  assert.deepEqual([(await transferOf(one))['status'], await balanceOf(one)], ['ACCEPTED', '0.00'])
  await silence(one)
  assert.equal((await questionsAbout(one)).length, 1)
  other.answer([seen], 'ACSC')
  await takeIn()
  assert.equal(await balanceOf(one), '10.00')
  await booksAreRight()
})

test('silence: after twenty seconds we ask once, people get a case, and an answer closes it', async () => {
  const one = await arrived()
  await silence(one)
  await silence(one)
  assert.deepEqual(
    (await questionsAbout(one)).map(({ original_message_id }) => original_message_id),
    [one.seen.message_id],
  )
  const [{ question_id }] = await rows('select question_id from rail_instants where tx_id = $1', one.seen.tx_id)
  const caseAbout = async () => (await rows('select * from cases where resource_id = $1', question_id))[0]
  assert.deepEqual([(await caseAbout()).kind, (await caseAbout()).state], ['delivery', 'OPEN'])
  assert.deepEqual((await bank.admin.get(`/operator/cases/${(await caseAbout()).id}`)).body.allowed_decisions, ['close'])
  assert.deepEqual([(await transferOf(one))['status'], await balanceOf(one)], ['ACCEPTED', '0.00'])
  other.answer([one.seen], 'ACSC')
  await takeIn()
  assert.deepEqual([(await caseAbout()).state, await balanceOf(one)], ['DECIDED', '10.00'])
  await booksAreRight()
})

test('nobody but the rails moves a payment that waits for its confirmation', async () => {
  const one = await arrived()
  const id = String(one.transfer['id'])
  for (const status of ['COMPLETED', 'TO_RETURN', 'SOME_PROBLEMS'] as const)
    for (const approved of [false, true])
      await assert.rejects(venture.move(id, { status }, { actor: operator, approved }), { code: 'sent_by_rails' })
  assert.equal(await statusOf({ id }), 'ACCEPTED')
})

test('money for an account that the bank has frozen is accepted, and stays', async () => {
  const account = await venture.openAccount()
  await actOnAccount(venture.accounts, { venture_id: venture.venture.id, id: account.id }, 'freeze', { actor: operator })
  const one = await arrived('10.00', { account })
  assert.deepEqual([await answersTo(one), one.transfer['status']], [[['ACCP', undefined]], 'ACCEPTED'])
  other.answer([one.seen], 'ACSC')
  await takeIn()
  assert.deepEqual([(await transferOf(one))['status'], await balanceOf(one)], ['CREDIT_TECH_BALANCE', '0.00'])
  assert.equal((await lastCase('suspended')).resource_id, one.transfer['id'])
  await booksAreRight()
})

test('a disabled venture accepts nothing: within the seconds the answer is no', async () => {
  const account = await venture.openAccount()
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  const one = await arrived('10.00', { account })
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE' })
  assert.deepEqual([await answersTo(one), one.transfer], [[['RJCT', 'MS03']], undefined])
})

test('without full runs for 26 hours the answer is no, with a case; a client who is hit is left out until the case is decided', async () => {
  const { id: venture_id } = venture.venture
  const account = await venture.openAccount()
  await bank.owner.query(`update ventures set created_at = created_at - interval '27 hours' where id = $1`, [venture_id])
  const late = await arrived('10.00', { account })
  assert.deepEqual([await answersTo(late), late.transfer], [[['RJCT', 'MS03']], undefined])
  const [open] = await openCases('screening_overdue')
  assert.deepEqual([open?.['venture_id'], open?.['resource_id'], open?.['severity']], [venture_id, venture_id, 'URGENT'])
  const run = (hours: number) =>
    bank.owner.query(
      `insert into screening_runs (venture_id, id, started_at, ended_at, compared)
       values ($1, gen_random_uuid(), now() - interval '28 hours', now() - make_interval(hours => $2), 1)`,
      [venture_id, hours],
    )
  await run(27)
  assert.deepEqual(await answersTo(await arrived('10.00', { account })), [['RJCT', 'MS03']])
  await run(25)
  assert.deepEqual(await answersTo(await arrived('10.00', { account })), [['ACCP', undefined]])
  await rails.decided(open as { id: string }, 'close')

  const client = await venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await bank.owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client['id']])
  await bank.runJobs()
  const listed = await venture.openAccount({ client_id: String(client['id']) })
  assert.deepEqual(await answersTo(await arrived('10.00', { account: listed })), [['RJCT', 'RR04']])
  const hit = (await openCases('name_hit')).find(({ resource_id }) => resource_id === client['id'])
  await rails.decided(hit as { id: string }, 'clear')
  assert.deepEqual(await answersTo(await arrived('10.00', { account: listed })), [['ACCP', undefined]])
  await booksAreRight()
})

test('transactions: only lists outside Art. 5d are compared; a hit is a no, and so is no decision in time', async () => {
  const { id } = venture.venture
  const grim = { debtor: { name: 'Mortimer Grimshade' } }
  // The sandbox's list is one of the article.
  for (const instant_screening of ['clients', 'transactions']) {
    await bank.admin.put(`/ventures/${id}/policy`, { instant_screening })
    assert.deepEqual(await answersTo(await arrived('10.00', grim)), [['ACCP', undefined]])
  }
  await bank.owner.query('update watchlists set outside_art_5d = true')
  await bank.lists.refresh()
  const hit = await arrived('10.00', grim)
  assert.deepEqual([await answersTo(hit), hit.transfer], [[['RJCT', 'RR04']], undefined])
  const [{ state, screening }] = await rows(
    `select hit.state, screening.cause as screening from screening_hits hit join screenings screening
       on screening.venture_id = hit.venture_id and screening.id = hit.screening_id order by hit.id desc limit 1`,
  )
  assert.deepEqual([state, screening], ['OPEN', 'processing'])
  assert.deepEqual(await answersTo(await arrived('10.00')), [['ACCP', undefined]])
  const real = screenArriving
  const { comparison } = bank.rescreening
  const slow = { ...comparison, lists: { current: comparison.lists.current, ask: () => new Promise<never>(() => {}) } }
  screenArriving = screenerOfArriving(bank.database, slow, { within_ms: 20 })
  assert.deepEqual(await answersTo(await arrived('10.00')), [['RJCT', 'MS03']])
  screenArriving = screenerOfArriving(bank.database, { ...comparison, lists: { ...slow.lists, current: [] } })
  assert.deepEqual(await answersTo(await arrived('10.00')), [['RJCT', 'MS03']])
  screenArriving = real
  await bank.owner.query('update watchlists set outside_art_5d = false')
  await bank.lists.refresh()
  await bank.admin.put(`/ventures/${id}/policy`, { instant_screening: 'clients' })
  await booksAreRight()
})

test('rules look at an instant payment after it was credited: people get a case, and nothing is held', async () => {
  const { id } = venture.venture
  await bank.admin.put(`/ventures/${id}/policy`, { rules: [{ kind: 'amount', above: '500' }] })
  const one = await arrived('700.00')
  assert.equal((await openCases('rule')).length, 0)
  other.answer([one.seen], 'ACSC')
  await takeIn()
  assert.equal(await balanceOf(one), '700.00')
  const open = await lastCase('rule')
  const { body } = await bank.admin.get(`/operator/cases/${open['id']}`)
  assert.deepEqual([open['resource_id'], body.allowed_decisions], [one.transfer['id'], ['close']])
  await rails.decided(open as { id: string }, 'close')
  assert.equal((await transferOf(one))['status'], 'COMPLETED')
  await bank.admin.put(`/ventures/${id}/policy`, { rules: [] })
})

test('the sender of the claim is the bank of the payer', async () => {
  const one = await arrived()
  assert.equal((await rows('select sender from rail_instants where tx_id = $1', one.seen.tx_id))[0].sender, theirBic)
})
