// The planner takes every kind of payment along the walks of the design, and the guards allow each step. Actions of other banks and people
// are part of each row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, type Circumstances, newStanding, nextOf, standingAfter } from '../transfers/life/transfers.guards.ts'
import { sendingDay } from '../transfers/life/transfers.methods.ts'
import { plannedStatuses } from '../transfers/life/transfers.sets.ts'
import {
  statusList,
  type TransferMethod,
  type TransferStatus,
  transferMethods,
  transferStatuses,
} from '../transfers/life/transfers.status.ts'
import { fromNumeric } from '../values/money.ts'
import { advance, type Plan, type PlannedTransfer, type Situation } from './processing.planner.ts'

const noon = new Date('2026-11-16T12:00:00Z')
const free: Circumstances = {
  third_party_status_given: false,
  account_closed: false,
  account_frozen: false,
  signed_on_request: false,
  receiver_closed: false,
  client_blocked: false,
  uncleared: false,
}

function situationOf(given: Partial<PlannedTransfer> = {}, changes: Partial<Situation> = {}): Situation {
  const transfer: PlannedTransfer = {
    ...newStanding,
    direction: 'OUTBOUND',
    method: 'SEPA',
    transfer_type: 'PAYMENT',
    settlement_date: '2026-11-16',
    updated_at: noon.toISOString(),
    status_reason_code: null,
    on_hold_by_bank: false,
    ...given,
  }
  return {
    transfer,
    circumstances: free,
    venture_active: true,
    account_active: true,
    available: fromNumeric('100'),
    needed: fromNumeric('10'),
    covered: true,
    stopped_by_bank: false,
    screening: 'CLEAR',
    alert: undefined,
    funds_wait_h: 24,
    sends_on: sendingDay(transfer),
    now: noon,
    ...changes,
  }
}

/** Takes steps that the guards allow. */
function take(situation: Situation, steps: readonly TransferStatus[], third_party_status_given = false): Situation {
  let { transfer } = situation
  for (const to of steps) {
    const block = blockOf(transfer, to, { ...situation.circumstances, third_party_status_given })
    assert.equal(block, undefined, `${transfer.status} ${to}`)
    transfer = { ...transfer, ...standingAfter(transfer, to), on_hold_by_bank: to === 'ON_HOLD' }
  }
  return { ...situation, transfer }
}

/** Lets the planner act until it waits. Returns the steps it took. */
function plan(situation: Situation): { steps: TransferStatus[]; after: Situation; last: Plan } {
  const steps: TransferStatus[] = []
  let after = situation
  for (;;) {
    const last = advance(after)
    if (last.kind !== 'walk') return { steps, after, last }
    assert.ok(last.steps.length > 0)
    assert.ok(steps.length < 40, `it goes round: ${steps.join(' ')}`)
    after = take(after, last.steps)
    if (last.reason !== undefined) after = { ...after, transfer: { ...after.transfer, ...last.reason } }
    steps.push(...last.steps)
  }
}

const scan = 'READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED' as const

type Row = {
  what: string
  transfer: Partial<PlannedTransfer>
  changes?: Partial<Situation>
  /** Moves that were made before the planner looks. */
  before?: string
  /** Alternates between the steps of the planner and what happens outside: a status set by others, or a change of the situation. */
  walk: readonly (string | Partial<Situation>)[]
}

const sent = `RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR` as const
const packed = `RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK` as const

/** The walks of the design. Every second line is an action from outside. */
const rows: readonly Row[] = [
  {
    what: 'SEPA out',
    transfer: { method: 'SEPA' },
    walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`, 'PACKED SENT_TO_CLEAR', '', 'ACCEPTED', '', 'COMPLETED', ''],
  },
  {
    what: 'a signed SEPA payment',
    transfer: { method: 'SEPA', status: 'TO_SIGN' },
    walk: ['', 'SIGNED', `RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`],
  },
  {
    what: 'instant out, confirmed',
    transfer: { method: 'INST' },
    walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR`, 'COMPLETED', ''],
  },
  { what: 'instant out, refused', transfer: { method: 'INST' }, walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR`, 'REJECTED', ''] },
  { what: 'SWIFT', transfer: { method: 'SWIFT' }, walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR`, 'ACCEPTED COMPLETED', ''] },
  { what: 'domestic', transfer: { method: 'DOMESTIC' }, walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR`, 'ACCEPTED COMPLETED', ''] },
  {
    what: 'not enough money, which comes in time',
    transfer: {},
    changes: { available: 0n },
    walk: ['TO_RESERVE', { available: fromNumeric('10') }, packed],
  },
  {
    what: 'not enough money, and none comes',
    transfer: {},
    changes: { available: 0n },
    walk: ['TO_RESERVE', { now: new Date('2026-11-17T12:00:00Z') }, 'REJECTED'],
  },
  {
    what: 'a hit, cleared',
    transfer: {},
    changes: { screening: 'HIT' },
    walk: ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_APPROVED', 'READY_TO_CLEAR SENT_TO_PACK'],
  },
  {
    what: 'a hit, declined',
    transfer: {},
    changes: { screening: 'BLOCK' },
    walk: ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_REJECTED', ''],
  },
  {
    what: 'a hit, frozen',
    transfer: {},
    changes: { screening: 'BLOCK' },
    walk: ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'ON_HOLD', ''],
  },
  {
    what: 'a rule that fires',
    transfer: {},
    changes: { alert: 'rule' },
    walk: ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING REVIEW', 'AML_APPROVED', 'READY_TO_CLEAR SENT_TO_PACK'],
  },
  {
    what: 'a hit of an INTERNAL transfer, cleared',
    transfer: { method: 'INTERNAL' },
    changes: { screening: 'HIT' },
    walk: ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_APPROVED', 'COMPLETED'],
  },
  {
    what: 'a hit of a collection, cleared',
    transfer: { method: 'SDD', direction: 'INBOUND' },
    changes: { screening: 'HIT' },
    walk: ['READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_APPROVED', 'READY_TO_CLEAR SENT_TO_PACK'],
  },
  {
    what: 'a hit of a direct debit, cleared',
    transfer: { method: 'SDD', status: 'RECEIVED', received: true },
    changes: { screening: 'HIT' },
    walk: ['READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_APPROVED', 'RESERVED ACCEPTED COMPLETED'],
  },
  { what: 'unsendable data on a packed rail', transfer: {}, walk: [packed, 'INVALID', ''] },
  {
    what: 'unsendable data on another rail',
    transfer: { method: 'INST' },
    before: `RESERVED ${scan} READY_TO_CLEAR INVALID`,
    walk: [''],
  },
  ...['', 'TO_SIGN', 'TO_SIGN SIGNED', 'TO_RESERVE'].map((before) => ({
    what: `cancelled after ${before || 'CREATED'}`,
    transfer: {},
    before: `${before} CANCELLED`.trim(),
    walk: [''],
  })),
  ...['RESERVED', 'RESERVED READY_FOR_SCREENING', `RESERVED ${scan}`, `RESERVED ${scan} READY_TO_CLEAR`, packed, `${packed} PACKED`].map(
    (before) => ({
      what: `cancelled after ${before}`,
      transfer: {},
      before: `${before} TO_CANCEL`,
      walk: ['CANCELLED'],
    }),
  ),
  ...[`RESERVED ${scan}`, `RESERVED ${scan} READY_TO_CLEAR`].map((before) => ({
    what: `a hit by a new list after ${before}`,
    transfer: {},
    before: `${before} ON_HOLD REVIEW`,
    walk: ['', 'AML_APPROVED', 'READY_TO_CLEAR SENT_TO_PACK'],
  })),
  ...[packed, `${packed} PACKED`].map((before) => ({
    what: `a hit by a new list after ${before}`,
    transfer: {},
    before: `${before} READY_TO_CLEAR ON_HOLD REVIEW`,
    walk: ['', 'AML_APPROVED', 'READY_TO_CLEAR SENT_TO_PACK'],
  })),
  ...['CANCELLED', 'REJECTED', 'COMPLETED', 'ACCEPTED COMPLETED'].map((end) => ({
    what: `a recall that ends with ${end}`,
    transfer: { method: 'INST' as const },
    walk: [sent, 'TO_CANCEL', '', end, ''],
  })),
  ...['COMPLETED', 'REJECTED'].map((end) => ({
    what: `no answer, and then ${end}`,
    transfer: { method: 'INST' as const },
    walk: [sent, 'SOME_PROBLEMS', '', end, ''],
  })),
  {
    what: 'a whole message refused',
    transfer: {},
    walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`, 'PACKED SENT_TO_CLEAR TO_RESEND', 'SENT_TO_PACK'],
  },
  { what: 'money that arrives', transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true }, walk: [`${scan} COMPLETED`] },
  {
    what: 'money that arrives, a hit',
    transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true },
    changes: { screening: 'HIT' },
    walk: ['READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_APPROVED', 'COMPLETED'],
  },
  {
    what: 'money that arrives, declined',
    transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true },
    changes: { screening: 'HIT' },
    walk: ['READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'TO_RETURN REJECTED', ''],
  },
  {
    what: 'money that arrives, frozen',
    transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true },
    changes: { screening: 'BLOCK' },
    walk: ['READY_FOR_SCREENING BLACKLIST_SCANNING REVIEW', 'AML_REJECTED', ''],
  },
  {
    what: 'money in suspense that we return',
    transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true },
    before: 'TO_RETURN REJECTED',
    walk: [''],
  },
  {
    what: 'money already credited that we return',
    transfer: { transfer_type: 'PAYMENT_RETURN' },
    walk: [packed, 'PACKED SENT_TO_CLEAR', '', 'REJECTED', ''],
  },
  {
    what: 'money that arrives for a suspended account',
    transfer: { direction: 'INBOUND', status: 'RECEIVED', received: true },
    changes: { account_active: false },
    walk: [`${scan} CREDIT_TECH_BALANCE`],
  },
  {
    what: 'our client pays a direct debit',
    transfer: { method: 'SDD', status: 'RECEIVED', received: true },
    walk: [`${scan} RESERVED ACCEPTED COMPLETED`],
  },
  {
    what: 'our client cannot pay a direct debit',
    transfer: { method: 'SDD', status: 'RECEIVED', received: true },
    changes: { available: 0n },
    walk: [`${scan} TO_RESERVE REJECTED`],
  },
  {
    what: 'our client collects',
    transfer: { method: 'SDD', direction: 'INBOUND' },
    walk: [`${scan} READY_TO_CLEAR SENT_TO_PACK`, 'PACKED SENT_TO_CLEAR ACCEPTED', '', 'COMPLETED', ''],
  },
  {
    what: 'our client collects, and signs',
    transfer: { method: 'SDD', direction: 'INBOUND' },
    before: 'TO_SIGN SIGNED',
    walk: [`${scan} READY_TO_CLEAR SENT_TO_PACK`],
  },
  {
    what: 'a collection that comes back after COMPLETED, without money',
    transfer: { method: 'SDD', transfer_type: 'PAYMENT_RETURN', status: 'RECEIVED', received: true },
    changes: { available: 0n },
    walk: [`${scan} RESERVED ACCEPTED COMPLETED`],
  },
  {
    what: 'our client asks a debit back',
    transfer: { method: 'SDD', direction: 'INBOUND', transfer_type: 'PAYMENT_RETURN' },
    walk: [`${scan} READY_TO_CLEAR SENT_TO_PACK`, 'PACKED SENT_TO_CLEAR ACCEPTED COMPLETED', ''],
  },
  { what: 'INTERNAL', transfer: { method: 'INTERNAL' }, walk: [`RESERVED ${scan} COMPLETED`] },
]

const stepsOf = (line: string) => (line === '' ? [] : (line.split(' ') as TransferStatus[]))

for (const { what, transfer, changes, before = '', walk } of rows) {
  test(`the walk of the design: ${what}`, () => {
    let situation = take(situationOf(transfer, changes), stepsOf(before), true)
    for (const [index, line] of walk.entries()) {
      if (typeof line !== 'string') situation = { ...situation, ...line }
      else if (index % 2 === 1) situation = take(situation, stepsOf(line), true)
      else {
        const expected = stepsOf(line)
        const { steps, after } = plan(situation)
        assert.deepEqual(steps, expected)
        situation = after
      }
    }
  })
}

test('every rail has a walk', () => {
  const planned = new Set(rows.map(({ transfer }) => transfer.method ?? 'SEPA'))
  const none: TransferMethod[] = ['SDD_INTERNAL', 'CARD']
  assert.deepEqual(
    transferMethods.filter((method) => !planned.has(method)),
    none,
  )
})

test('a venture cannot cancel what is being scanned', () => {
  for (const before of ['RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING', 'RESERVED READY_FOR_SCREENING AML_SCANNING'])
    for (const to of ['CANCELLED', 'TO_CANCEL'] as const)
      assert.equal(blockOf(take(situationOf(), stepsOf(before)).transfer, to, free), 'transfer_transition_not_allowed')
})

test('what the scheme has done is booked, even if there is no money', () => {
  const returned = { method: 'SDD', transfer_type: 'PAYMENT_RETURN', status: 'RECEIVED', received: true } as const
  const forced = (transfer: Partial<PlannedTransfer>) => {
    const next = advance(situationOf(transfer, { available: 0n }))
    return next.kind === 'walk' && next.forced
  }
  assert.deepEqual([forced(returned), forced({ ...returned, transfer_type: 'PAYMENT' })], [true, undefined])
})

test('what has a case says which', () => {
  const kindOf = (changes: Partial<Situation>) => {
    const next = advance(situationOf({}, changes))
    return next.kind === 'walk' ? next.opens : next.kind
  }
  assert.deepEqual([kindOf({ screening: 'HIT' }), kindOf({ screening: 'BLOCK' })], ['hit', 'hit'])
  assert.deepEqual([kindOf({ alert: 'rule' }), kindOf({ alert: 'amount' }), kindOf({})], ['rule', 'amount', undefined])
  // Lists come first: a hit is never only a large amount.
  assert.equal(kindOf({ screening: 'HIT', alert: 'amount' }), 'hit')
})

test('nothing is decided before the parties were compared, and nothing passes before the lists are loaded', () => {
  assert.deepEqual(advance(situationOf({}, { screening: undefined })), { kind: 'screen' })
  const { steps, after, last } = plan(situationOf({}, { screening: 'UNLOADED' }))
  assert.deepEqual([steps, last], [['RESERVED', 'READY_FOR_SCREENING'], { kind: 'wait' }])
  assert.deepEqual(
    plan({ ...after, screening: 'CLEAR' }).steps,
    statusList('BLACKLIST_SCANNING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_PACK'),
  )
})

test('an order waits for its sending day with nothing held or screened', () => {
  for (const [method, settlement_date, day] of [
    ['SEPA', '2026-11-23', '2026-11-20'],
    ['SWIFT', '2026-11-23', '2026-11-19'],
    ['INST', '2026-11-22', '2026-11-22'],
    ['INTERNAL', '2026-11-22', '2026-11-22'],
  ] as const) {
    for (const status of ['CREATED', 'SIGNED'] as const) {
      const situation = situationOf({ method, settlement_date, status }, { screening: undefined })
      assert.equal(sendingDay({ method, settlement_date }), day)
      assert.deepEqual(advance(situation), { kind: 'wait', until: new Date(`${day}T00:00:00Z`) }, `${method} ${status}`)
      assert.deepEqual(advance({ ...situation, now: new Date(`${day}T00:00:00Z`) }), { kind: 'screen' })
    }
  }
})

test('an order without money waits for it, and ends when the time is up', () => {
  const poor = situationOf({}, { available: fromNumeric('9.99') })
  const { steps, after, last } = plan(poor)
  assert.deepEqual([steps, last], [['TO_RESERVE'], { kind: 'wait' }])
  assert.deepEqual(plan({ ...after, available: fromNumeric('10') }).steps, [
    'RESERVED',
    ...statusList(scan),
    ...statusList('READY_TO_CLEAR SENT_TO_PACK'),
  ])
  const late = plan({ ...after, now: new Date('2026-11-17T12:00:00Z') })
  assert.deepEqual([late.steps, late.after.transfer.status_reason_code], [['REJECTED'], 'AM04'])
  assert.deepEqual(plan({ ...poor, funds_wait_h: 0 }).steps, ['TO_RESERVE', 'REJECTED'])
})

test('a direct debit is screened when it arrives and reserved when it is due', () => {
  const arrived = situationOf({ method: 'SDD', status: 'RECEIVED', received: true, settlement_date: '2026-11-20' })
  const { steps, after, last } = plan(arrived)
  assert.deepEqual([steps, last], [statusList(scan), { kind: 'wait', until: new Date('2026-11-20T00:00:00Z') }])
  assert.deepEqual(plan({ ...after, now: new Date('2026-11-20T00:00:00Z') }).steps, statusList('RESERVED ACCEPTED COMPLETED'))
})

test('what a blocked client has not sent is put on hold, and goes on once the client is free', () => {
  const blocked = { ...free, client_blocked: true }
  const { steps, after } = plan(situationOf({}, { circumstances: blocked }))
  assert.deepEqual(steps, ['ON_HOLD'])
  assert.deepEqual(plan({ ...after, circumstances: free }).steps.slice(0, 2), ['CREATED', 'RESERVED'])
  const byPerson = { ...after, transfer: { ...after.transfer, status_reason_code: null }, circumstances: free }
  assert.deepEqual(advance(byPerson), { kind: 'wait' })
})

test('what a blocked client has in a pack is taken out of it', () => {
  const { steps, after } = plan({ ...take(situationOf(), stepsOf(packed)), circumstances: { ...free, client_blocked: true } })
  assert.deepEqual(steps, ['READY_TO_CLEAR', 'ON_HOLD'])
  assert.deepEqual(plan({ ...after, circumstances: free }).steps, ['READY_TO_CLEAR', 'SENT_TO_PACK'])
})

test('what the bank has stopped waits for the bank', () => {
  const blocked = { ...free, client_blocked: true }
  assert.deepEqual(advance(situationOf({}, { circumstances: blocked, stopped_by_bank: true })), { kind: 'wait' })
  assert.deepEqual(advance(situationOf({}, { circumstances: { ...free, account_frozen: true } })), { kind: 'wait' })
  const held = { status: 'ON_HOLD', on_hold_from: 'CREATED', on_hold_by_bank: true, status_reason_code: 'client_blocked' } as const
  assert.deepEqual(advance(situationOf(held, { circumstances: { ...free, account_frozen: true } })), { kind: 'wait' })
})

test('giving up needs nobody: neither the client nor the venture nor the account', () => {
  const stopped = { ...free, client_blocked: true, account_frozen: true }
  const situation = { ...take(situationOf(), stepsOf(`${packed} TO_CANCEL`)), circumstances: stopped, venture_active: false }
  assert.deepEqual(plan(situation).steps, ['CANCELLED'])
})

test('a return for which too little is left of its parent ends', () => {
  for (const [before, end] of [
    ['', 'REJECTED'],
    ['TO_SIGN SIGNED', 'TO_RESERVE REJECTED'],
    ['RESERVED', 'REJECTED'],
    [`RESERVED ${scan}`, 'CANCELLED'],
    [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`, 'TO_CANCEL CANCELLED'],
    [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK PACKED`, 'TO_CANCEL CANCELLED'],
    [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR TO_RESEND`, 'TO_CANCEL CANCELLED'],
  ] as const) {
    const situation = take(situationOf({ transfer_type: 'PAYMENT_RETURN' }, { covered: false }), stepsOf(before), true)
    const { steps, after } = plan(situation)
    assert.deepEqual([steps.join(' '), after.transfer.status_reason_code], [end, 'parent_invalid'])
  }
})

test('a fee is part of what an order needs', () => {
  assert.deepEqual(plan(situationOf({}, { available: fromNumeric('10'), needed: fromNumeric('10.05') })).steps, ['TO_RESERVE'])
  assert.equal(plan(situationOf({}, { available: -1n, needed: 0n })).steps[0], 'RESERVED')
})

test('what a closed account has ordered ends', () => {
  for (const status of ['CREATED', 'TO_RESERVE'] as const) {
    const { steps, after } = plan(situationOf({ status }, { circumstances: { ...free, account_closed: true } }))
    assert.deepEqual([steps, after.transfer.status_reason_code], [['REJECTED'], 'AC04'])
  }
})

test("a disabled venture, cards and the bank's own bookings are not processed", () => {
  assert.deepEqual(advance(situationOf({}, { venture_active: false })), { kind: 'wait' })
  for (const transfer_type of ['FEE', 'ADJUSTMENT', 'CARD_AUTH'] as const)
    assert.deepEqual(advance(situationOf({ transfer_type })), { kind: 'wait' })
  assert.deepEqual(advance(situationOf({ method: 'CARD' })), { kind: 'wait' })
})

test('only the statuses of the queue are ever planned, and each plan is allowed by the guards', () => {
  const outcomes = ['CLEAR', 'HIT', 'UNLOADED'] as const
  for (const status of transferStatuses)
    for (const method of transferMethods)
      for (const direction of ['INBOUND', 'OUTBOUND'] as const)
        for (const screening of outcomes)
          for (const facts of standingsOf(method, direction, status)) {
            const situation = situationOf({ method, direction, ...facts, status }, { screening })
            const next = advance(situation)
            if (next.kind === 'wait') continue
            assert.ok(plannedStatuses.includes(status), status)
            if (next.kind === 'walk') take(situation, next.steps)
          }
})

/** The standings that a transfer can have in a status, reached from its creation by allowed moves. */
function standingsOf(method: TransferMethod, direction: 'INBOUND' | 'OUTBOUND', status: TransferStatus) {
  const key = `${method} ${direction}`
  const found = reached.get(key) ?? explore(method, direction)
  reached.set(key, found)
  return found.filter((standing) => standing.status === status && status !== 'ON_HOLD')
}
const reached = new Map<string, ReturnType<typeof explore>>()

function explore(method: TransferMethod, direction: 'INBOUND' | 'OUTBOUND') {
  const kind = { method, direction, transfer_type: 'PAYMENT' } as const
  const standings = [newStanding]
  const seen = new Set([JSON.stringify(newStanding)])
  for (const standing of standings)
    for (const to of nextOf({ ...kind, ...standing })) {
      if (blockOf({ ...kind, ...standing }, to, { ...free, third_party_status_given: true }) !== undefined) continue
      const after = standingAfter(standing, to)
      const key = JSON.stringify(after)
      if (!seen.has(key)) standings.push(after)
      seen.add(key)
    }
  return standings
}
