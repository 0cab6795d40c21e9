import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Box,
  boxesOf,
  edgesOf,
  extentOf,
  headOf,
  kindOf,
  type Life,
  linesOf,
  type Next,
  pathOf,
  phases,
  phasesOf,
  size,
  type TransferStatus,
  visitsOf,
} from './machine.ts'

const walk = (...statuses: TransferStatus[]) =>
  statuses.map((to_status, at) => ({ from_status: at === 0 ? null : (statuses[at - 1] as TransferStatus), to_status }))

const next = (status: TransferStatus, blocked_by: string | null = null, needs_third_party_status = false): Next => ({
  status,
  blocked_by,
  needs_third_party_status,
  allowed: blocked_by === null,
})

const everything = phases.flatMap(([, statuses]) => statuses)

/** A transfer under review that has been on hold, as the demo bank has them. */
const life: Life = {
  statuses: everything.filter((status) => !['RECEIVED', 'CREDIT_TECH_BALANCE', 'TO_RETURN', 'DROPPED'].includes(status)),
  current: 'REVIEW',
  history: walk('CREATED', 'RESERVED', 'READY_FOR_SCREENING', 'REVIEW', 'ON_HOLD', 'REVIEW'),
  transitions: [
    next('READY_FOR_SCREENING'),
    next('AML_APPROVED', 'screening_required'),
    next('AML_REJECTED'),
    next('MANUAL_ACTION'),
    next('MANUAL_REJECTED'),
    next('ON_HOLD'),
    next('TO_CANCEL'),
    next('CANCELLED'),
  ],
}

const drawn = (of: Life, isCompact = false) => {
  const shown = phasesOf(of, isCompact)
  const boxes = boxesOf(shown)
  return { shown, boxes, lines: linesOf(edgesOf(of), boxes) }
}

test('every status of the contract has one phase', () => {
  const contract = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'))
  const statuses: string[] = contract.components.schemas.Transfer.properties.status.enum
  assert.deepEqual(everything.toSorted(), statuses.toSorted())
})

test('only moves that happened, may happen or are blocked are drawn, each once', () => {
  const edges = edgesOf(life)
  const names = edges.map(({ kind, from, to }) => `${kind} ${from} ${to}`)
  assert.equal(new Set(names).size, names.length)
  assert.equal(names.filter((name) => name.startsWith('past')).length, 5)
  assert.deepEqual(
    names.filter((name) => name.startsWith('blocked')),
    ['blocked REVIEW AML_APPROVED'],
  )
  assert.equal(names.filter((name) => name.startsWith('may')).length, 7)
  assert.equal(edgesOf({ ...life, transitions: [] }).length, 5)
})

test('what a person can get past is no block', () => {
  assert.equal(kindOf(next('SIGNED')), 'may')
  assert.equal(kindOf(next('REJECTED', 'already_sent', true)), 'may')
  assert.equal(kindOf(next('CANCELLED', 'approval_required')), 'may')
  assert.equal(kindOf(next('INVALID', 'already_sent')), 'blocked')
})

test('a wide drawing has all statuses of the flow, a narrow one only those that matter', () => {
  assert.deepEqual(
    phasesOf(life, false).flatMap(({ statuses }) => statuses),
    life.statuses,
  )
  const narrow = phasesOf(life, true)
  assert.deepEqual(
    narrow.map(({ name, statuses }) => [name, ...statuses].join(' ')),
    [
      'Order CREATED',
      'Reserve RESERVED',
      'Screen READY_FOR_SCREENING AML_APPROVED',
      'Attention REVIEW ON_HOLD MANUAL_ACTION TO_CANCEL',
      'End CANCELLED AML_REJECTED MANUAL_REJECTED',
    ],
  )
  // A status that the flow does not know, but that the transfer had, is drawn.
  assert.ok(phasesOf({ ...life, statuses: [] }, false).some(({ statuses }) => statuses.includes('REVIEW')))
})

test('visits are numbered from the creation on', () => {
  const visits = visitsOf(life.history)
  assert.deepEqual(visits.get('CREATED'), [1])
  assert.deepEqual(visits.get('REVIEW'), [4, 6])
  assert.equal(visits.get('PACKED'), undefined)
})

const lives: Life[] = [
  life,
  {
    ...life,
    current: 'CREATED',
    history: walk('CREATED'),
    transitions: everything.filter((each) => each !== 'CREATED').map((each) => next(each)),
  },
  {
    ...life,
    current: 'COMPLETED',
    history: walk(...everything.slice(0, 20), 'CREATED', 'SENT_TO_CLEAR', 'TO_SIGN', 'ACCEPTED', 'COMPLETED'),
    transitions: [],
  },
  ...everything.map((current) => ({
    ...life,
    statuses: everything,
    current,
    history: walk('CREATED', 'SIGNED', 'RESERVED', current),
    transitions: everything.filter((each) => each !== current).map((each, at) => next(each, at % 3 === 0 ? 'not_sent' : null)),
  })),
]

test('no line crosses a box, and each ends at its box', () => {
  for (const each of lives)
    for (const isCompact of [false, true]) {
      const { boxes, lines } = drawn(each, isCompact)
      assert.ok(lines.length > 0)
      for (const { from, to, points } of lines) {
        for (const [at, [x, y]] of points.entries()) {
          const [beforeX, beforeY] = points[at - 1] ?? [x, y]
          assert.ok(beforeX === x || beforeY === y, 'lines have no slope')
          for (const box of boxes.values()) assert.ok(!crosses(box, [beforeX, beforeY, x, y]), `${from} to ${to} crosses ${box.status}`)
        }
        assert.ok(touches(boxes.get(from), points[0]), `${from} to ${to} begins at its box`)
        assert.ok(touches(boxes.get(to), points.at(-1)), `${from} to ${to} ends at its box`)
      }
    }
})

function crosses({ x, y }: Box, [x1, y1, x2, y2]: readonly [number, number, number, number]): boolean {
  const isBeside = Math.max(x1, x2) <= x || Math.min(x1, x2) >= x + size.width
  const isAboveOrBelow = Math.max(y1, y2) <= y || Math.min(y1, y2) >= y + size.height
  return !isBeside && !isAboveOrBelow
}

function touches(box: Box | undefined, [x, y]: readonly [number, number] = [0, 0]): boolean {
  assert.ok(box !== undefined)
  return (x === box.x || x === box.x + size.width) && y > box.y && y < box.y + size.height
}

test('lines of different kinds do not lie on each other in a gutter', () => {
  for (const each of lives.slice(0, 1)) {
    const verticals = drawn(each).lines.flatMap(({ kind, from, to, points }) =>
      points.slice(1).flatMap(([x, y], at) => {
        const [beforeX, beforeY] = points[at] ?? [0, 0]
        const group = kind === 'past' ? `${from} ${to}` : kind
        return beforeX === x ? [{ x, group, low: Math.min(y, beforeY), high: Math.max(y, beforeY) }] : []
      }),
    )
    for (const one of verticals)
      for (const other of verticals)
        if (one.group !== other.group && one.x === other.x)
          assert.ok(one.high <= other.low || other.high <= one.low, `${one.group} lies on ${other.group}`)
  }
})

test('the drawing is as large as what is in it', () => {
  for (const each of lives) {
    const { shown, boxes, lines } = drawn(each)
    const { width, height } = extentOf(shown, lines)
    for (const { x, y } of boxes.values()) assert.ok(x + size.width <= width && y + size.height <= height)
    for (const { points } of lines) for (const [x, y] of points) assert.ok(x > 0 && x < width && y > 0 && y < height)
  }
})

test('paths have round corners, and arrows point where the line goes', () => {
  assert.equal(
    pathOf([
      [0, 0],
      [20, 0],
      [20, 20],
    ]),
    'M0,0 L15,0 Q20,0 20,5 L20,20',
  )
  assert.equal(
    pathOf([
      [0, 0],
      [30, 0],
    ]),
    'M0,0 L30,0',
  )
  assert.equal(pathOf([]), '')
  assert.equal(
    headOf([
      [0, 5],
      [30, 5],
    ]),
    'M30,5 l-7,-4 l0,8 z',
  )
  assert.equal(
    headOf([
      [30, 5],
      [0, 5],
    ]),
    'M0,5 l7,-4 l0,8 z',
  )
})
