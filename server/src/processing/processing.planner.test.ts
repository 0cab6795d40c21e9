// The planner takes every kind of payment along the walks of the design, each step allowed by the guards. What other banks and people do is
// part of each row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf, type Circumstances, newStanding, nextOf, standingAfter } from '../transfers/life/transfers.guards.ts'
import { sendingDay } from '../transfers/life/transfers.methods.ts'
import {
  statusList,
  type TransferMethod,
  type TransferStatus,
  transferMethods,
  transferStatuses,
} from '../transfers/life/transfers.status.ts'
import { fromNumeric } from '../values/money.ts'
import { advance, type Plan, type PlannedTransfer, plannedStatuses, type Situation } from './processing.planner.ts'

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

function situationOf(transfer: Partial<PlannedTransfer> = {}, changes: Partial<Situation> = {}): Situation {
  return {
    transfer: {
      ...newStanding,
      direction: 'OUTBOUND',
      method: 'SEPA',
      transfer_type: 'PAYMENT',
      settlement_date: '2026-11-16',
      debit_amount: '10.00',
      fx_fee_amount: null,
      updated_at: noon.toISOString(),
      status_reason_code: null,
      on_hold_by_bank: false,
      ...transfer,
    },
    circumstances: free,
    venture_active: true,
    account_active: true,
    available: fromNumeric('100'),
    screening: 'CLEAR',
    alert: undefined,
    funds_wait_h: 24,
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

/** Lets the planner act until it waits. Returns the steps that it took. */
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
  /** What the planner does, then in turn what somebody outside does and what the planner does after that. */
  walk: readonly string[]
}

/** The walks of the design. Every second line is somebody else's. */
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
  { what: 'cancelled in time', transfer: {}, walk: [`RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`, 'TO_CANCEL', 'CANCELLED'] },
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
  { what: 'INTERNAL', transfer: { method: 'INTERNAL' }, walk: [`RESERVED ${scan} COMPLETED`] },
]

for (const { what, transfer, changes, walk } of rows) {
  test(`the walk of the design: ${what}`, () => {
    let situation = situationOf(transfer, changes)
    for (const [index, line] of walk.entries()) {
      const expected = line === '' ? [] : (line.split(' ') as TransferStatus[])
      if (index % 2 === 1) situation = take(situation, expected, true)
      else {
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

test('what has a case says which', () => {
  const kindOf = (changes: Partial<Situation>) => {
    const next = advance(situationOf({}, changes))
    return next.kind === 'walk' ? next.opens : next.kind
  }
  assert.deepEqual([kindOf({ screening: 'HIT' }), kindOf({ screening: 'BLOCK' })], ['hit', 'hit'])
  assert.deepEqual([kindOf({ alert: 'rule' }), kindOf({ alert: 'amount' }), kindOf({})], ['rule', 'amount', undefined])
  // Lists come first: what a list names is not only large.
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
  const withFee = situationOf({ fx_fee_amount: '0.01' }, { available: fromNumeric('10') })
  assert.deepEqual(plan(withFee).steps, ['TO_RESERVE'], 'the fee is part of what it costs')
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

/** The standings that a transfer can have in a status, reached from its creation by moves that the guards allow. */
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
