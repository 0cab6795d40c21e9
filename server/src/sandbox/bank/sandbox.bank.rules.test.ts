// The rules of the simulated bank, over messages that are written as XML and answers that are read back from XML.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Message, MessageFault, MessageReader, type MessageType, writeMessage } from '../../iso20022/iso20022.ts'
import { simulatedBic } from './sandbox.bank.answers.ts'
import { behaviourOf, behaviours, usual } from './sandbox.bank.behaviours.ts'
import type { BankAnswer, BankEntry, BankPayment, BankRecall, Plan } from './sandbox.bank.payments.ts'
import { concernedBy, cycle_ms, late_ms, proceed, receive } from './sandbox.bank.rules.ts'
import { settlementAccount, statementMessage, statementsOf } from './sandbox.bank.statement.ts'
import { ours, someCredits, someDebits } from './sandbox.bank.testing.ts'

const reader = new MessageReader()
after(() => reader.close())

const [payer, payee] = ['LT601010012345678901', 'DE89370400440532013000']
const settlement = { settlement_method: 'CLRG', clearing_system: 'ST2' } as const

/** The bank without a database: it applies its own plans. */
class Bank {
  readonly payments: BankPayment[] = []
  readonly entries: BankEntry[] = []
  readonly recalls: BankRecall[] = []
  at = new Date('2026-11-16T10:00:00Z')
  #number = 0n

  get circumstances() {
    return { at: this.at, ours, next: () => ++this.#number }
  }

  async send<Type extends MessageType>(type: Type, message: Message<Type>): Promise<readonly string[]> {
    const read = await reader.read(writeMessage(type, message))
    const { tx_ids, message_ids } = concernedBy(read)
    const payments = this.payments.filter(
      ({ tx_id, original_tx_id, message_id }) =>
        tx_ids.includes(tx_id) || (original_tx_id !== null && tx_ids.includes(original_tx_id)) || message_ids.includes(message_id),
    )
    return this.#apply(receive(read, { payments, recalls: this.recalls }, this.circumstances))
  }

  /** The next cycle. */
  async cycle(): Promise<readonly string[]> {
    this.at = new Date(this.at.getTime() + cycle_ms)
    return this.wait(0)
  }

  async wait(time_ms: number): Promise<readonly string[]> {
    this.at = new Date(this.at.getTime() + time_ms)
    const due = this.payments.filter(({ next_at }) => next_at !== null && next_at <= this.at)
    return this.#apply(proceed(due, this.circumstances))
  }

  async #apply(plan: Plan): Promise<readonly string[]> {
    this.payments.push(...plan.payments)
    for (const change of plan.changes) {
      const index = this.payments.findIndex(({ message_id, position }) => message_id === change.message_id && position === change.position)
      assert.notEqual(index, -1)
      this.payments[index] = change
    }
    this.entries.push(...plan.entries)
    for (const recall of plan.recalls) {
      const index = this.recalls.findIndex(({ cancellation_id }) => cancellation_id === recall.cancellation_id)
      if (index === -1) this.recalls.push(recall)
      else this.recalls[index] = recall
    }
    return Promise.all(plan.answers.map(said))
  }

  ask(...tx_ids: readonly string[]): Promise<readonly string[]> {
    const message_id = `ASK-${++this.#number}`
    const transactions = tx_ids.map((tx_id) => ({
      original_message_id: 'M-1',
      original_message_type: 'pacs.008.001.08',
      original_tx_id: tx_id,
    }))
    return this.send('pacs.028.001.03', { message_id, created_at: this.at.toISOString(), transactions })
  }
}

/** An answer in one line, after being written and read as XML. */
async function said(answer: BankAnswer): Promise<string> {
  const bytes = writeMessage(answer.type, answer.message as never)
  if (answer.breaksOff) {
    await assert.rejects(reader.read(bytes.subarray(0, bytes.length / 2)), MessageFault)
    return 'malformed'
  }
  const read = await reader.read(bytes)
  switch (read.type) {
    case 'pacs.002.001.10': {
      const { group, transactions, instructing_bic, instructed_bic } = read.message
      assert.deepEqual([instructing_bic, instructed_bic], [simulatedBic, ours])
      if (group?.status !== undefined) return `${group.original_message_id} ${group.status} ${group.reasons?.[0]?.code}`
      return transactions
        .map(({ original_tx_id, status, reasons, original, settled_on }) =>
          [original_tx_id, status, reasons?.[0]?.code, settled_on && 'settled', original?.amount]
            .filter((part) => part !== undefined)
            .join(' '),
        )
        .join(', ')
    }
    case 'pacs.004.001.09':
      return read.message.transactions
        .map(({ original_tx_id, amount, reasons }) => `${original_tx_id} back ${amount} ${reasons?.[0]?.code}`)
        .join(', ')
    case 'camt.029.001.09':
      return read.message.transactions
        .map(({ cancellation_status_id, original_tx_id, status, reasons }) =>
          [cancellation_status_id, original_tx_id, status, reasons?.[0]?.code].filter((part) => part !== undefined).join(' '),
        )
        .join(', ')
    default:
      return read.type
  }
}

/**
 * The bank's answers in the first cycle, in the second, after an inquiry, and much later; the final state, and the number of entries on the
 * statement.
 */
type Row = { first?: string; second?: string; asked?: string; later?: string; state: BankPayment['state']; entries: readonly bigint[] }

const paid = -10_0000n
const expected: Record<keyof typeof behaviours | '00' | '99', Row> = {
  '00': { first: 'T ACSC settled 10.00', asked: 'T ACSC settled 10.00', state: 'SETTLED', entries: [paid] },
  '99': { first: 'T ACSC settled 10.99', asked: 'T ACSC settled 10.99', state: 'SETTLED', entries: [-10_9900n] },
  '01': { first: 'T RJCT AC01 10.01', asked: 'T RJCT AC01 10.01', state: 'REJECTED', entries: [] },
  '02': { first: 'T RJCT AC04 10.02', asked: 'T RJCT AC04 10.02', state: 'REJECTED', entries: [] },
  '03': { first: 'T RJCT AM02 10.03', asked: 'T RJCT AM02 10.03', state: 'REJECTED', entries: [] },
  '05': {
    first: 'T ACSC settled 10.05',
    second: 'T back 10.05 MD07',
    asked: 'T ACSC settled 10.05',
    state: 'RETURNED',
    entries: [-10_0500n, 10_0500n],
  },
  '07': { asked: 'T ACSC settled 10.07', state: 'SETTLED', entries: [-10_0700n] },
  '08': { asked: 'T RJCT AC06 10.08', state: 'REJECTED', entries: [] },
  '09': { state: 'WAITING', entries: [] },
  '10': { first: 'T ACSC settled 10.10; T ACSC settled 10.10', asked: 'T ACSC settled 10.10', state: 'SETTLED', entries: [-10_1000n] },
  '11': { first: 'T ACSC settled 11.11', asked: 'T ACSC settled 10.11', state: 'SETTLED', entries: [-10_1100n] },
  '12': { first: 'X ACSC settled 10.12', asked: 'T ACSC settled 10.12', state: 'SETTLED', entries: [-10_1200n] },
  '13': { later: 'T ACSC settled 10.13', state: 'SETTLED', entries: [-10_1300n] },
  '14': { asked: 'T RJCT FF01 10.14', state: 'REFUSED', entries: [] },
  '15': { first: 'malformed', asked: 'T ACSC settled 10.15', state: 'SETTLED', entries: [-10_1500n] },
  '16': { first: 'T ACSC settled 10.16', asked: 'T ACSC settled 10.16', state: 'SETTLED', entries: [] },
  '17': { first: 'T ACSC settled 10.17', asked: 'T ACSC settled 10.17', state: 'SETTLED', entries: [-10_1700n, -10_1700n] },
}

const inEuros = (text: string) => text.replace(/\b(\d+)(\d\d)00\b/g, '$1.$2')

for (const [cents, row] of Object.entries(expected)) {
  for (const instant of [false, true]) {
    test(`an amount that ends in .${cents}, ${instant ? 'instant' : 'at the cycle'}`, async () => {
      const bank = new Bank()
      const join = (answers: readonly string[]) => inEuros(answers.join('; '))
      const onReceipt = join(await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'T', amount: `10.${cents}`, instant })))
      const refused = cents === '14' ? 'M-1 RJCT FF01' : ''
      assert.equal(onReceipt, instant ? refused || (row.first ?? '') : refused)
      if (!instant) assert.equal(join(await bank.cycle()), row.first ?? '')
      assert.equal(join(await bank.cycle()), row.second ?? '')
      assert.equal(join(await bank.ask('T')), row.asked ?? '')
      assert.equal(join(await bank.wait(late_ms.other)), row.later ?? '')
      const [payment] = bank.payments
      assert.equal(payment?.state, row.state)
      assert.deepEqual(
        bank.entries.map(({ amount }) => amount),
        row.entries,
      )
    })
  }
}

test('the table has a row for each behaviour, and every other amount settles', () => {
  for (let cents = 0; cents < 100; cents++) {
    const name = String(cents).padStart(2, '0')
    const behaviour = behaviourOf(70_0000n + BigInt(cents) * 100n)
    assert.equal(behaviour, Object.hasOwn(behaviours, name) ? behaviours[name as keyof typeof behaviours] : usual)
  }
})

test('asked before the cycle, the bank says that a payment is accepted, and decides about a silent one', async () => {
  const bank = new Bank()
  const [normal, silent, rejected] = ['10.00', '10.07', '10.08']
  await bank.send(
    'pacs.008.001.08',
    someCredits('M-1', { tx_id: 'A', amount: normal }, { tx_id: 'B', amount: silent }, { tx_id: 'C', amount: rejected }),
  )
  assert.deepEqual((await bank.ask('A', 'B', 'C')).map(inEuros), ['A ACSP 10.00, B ACSC settled 10.07, C RJCT AC06 10.08'])
  // Nothing happens to them again.
  assert.deepEqual((await bank.cycle()).map(inEuros), ['A ACSC settled 10.00'])
  assert.deepEqual(
    bank.entries.map(({ tx_id, amount }) => [tx_id, amount]),
    [
      ['B', -10_0700n],
      ['A', -10_0000n],
    ],
  )
})

test('asked about a whole message, the bank says what became of each payment; one that it never got is rejected', async () => {
  const bank = new Bank()
  await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'A', amount: '1.00' }, { tx_id: 'B', amount: '1.01' }))
  await bank.cycle()
  const group = { original_message_id: 'M-1', original_message_type: 'pacs.008.001.08' }
  const asked = await bank.send('pacs.028.001.03', { message_id: 'ASK', created_at: bank.at.toISOString(), group, transactions: [] })
  assert.deepEqual(asked.map(inEuros), ['A ACSC settled 1.00, B RJCT AC01 1.01'])
  assert.deepEqual(await bank.ask('NEVER-SENT'), ['NEVER-SENT RJCT AG09'])
})

test('a message is one entry if all of it settles, and else each payment is one', async () => {
  const bank = new Bank()
  await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'A', amount: '1.00' }, { tx_id: 'B', amount: '2.00' }))
  await bank.send('pacs.008.001.08', someCredits('M-2', { tx_id: 'C', amount: '1.00' }, { tx_id: 'D', amount: '2.01' }))
  await bank.cycle()
  assert.deepEqual(
    bank.entries.map(({ message_id, count, tx_id, amount }) => [message_id, count, tx_id, amount]),
    [
      ['M-1', 2, null, -3_0000n],
      ['M-2', null, 'C', -1_0000n],
    ],
  )
})

test('a message that is refused whole settles nothing, and is accepted under another id', async () => {
  const bank = new Bank()
  const payments = [
    { tx_id: 'A', amount: '1.00' },
    { tx_id: 'B', amount: '1.14' },
  ]
  assert.deepEqual(await bank.send('pacs.008.001.08', someCredits('M-1', ...payments)), ['M-1 RJCT FF01'])
  assert.deepEqual(await bank.cycle(), [])
  assert.deepEqual(await bank.send('pacs.008.001.08', someCredits('M-2', ...payments)), [])
  assert.deepEqual((await bank.cycle()).map(inEuros), ['A ACSC settled 1.00, B ACSC settled 1.14'])
  assert.equal(bank.entries.length, 1)
})

test('a transaction that has been sent before is rejected and settles once', async () => {
  for (const instant of [false, true]) {
    const bank = new Bank()
    await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'A', amount: '1.00', instant }))
    const [atOnce = []] = [
      await bank.send(
        'pacs.008.001.08',
        someCredits('M-2', { tx_id: 'A', amount: '1.00', instant }, { tx_id: 'A', amount: '1.00', instant }),
      ),
    ]
    const answers = [...atOnce, ...(await bank.cycle())].map(inEuros)
    assert.ok(answers.includes('A RJCT AM05 1.00, A RJCT AM05 1.00'), answers.join('; '))
    assert.equal(bank.entries.length, 1)
    assert.deepEqual(
      bank.payments.map(({ state }) => state),
      ['SETTLED', 'REJECTED', 'REJECTED'],
    )
  }
})

test('a direct debit that we collect is accepted, and settles on its day', async () => {
  const bank = new Bank()
  const accepted = await bank.send(
    'pacs.003.001.08',
    someDebits('M-1', '2026-11-18', { tx_id: 'A', amount: '25.00' }, { tx_id: 'B', amount: '25.01' }, { tx_id: 'C', amount: '25.09' }),
  )
  assert.deepEqual(accepted.map(inEuros), ['A ACSP 25.00'])
  assert.deepEqual((await bank.cycle()).map(inEuros), ['B RJCT AC01 25.01'])
  assert.deepEqual(bank.entries, [])
  bank.at = new Date('2026-11-18T00:00:00Z')
  assert.deepEqual((await bank.cycle()).map(inEuros), ['A ACSC settled 25.00'])
  assert.deepEqual(
    bank.entries.map(({ amount, family, subfamily, booked_on }) => [amount, family, subfamily, booked_on]),
    [[25_0000n, 'IDDT', 'ESDD', '2026-11-18']],
  )
})

test('a direct debit that comes back takes the money away again', async () => {
  const bank = new Bank()
  await bank.send('pacs.003.001.08', someDebits('M-1', '2026-11-16', { tx_id: 'A', amount: '25.05' }))
  await bank.cycle()
  assert.deepEqual((await bank.cycle()).map(inEuros), ['A back 25.05 MD07'])
  assert.deepEqual(
    bank.entries.map(({ amount, family, subfamily }) => [amount, family, subfamily]),
    [
      [25_0500n, 'IDDT', 'ESDD'],
      [-25_0500n, 'IDDT', 'UPDD'],
    ],
  )
})

function recall(message_id: string, ...tx_ids: readonly string[]): Message<'camt.056.001.08'> {
  return {
    message_id,
    from_bic: ours,
    to_bic: simulatedBic,
    created_at: '2026-11-16T10:30:00Z',
    transactions: tx_ids.map((tx_id) => ({
      cancellation_id: `C-${tx_id}`,
      original_message_id: 'M-1',
      original_message_type: 'pacs.008.001.08',
      original_tx_id: tx_id,
      reasons: [{ originator: 'Ada Lovelace', code: 'DUPL' }],
    })),
  }
}

test('a recall is answered as the name of the payee has it', async () => {
  const names = { YES: 'Recall Yes Ltd', NO: 'RECALL NO', SILENT: 'recall silent', OTHER: 'Grace Hopper' }
  for (const instant of [false, true]) {
    const bank = new Bank()
    await bank.send(
      'pacs.008.001.08',
      someCredits('M-1', ...Object.entries(names).map(([tx_id, creditor]) => ({ tx_id, creditor, amount: '5.00', instant }))),
    )
    await bank.cycle()
    const answers = await bank.send('camt.056.001.08', recall('R-1', 'YES', 'NO', 'SILENT', 'OTHER', 'UNKNOWN'))
    const back = instant ? answers : await bank.cycle()
    assert.deepEqual(
      answers.filter((answer) => answer.startsWith('C-')),
      ['C-YES YES ACCR', 'C-NO NO RJCR CUST', 'C-OTHER OTHER ACCR', 'C-UNKNOWN UNKNOWN RJCR NOOR'],
    )
    assert.deepEqual(
      back
        .map(inEuros)
        .filter((answer) => answer.includes('back'))
        .join(', '),
      'YES back 5.00 FOCR, OTHER back 5.00 FOCR',
    )
    assert.equal(
      bank.entries.reduce((sum, { amount }) => sum + amount, 0n),
      -10_0000n,
    )
    assert.deepEqual(
      bank.recalls.map(({ tx_id, state }) => `${tx_id} ${state}`),
      ['YES ACCEPTED', 'NO REFUSED', 'SILENT REQUESTED', 'OTHER ACCEPTED', 'UNKNOWN REFUSED'],
    )
    assert.deepEqual(await bank.send('camt.056.001.08', recall('R-2', 'YES')), ['C-YES YES RJCR ARDT'])
  }
})

test('a payment that is recalled before its cycle never settles', async () => {
  const bank = new Bank()
  await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'A', amount: '5.00' }))
  assert.deepEqual((await bank.send('camt.056.001.08', recall('R-1', 'A'))).map(inEuros), ['C-A A ACCR', 'A RJCT CUST 5.00'])
  assert.deepEqual(await bank.cycle(), [])
  assert.deepEqual(bank.entries, [])
})

const received: BankPayment = {
  message_id: 'B-1',
  position: 1,
  message_count: 1,
  direction: 'IN',
  kind: 'CREDIT_TRANSFER',
  rail: 'SEPA',
  tx_id: 'IN-1',
  end_to_end_id: 'E-1',
  original_tx_id: null,
  amount: 30_0000n,
  currency: 'EUR',
  effect: 30_0000n,
  debtor: 'Grace Hopper',
  debtor_iban: payee,
  creditor: 'Ada Lovelace',
  creditor_iban: payer,
  remittance: 'Hello',
  due_on: null,
  state: 'SETTLED',
  reason: null,
  settled_on: '2026-11-16',
  next: null,
  next_at: null,
}

function returned(message_id: string, return_id: string, original_tx_id: string, amount = 30_0000n): Message<'pacs.004.001.09'> {
  return {
    message_id,
    created_at: '2026-11-16T11:00:00Z',
    settlement_date: '2026-11-16',
    ...settlement,
    instructing_bic: ours,
    transactions: [{ return_id, original_tx_id, original_end_to_end_id: 'E-1', amount, currency: 'EUR', reasons: [{ code: 'AC04' }] }],
  }
}

test('money that we send back leaves the account once, and concludes a recall', async () => {
  const bank = new Bank()
  bank.payments.push(received)
  bank.recalls.push({ cancellation_id: 'X', direction: 'IN', tx_id: 'IN-1', reason: 'DUPL', state: 'REQUESTED' })
  await bank.send('pacs.004.001.09', returned('M-1', 'R-1', 'IN-1'))
  assert.equal(bank.recalls[0]?.state, 'ACCEPTED')
  await bank.send('pacs.004.001.09', returned('M-2', 'R-2', 'IN-1'))
  await bank.send('pacs.004.001.09', returned('M-3', 'R-3', 'NOTHING'))
  await bank.send('pacs.004.001.09', returned('M-4', 'R-4', 'IN-1', 30_0100n))
  assert.deepEqual((await bank.cycle()).map(inEuros), [
    'R-1 ACSC settled 30.00',
    'R-2 RJCT AM05 30.00',
    'R-3 RJCT MS03 30.00',
    'R-4 RJCT MS03 30.01',
  ])
  assert.deepEqual(
    bank.entries.map(({ amount, family, subfamily, tx_id }) => [amount, family, subfamily, tx_id]),
    [[-30_0000n, 'RCDT', 'RRTN', 'R-1']],
  )
})

test('a direct debit that we return gives the money back', async () => {
  const bank = new Bank()
  bank.payments.push({ ...received, kind: 'DIRECT_DEBIT', rail: 'SDD', effect: -30_0000n })
  await bank.send('pacs.004.001.09', returned('M-1', 'R-1', 'IN-1'))
  await bank.cycle()
  assert.deepEqual(
    bank.entries.map(({ amount, family, subfamily }) => [amount, family, subfamily]),
    [[30_0000n, 'RDDT', 'UPDD']],
  )
})

test('what we refuse of what came in does not settle, or goes back', async () => {
  for (const [state, entries, end] of [
    ['WAITING', [], 'REJECTED'],
    ['SETTLED', [30_0000n], 'RETURNED'],
    ['REJECTED', [], 'REJECTED'],
  ] as const) {
    const bank = new Bank()
    bank.payments.push({ ...received, kind: 'DIRECT_DEBIT', rail: 'SDD', effect: -30_0000n, state })
    const transactions = [{ original_tx_id: 'IN-1', status: 'RJCT', reasons: [{ code: 'AM04' }] }]
    await bank.send('pacs.002.001.10', { message_id: 'A-1', created_at: bank.at.toISOString(), transactions })
    assert.deepEqual(
      bank.entries.map(({ amount }) => amount),
      entries,
    )
    assert.equal(bank.payments[0]?.state, end)
  }
})

test('an instant payment to us settles when we accept it, and once', async () => {
  const bank = new Bank()
  bank.payments.push({ ...received, rail: 'INST', state: 'WAITING', settled_on: null })
  for (const message_id of ['A-1', 'A-2']) {
    const transactions = [{ original_tx_id: 'IN-1', status: 'ACSC' }]
    await bank.send('pacs.002.001.10', { message_id, created_at: bank.at.toISOString(), transactions })
  }
  assert.deepEqual(
    bank.entries.map(({ amount, family, subfamily }) => [amount, family, subfamily]),
    [[30_0000n, 'RRCT', 'ESCT']],
  )
  assert.equal(bank.payments[0]?.state, 'SETTLED')
})

test('our answer to the recall of another bank concludes it', async () => {
  const answers = { RJCR: 'REFUSED', ACCR: 'ACCEPTED', PDCR: 'REQUESTED' } as const
  for (const [status, state] of Object.entries(answers)) {
    const bank = new Bank()
    bank.recalls.push({ cancellation_id: 'X', direction: 'IN', tx_id: 'IN-1', reason: 'DUPL', state: 'REQUESTED' })
    await bank.send('camt.029.001.09', {
      message_id: 'A-1',
      from_bic: ours,
      to_bic: simulatedBic,
      created_at: bank.at.toISOString(),
      status,
      transactions: [{ original_tx_id: 'IN-1', status: status as keyof typeof answers }],
    })
    assert.equal(bank.recalls[0]?.state, state)
  }
})

test('a message that no bank sends to another is refused', async () => {
  const { statements } = { statements: statementsOf([], { sequence: 1, date: '2026-11-16', opening: 0n }) }
  const bank = new Bank()
  const [statement] = statements
  assert.ok(statement)
  const { message } = statementMessage(statement, 'Vostro', bank.circumstances)
  assert.deepEqual(await bank.send('camt.053.001.08', message as Message<'camt.053.001.08'>), [`${message.message_id} RJCT FF01`])
})

test('a statement shows all entries, in parts that follow each other', async () => {
  const bank = new Bank()
  await bank.send('pacs.008.001.08', someCredits('M-1', { tx_id: 'A', amount: '1.00' }, { tx_id: 'B', amount: '2.00' }))
  await bank.send(
    'pacs.008.001.08',
    someCredits('M-2', { tx_id: 'C', amount: '10.05', creditor: 'Žuvėdra & Co'.replace(/[^A-Za-z ]/g, '.') }),
  )
  await bank.cycle()
  await bank.cycle()
  const [single = bank.entries[0]] = bank.entries.slice(-1)
  assert.ok(single)
  const many = [...bank.entries, ...Array.from({ length: 5_000 }, (_, index) => ({ ...single, number: BigInt(1_000_000 + index) }))]
  const statements = statementsOf(many, { sequence: 7, date: '2026-11-16', opening: settlementAccount.prefunding })
  assert.equal(statements.length, 2)
  let closing: bigint = settlementAccount.prefunding
  let seen = 0
  for (const [index, statement] of statements.entries()) {
    const read = await reader.read(
      writeMessage('camt.053.001.08', statementMessage(statement, 'Vostro', bank.circumstances).message as never),
    )
    assert.ok(read.type === 'camt.053.001.08')
    const [given] = read.message.statements
    assert.ok(given)
    assert.equal(given.sequence, 7 + index)
    assert.equal(given.balances[0]?.amount, closing)
    closing = given.balances[1]?.amount ?? 0n
    seen += given.entries.length
    if (index > 0) continue
    assert.deepEqual(given.account, { iban: settlementAccount.iban, currency: 'EUR', owner: 'Vostro', bic: simulatedBic })
    const [whole, out, back] = given.entries
    assert.deepEqual(whole?.details?.[0]?.batch, { message_id: 'M-1', count: 2, amount: 3_0000n, currency: 'EUR', direction: 'DBIT' })
    const sent = out?.details?.[0]?.transactions[0]
    assert.deepEqual([sent?.tx_id, sent?.end_to_end_id, sent?.direction, sent?.amount], ['C', 'E-C', 'DBIT', 10_0500n])
    const returning = back?.details?.[0]?.transactions[0]
    assert.deepEqual([returning?.end_to_end_id, returning?.direction, returning?.returned?.code], ['E-C', 'CRDT', 'MD07'])
  }
  assert.equal(seen, many.length)
})
