// Compares the rules of a transfer's life with the tables of the design, and explores every reachable state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { design, designBlock, designFacts, designMoves } from './transfers.design.ts'
import { flowOf, flowVariantOf, type Kind } from './transfers.flows.ts'
import {
  blockOf,
  type Circumstances,
  factsAfter,
  goesBack,
  type MovingTransfer,
  movesOf,
  newStanding,
  nextOf,
  standingAfter,
} from './transfers.guards.ts'
import {
  type Flow,
  isTerminal,
  type TransferStatus,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
} from './transfers.status.ts'

// ——— Cases ———

const kinds: Record<string, Kind> = {
  sending: { direction: 'OUTBOUND', method: 'SEPA', transfer_type: 'PAYMENT' },
  receiving: { direction: 'INBOUND', method: 'INST', transfer_type: 'PAYMENT' },
  book: { direction: 'OUTBOUND', method: 'INTERNAL', transfer_type: 'PAYMENT' },
  'book, mirror': { direction: 'INBOUND', method: 'SDD_INTERNAL', transfer_type: 'PAYMENT' },
  'book, exempt': { direction: 'OUTBOUND', method: 'CARD', transfer_type: 'CARD_CLEARING' },
  'book, authorisation': { direction: 'OUTBOUND', method: 'CARD', transfer_type: 'CARD_AUTH' },
  'book, exempt credit': { direction: 'INBOUND', method: 'SEPA', transfer_type: 'FEE_CANCELLATION' },
  collected: { direction: 'OUTBOUND', method: 'SDD', transfer_type: 'PAYMENT' },
  collecting: { direction: 'INBOUND', method: 'SDD', transfer_type: 'PAYMENT' },
}

const ordinary: Circumstances = {
  third_party_status_given: false,
  account_closed: false,
  receiver_closed: false,
  client_blocked: false,
  account_frozen: false,
  signed_on_request: false,
  uncleared: false,
}
const withThirdPartyStatus: Circumstances = { ...ordinary, third_party_status_given: true }

const bits = (number: number, count: number) =>
  Array.from({ length: count }, (_, bit) => ((number >> bit) & 1) === 1) as [boolean, ...boolean[]]

const allFacts = Array.from({ length: 32 }, (_, number) => {
  const [scanned, screened = false, held = false, sent = false, received = false] = bits(number, 5)
  return { scanned, screened, held, sent, received }
})

const allCircumstances = Array.from({ length: 128 }, (_, number) => {
  const [third_party_status_given, account_closed = false, receiver_closed = false, ...more] = bits(number, 7)
  const [client_blocked = false, account_frozen = false, uncleared = false, signed_on_request = false] = more
  return { third_party_status_given, account_closed, receiver_closed, client_blocked, account_frozen, uncleared, signed_on_request }
})

/** The statuses from which this kind of transfer can go ON_HOLD. */
const holdOrigins = (kind: Kind) => transferStatuses.filter((status) => flowVariantOf(kind).next[status].includes('ON_HOLD'))

// ——— The code matches the design ———

test('directions, methods, types and statuses match the specification, in its order', () => {
  const specified = {
    directions: 'INBOUND OUTBOUND',
    methods: 'SEPA INTERNAL SDD SDD_INTERNAL INST CARD SWIFT DOMESTIC',
    types: `FEE PAYMENT PAYMENT_CANCELLATION PAYMENT_RETURN FEE_CANCELLATION CCY_EXCHANGE ADJUSTMENT PAYMENT_TECHNICAL_REVERSAL
      PAYMENT_REVERSAL CARD_AUTH CARD_ADVICE CARD_REVERSAL FX_POSITION_CLOSING CARD_CLEARING`,
    statuses: `CREATED SIGNED REVIEW READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR COMPLETED SOME_PROBLEMS CANCELLED REJECTED INVALID
      ACCEPTED TO_SIGN RESERVED TO_RESERVE RECEIVED DROPPED ON_HOLD READY_FOR_SCREENING AML_APPROVED AML_REJECTED MANUAL_ACTION
      CREDIT_TECH_BALANCE TO_RESEND MANUAL_REJECTED TO_CANCEL BLACKLIST_SCANNING AML_SCANNING TO_RETURN`,
  }
  const coded = { directions: transferDirections, methods: transferMethods, types: transferTypes, statuses: transferStatuses }
  for (const [name, list] of Object.entries(coded)) assert.deepEqual(list, specified[name as keyof typeof specified].split(/\s+/))
})

test('each of the 224 kinds of transfer has the flow, the needs and the statuses of the design', () => {
  const seen = new Map<Flow, number>()
  for (const direction of transferDirections) {
    for (const method of transferMethods) {
      for (const transfer_type of transferTypes) {
        const kind = { direction, method, transfer_type }
        const flow = flowOf(direction, method, transfer_type)
        const variant = flowVariantOf(kind)
        const { needs, statuses, ...expected } = design(kind)
        const about = Object.values(kind).join(' ')
        assert.equal(flow, expected.flow, about)
        assert.equal(variant.flow, flow, about)
        assert.deepEqual(new Set(Object.entries(variant.needs).flatMap(([need, needed]) => (needed ? [need] : []))), needs, about)
        assert.deepEqual(new Set(variant.statuses), statuses, about)
        seen.set(flow, (seen.get(flow) ?? 0) + 1)
      }
    }
  }
  assert.deepEqual(Object.fromEntries(seen), { receiving: 36, book: 134, collecting: 9, sending: 36, collected: 9 })
})

test('exactly the 50 kinds that need nothing can go straight from CREATED or SIGNED to COMPLETED', () => {
  let withoutNeeds = 0
  for (const direction of transferDirections) {
    for (const method of transferMethods) {
      for (const transfer_type of transferTypes) {
        const kind = { direction, method, transfer_type }
        const { needs, statuses } = design(kind)
        if (needs.size === 0) withoutNeeds++
        for (const status of ['CREATED', 'SIGNED'] as const) {
          const expected = needs.size === 0 && statuses.has(status) ? undefined : 'transfer_transition_not_allowed'
          // Even with all facts, so that `verify` can report every such move on record.
          for (const facts of allFacts)
            assert.equal(blockOf({ ...newStanding, ...kind, ...facts, status }, 'COMPLETED', withThirdPartyStatus), expected)
          assert.equal(flowVariantOf(kind).next[status].includes('COMPLETED'), expected === undefined, Object.values(kind).join(' '))
        }
      }
    }
  }
  assert.equal(withoutNeeds, 50)
})

test('the terminal statuses are the seven of the design', () => {
  const expected = transferStatuses.filter((status) => designMoves.get(status) === 'terminal')
  assert.equal(expected.length, 7)
  assert.deepEqual(terminalStatuses, expected)
  assert.deepEqual(transferStatuses.filter(isTerminal), expected)
  assert.deepEqual(new Set(designMoves.keys()), new Set(transferStatuses))
})

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: all 900 pairs, with all facts and circumstances, are allowed or blocked as the design says`, (t) => {
    const expected = design(kind)
    let checked = 0
    for (const status of transferStatuses) {
      for (const on_hold_from of status === 'ON_HOLD' ? holdOrigins(kind) : [null]) {
        for (const facts of allFacts) {
          const transfer = { ...kind, ...facts, status, on_hold_from }
          for (const to of transferStatuses) {
            for (const circumstances of allCircumstances) {
              checked++
              const block = blockOf(transfer, to, circumstances)
              if (block === designBlock(transfer, to, circumstances, expected)) continue
              assert.equal(block, designBlock(transfer, to, circumstances, expected), JSON.stringify({ transfer, to, circumstances }))
            }
          }
        }
      }
    }
    t.diagnostic(`${name}: ${checked} moves compared`)
    assert.ok(checked >= 900 * 32 * 128)
  })
}

test('a blocked client starts nothing new, what was sent settles, and what was packed can be unpacked', () => {
  const blocked = { ...ordinary, client_blocked: true }
  const guardOf = (name: string, from: TransferStatus, to: TransferStatus, more: Partial<MovingTransfer> = {}) =>
    blockOf({ ...(kinds[name] as Kind), ...newStanding, status: from, screened: true, held: true, ...more }, to, blocked)
  assert.equal(guardOf('sending', 'CREATED', 'RESERVED', { held: false }), 'client_blocked')
  assert.equal(guardOf('collected', 'AML_APPROVED', 'RESERVED', { held: false, received: true }), 'client_blocked')
  for (const from of ['AML_APPROVED', 'MANUAL_ACTION', 'TO_RESEND'] as const)
    assert.equal(guardOf('sending', from, 'READY_TO_CLEAR'), 'client_blocked')
  for (const from of ['SENT_TO_PACK', 'PACKED'] as const) assert.equal(guardOf('sending', from, 'READY_TO_CLEAR'), undefined)
  assert.equal(guardOf('sending', 'READY_TO_CLEAR', 'SENT_TO_PACK'), 'client_blocked')
  assert.equal(guardOf('sending', 'SENT_TO_PACK', 'PACKED'), 'client_blocked')
  assert.equal(guardOf('sending', 'PACKED', 'SENT_TO_CLEAR'), 'client_blocked')
  for (const to of ['ACCEPTED', 'COMPLETED'] as const) assert.equal(guardOf('sending', 'SENT_TO_CLEAR', to, { sent: true }), undefined)
  assert.equal(guardOf('sending', 'TO_CANCEL', 'SENT_TO_CLEAR', { sent: true }), undefined)
  for (const name of ['book', 'book, exempt']) assert.equal(guardOf(name, 'RESERVED', 'COMPLETED'), 'client_blocked')
  for (const name of ['book, exempt credit', 'receiving', 'collecting'])
    assert.equal(guardOf(name, 'MANUAL_ACTION', 'COMPLETED', { received: true, sent: true }), undefined)
  assert.equal(guardOf('collecting', 'AML_APPROVED', 'READY_TO_CLEAR'), undefined)
})

test('an authorisation does not complete before its hold is used up', () => {
  const transfer = { ...(kinds['book, authorisation'] as Kind), ...newStanding, status: 'RESERVED', held: true } as const
  assert.equal(blockOf(transfer, 'COMPLETED', { ...ordinary, uncleared: true }), 'not_cleared')
  assert.equal(blockOf(transfer, 'CANCELLED', { ...ordinary, uncleared: true }), undefined)
  assert.equal(blockOf(transfer, 'COMPLETED', ordinary), undefined)
})

test('each move changes the facts that the design says, and going back from ON_HOLD changes none', () => {
  for (const facts of allFacts) {
    for (const from of transferStatuses) {
      for (const to of transferStatuses) {
        const changes = designFacts.filter(({ statuses }) => statuses.includes(to)).flatMap((row) => row.changes)
        const changed = Object.fromEntries(changes.map((change) => [change.replace('not ', ''), !change.startsWith('not ')]))
        assert.deepEqual(factsAfter({ ...facts, status: from, on_hold_from: null }, to), { ...facts, ...changed })
        assert.deepEqual(factsAfter({ ...facts, status: 'ON_HOLD', on_hold_from: to }, to), facts)
      }
    }
  }
})

test('on_hold_from is set when a transfer goes ON_HOLD and cleared when it leaves', () => {
  const held = standingAfter({ ...newStanding, status: 'RESERVED', held: true }, 'ON_HOLD')
  assert.deepEqual(held, { ...newStanding, status: 'ON_HOLD', on_hold_from: 'RESERVED', held: true })
  assert.deepEqual(standingAfter(held, 'RESERVED'), { ...newStanding, status: 'RESERVED', held: true })
  assert.deepEqual(standingAfter(held, 'REVIEW'), { ...newStanding, status: 'REVIEW', held: true })
})

test('a move to the current status is not allowed', () => {
  for (const kind of Object.values(kinds)) {
    for (const status of flowVariantOf(kind).statuses) {
      const transfer = { ...kind, ...newStanding, status, on_hold_from: status === 'ON_HOLD' ? ('CREATED' as const) : null }
      assert.equal(
        blockOf(transfer, status, withThirdPartyStatus),
        isTerminal(status) ? 'transfer_terminal' : 'transfer_transition_not_allowed',
      )
    }
  }
})

test('possible moves are listed with the guards that block them', () => {
  const transfer: MovingTransfer = {
    ...kinds['sending'],
    ...newStanding,
    status: 'AML_APPROVED',
    scanned: true,
    screened: true,
  } as MovingTransfer
  const asText = (moving: MovingTransfer) =>
    movesOf(moving, ordinary).map(({ status, allowed, blocked_by, needs_third_party_status }) => {
      assert.equal(allowed, blocked_by === null)
      return [status, blocked_by ?? 'allowed', ...(needs_third_party_status ? ['needs third_party_status'] : [])].join(' ')
    })
  assert.deepEqual(asText(transfer), [
    'TO_RESERVE allowed',
    'RESERVED allowed',
    'READY_TO_CLEAR reservation_required',
    'ACCEPTED reservation_required',
    'COMPLETED reservation_required',
    'ON_HOLD allowed',
    'TO_CANCEL allowed',
    'CANCELLED allowed',
  ])
  assert.deepEqual(asText({ ...transfer, status: 'SENT_TO_CLEAR', held: true, sent: true }), [
    'ACCEPTED allowed',
    'COMPLETED allowed',
    'REJECTED already_sent needs third_party_status',
    'TO_RESEND already_sent needs third_party_status',
    'SOME_PROBLEMS allowed',
    'TO_CANCEL allowed',
  ])
  assert.deepEqual(asText({ ...transfer, status: 'ON_HOLD', on_hold_from: 'RESERVED', held: true }), [
    'RESERVED allowed',
    'REVIEW allowed',
    'MANUAL_ACTION allowed',
    'MANUAL_REJECTED allowed',
    'TO_CANCEL allowed',
    'CANCELLED allowed',
  ])
  assert.deepEqual(asText({ ...transfer, status: 'COMPLETED' }), [])
})

// ——— Reachable states ———

type State = { transfer: MovingTransfer; edges: Edge[] }
type Edge = { from: State; to: State; needs_third_party_status: boolean }

const keyOf = ({ status, on_hold_from, scanned, screened, held, sent, received }: MovingTransfer) =>
  [status, on_hold_from, scanned, screened, held, sent, received].join()

/** Every state that a transfer of this kind can reach from CREATED, by moves with or without `third_party_status`. */
function explore(kind: Kind): State[] {
  const start: State = { transfer: { ...kind, ...newStanding }, edges: [] }
  const states = new Map([[keyOf(start.transfer), start]])
  // Iterating over a Map includes entries that are added meanwhile, so the Map is the queue of a breadth-first search.
  for (const from of states.values()) {
    const listed = movesOf(from.transfer, withThirdPartyStatus)
    for (const status of transferStatuses) {
      const block = blockOf(from.transfer, status, withThirdPartyStatus)
      assert.equal(
        block === undefined,
        listed.some((move) => move.status === status && move.allowed),
      )
      if (block !== undefined) continue
      const transfer = { ...kind, ...standingAfter(from.transfer, status) }
      const to = states.get(keyOf(transfer)) ?? { transfer, edges: [] }
      states.set(keyOf(transfer), to)
      from.edges.push({
        from,
        to,
        needs_third_party_status: blockOf(from.transfer, status, ordinary) !== undefined,
      })
    }
  }
  return [...states.values()]
}

/** The states from which none of the goals can be reached along these edges. */
function stuckStates(states: State[], isGoal: (transfer: MovingTransfer) => boolean, isOpen: (edge: Edge) => boolean): string[] {
  const canReachGoal = new Set(states.filter(({ transfer }) => isGoal(transfer)))
  for (let before = -1; before < canReachGoal.size; ) {
    before = canReachGoal.size
    for (const state of states) if (state.edges.some((edge) => isOpen(edge) && canReachGoal.has(edge.to))) canReachGoal.add(state)
  }
  return states.filter((state) => !canReachGoal.has(state)).map(({ transfer }) => keyOf(transfer))
}

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: every status is reachable, no state is stuck, and every end is valid`, (t) => {
    const { flow, statuses, needs } = flowVariantOf(kind)
    const states = explore(kind)
    const edges = states.flatMap((state) => state.edges)
    t.diagnostic(`${name}: ${states.length} states, ${edges.length} moves`)
    const reached = new Set(states.map(({ transfer }) => transfer.status))
    assert.deepEqual([...reached].sort(), [...statuses].sort())

    const hasEnded = ({ status }: MovingTransfer) => isTerminal(status)
    const isDone = ({ status }: MovingTransfer) => status === 'COMPLETED'
    const open = states.filter(({ transfer }) => !hasEnded(transfer))
    const whileIn = (circumstances: Circumstances) => (edge: Edge) =>
      blockOf(edge.from.transfer, edge.to.transfer.status, circumstances) === undefined
    assert.deepEqual(
      stuckStates(states, hasEnded, (edge) => !edge.needs_third_party_status),
      [],
      'an end can be reached without third_party_status',
    )
    assert.deepEqual(
      stuckStates(open.concat(states.filter(({ transfer }) => isDone(transfer))), isDone, (edge) => !edge.needs_third_party_status),
      [],
      'COMPLETED',
    )
    const sentMoney = states.filter(({ transfer }) => transfer.sent && (!hasEnded(transfer) || isDone(transfer)))
    const settles = stuckStates(sentMoney, isDone, whileIn({ ...ordinary, client_blocked: true }))
    assert.deepEqual(settles, [], 'what was sent completes while the client is blocked')
    for (const uncleared of [false, true]) {
      const closed = { ...withThirdPartyStatus, account_closed: true, receiver_closed: true, uncleared }
      assert.deepEqual(stuckStates(states, hasEnded, whileIn(closed)), [], 'an end can be reached after the account is closed')
      const blocked = { ...ordinary, client_blocked: true, uncleared }
      const unsent = states.filter(({ transfer }) => !transfer.sent || hasEnded(transfer))
      assert.deepEqual(stuckStates(unsent, hasEnded, whileIn(blocked)), [], 'an end can be reached while the client is blocked')
    }

    for (const { transfer } of states) {
      const about = keyOf(transfer)
      assert.equal(transfer.on_hold_from !== null, transfer.status === 'ON_HOLD', about)
      if (transfer.screened) assert.ok(transfer.scanned, about)
      if (transfer.sent) assert.ok((transfer.screened || !needs.screened) && (transfer.held || !needs.held), about)
      if (!isDone(transfer)) continue
      const { held, sent, received } = transfer
      assert.deepEqual({ held, sent, received }, { held: needs.held, sent: needs.sent, received: needs.received }, about)
      if (needs.screened) assert.ok(transfer.screened, about)
    }
    if (!needs.screened)
      assert.ok(
        states.some(({ transfer }) => isDone(transfer) && !transfer.scanned),
        'the exempt need no scan',
      )

    for (const { from, to, needs_third_party_status } of edges) {
      const about = `${keyOf(from.transfer)} to ${keyOf(to.transfer)}`
      const [before, after] = [from.transfer, to.transfer]
      if (before.sent && !after.sent) assert.ok(after.status === 'TO_RESEND' && needs_third_party_status, about)
      if (before.sent && hasEnded(after) && !isDone(after)) assert.ok(needs_third_party_status, about)
      if (needs_third_party_status) assert.ok(before.sent, about)
      if (before.sent && after.status === 'SENT_TO_CLEAR') assert.equal(before.status, 'TO_CANCEL', about)
      assert.ok(after.held || !before.held, about)
      assert.ok(after.received || !before.received, about)
      if (goesBack(before, after.status)) assert.deepEqual(factsAfter(before, after.status), factsAfter(before, 'ON_HOLD'), about)
      if (flow !== 'receiving' || !after.received || !hasEnded(after)) continue
      const settled = isDone(after) || (after.status === 'REJECTED' && before.status === 'TO_RETURN')
      assert.ok(settled || after.status === 'AML_REJECTED', `money is left in suspense: ${about}`)
    }
  })
}

test('the moves from ON_HOLD include the previous status exactly once', () => {
  const transfer = { ...newStanding, direction: 'OUTBOUND', method: 'SEPA', transfer_type: 'PAYMENT', status: 'ON_HOLD' } as const
  for (const on_hold_from of holdOrigins(transfer)) {
    const next = nextOf({ ...transfer, on_hold_from })
    assert.equal(next.filter((status) => status === on_hold_from).length, 1)
  }
})
