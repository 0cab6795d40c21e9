// The layout of the diagram of a transfer's life: columns are phases, boxes are statuses. A flow has up to 130 moves, too many to read, so
// only three kinds are drawn: past moves, possible moves and blocked moves.
import type { Transfer, TransferMove, TransferTransition } from '@vostro/sdk'
import { phases as statusesOf } from '../../values.made.ts'

export type TransferStatus = Transfer['status']
export type Step = Pick<TransferMove, 'from_status' | 'to_status'>
export type Next = Pick<TransferTransition, 'status' | 'allowed' | 'blocked_by' | 'needs_third_party_status'>
export type Kind = 'past' | 'may' | 'blocked'

export const phases: readonly (readonly [string, readonly TransferStatus[]])[] = Object.entries(statusesOf)

/** Blocks that the person can clear: with the answer of the scheme, or with a second person's approval. */
export function kindOf({ allowed, blocked_by, needs_third_party_status }: Next): Kind {
  return allowed || needs_third_party_status || blocked_by === 'approval_required' ? 'may' : 'blocked'
}

export type Life = {
  statuses: readonly string[]
  current: TransferStatus
  history: readonly Step[]
  transitions: readonly Next[]
}

export type Phase = { name: string; statuses: TransferStatus[] }

/** The columns and their boxes. With little space, only visited statuses and the next possible ones. */
export function phasesOf({ statuses, current, history, transitions }: Life, isCompact: boolean): Phase[] {
  const touched = new Set([current, ...history.flatMap(stepStatuses), ...transitions.map(({ status }) => status)])
  const isShown = (status: TransferStatus) => touched.has(status) || (!isCompact && statuses.includes(status))
  return phases.map(([name, all]) => ({ name, statuses: all.filter(isShown) })).filter(({ statuses: shown }) => shown.length > 0)
}

const stepStatuses = ({ from_status, to_status }: Step): TransferStatus[] => (from_status === null ? [to_status] : [from_status, to_status])

export type Edge = { kind: Kind; from: TransferStatus; to: TransferStatus }

/** The moves to draw, each once. Past moves come last, so that they lie on top. */
export function edgesOf({ current, history, transitions }: Life): Edge[] {
  const next = transitions.map((move) => ({ kind: kindOf(move), from: current, to: move.status }))
  const past = new Map<string, Edge>()
  for (const { from_status: from, to_status: to } of history)
    if (from !== null && from !== to) past.set(`${from} ${to}`, { kind: 'past', from, to })
  return [...next.filter(({ kind }) => kind === 'blocked'), ...next.filter(({ kind }) => kind === 'may'), ...past.values()]
}

/** At which step the transfer reached each status; the creation is 1. */
export function visitsOf(history: readonly Step[]): Map<TransferStatus, number[]> {
  const visits = new Map<TransferStatus, number[]>()
  for (const [at, { to_status }] of history.entries()) visits.set(to_status, [...(visits.get(to_status) ?? []), at + 1])
  return visits
}

export const size = { width: 136, height: 36, gutter: 32, gap: 14, top: 36, margin: 6 } as const

export type Box = { status: TransferStatus; column: number; row: number; x: number; y: number }

export function boxesOf(shown: readonly Phase[]): Map<TransferStatus, Box> {
  const boxes = new Map<TransferStatus, Box>()
  for (const [column, { statuses }] of shown.entries())
    for (const [row, status] of statuses.entries()) {
      const x = size.margin + column * (size.width + size.gutter)
      boxes.set(status, { status, column, row, x, y: size.top + row * (size.height + size.gap) })
    }
  return boxes
}

export type Point = readonly [x: number, y: number]
export type Line = Edge & { points: Point[] }

/** Vertical in the gutter right of a column, or horizontal in the corridor above a row. Moves of a group share their track. */
type Track = { place: string; group: string; from: number; to: number }

type Route = {
  edge: Edge
  start: Point
  end: Point
  /** The gutters of its two ends. */
  gutters: readonly [number, number]
  corridor: number | undefined
}

/** Lines run between the boxes and never across one: through a gutter, a corridor, and another gutter. */
export function linesOf(edges: readonly Edge[], boxes: ReadonlyMap<TransferStatus, Box>): Line[] {
  const routes = edges.flatMap((edge) => routeOf(edge, boxes) ?? [])
  const lanes = lanesOf(routes.flatMap(tracksOf))
  return routes.map((route) => ({ ...route.edge, points: pointsOf(route, lanes) }))
}

const groupOf = ({ kind, from, to }: Edge): string => (kind === 'past' ? `${from} ${to}` : kind)

function routeOf(edge: Edge, boxes: ReadonlyMap<TransferStatus, Box>): Route | undefined {
  const from = boxes.get(edge.from)
  const to = boxes.get(edge.to)
  if (from === undefined || to === undefined || from === to) return undefined
  const isForward = to.column > from.column
  const isWithin = to.column === from.column
  const leavesRight = isForward || isWithin
  const start: Point = [leavesRight ? from.x + size.width : from.x, middleOf(from) + outOf(edge.kind, isForward, isWithin)]
  const end: Point = [isForward ? to.x : to.x + size.width, middleOf(to) - (isForward ? 0 : 8)]
  const gutters = [leavesRight ? from.column : from.column - 1, isForward ? to.column - 1 : to.column] as const
  // Possible moves share a corridor above their box; past moves use the one on the side of their target.
  const corridor = edge.kind === 'past' && to.row > from.row ? from.row + 1 : from.row
  return { edge, start, end, gutters, corridor: gutters[0] === gutters[1] ? undefined : corridor }
}

const middleOf = ({ y }: Box): number => y + size.height / 2

/** The offset from the middle of the box where a line leaves, so that it does not overlap arriving lines. */
function outOf(kind: Kind, isForward: boolean, isWithin: boolean): number {
  if (kind === 'blocked') return isForward || isWithin ? 9 : 12
  if (kind === 'may') return isForward || isWithin ? 0 : 7
  return isForward ? 0 : 8
}

const corridorMiddle = (corridor: number): number => size.top + corridor * (size.height + size.gap) - size.gap / 2
const gutterLeft = (gutter: number): number => size.margin + gutter * (size.width + size.gutter) + size.width

function tracksOf({ edge, start, end, gutters, corridor }: Route): Track[] {
  const group = groupOf(edge)
  const vertical = (gutter: number, y1: number, y2: number): Track[] =>
    y1 === y2 ? [] : [{ place: `gutter ${gutter}`, group, from: Math.min(y1, y2), to: Math.max(y1, y2) }]
  if (corridor === undefined) return vertical(gutters[0], start[1], end[1])
  const y = corridorMiddle(corridor)
  return [
    ...vertical(gutters[0], start[1], y),
    { place: `corridor ${corridor}`, group, from: Math.min(...gutters), to: Math.max(...gutters) },
    ...vertical(gutters[1], y, end[1]),
  ]
}

type Lanes = Map<string, { lane: number; of: number }>

/** Assigns lanes to groups whose tracks would overlap. */
function lanesOf(tracks: readonly Track[]): Lanes {
  const merged = new Map<string, Track>()
  for (const track of tracks) {
    const key = `${track.place} ${track.group}`
    const known = merged.get(key) ?? track
    merged.set(key, { ...track, from: Math.min(known.from, track.from), to: Math.max(known.to, track.to) })
  }
  const lanes: Lanes = new Map()
  for (const place of new Set(tracks.map((track) => track.place))) {
    const here = [...merged].filter(([, track]) => track.place === place).toSorted(([, a], [, b]) => a.from - b.from || a.to - b.to)
    const taken: Track[][] = []
    for (const [key, track] of here) {
      const free = taken.findIndex((lane) => lane.every((other) => other.to < track.from || track.to < other.from))
      const lane = free === -1 ? taken.length : free
      taken[lane] = [...(taken[lane] ?? []), track]
      lanes.set(key, { lane, of: 0 })
    }
    for (const [key] of here) lanes.set(key, { lane: lanes.get(key)?.lane ?? 0, of: taken.length })
  }
  return lanes
}

/** Leaves room for the arrowheads on both sides of a gutter. */
const head = 10

function spread(room: number, { lane, of }: { lane: number; of: number }): number {
  if (of < 2) return 0
  const step = Math.min(6, room / (of - 1))
  return (lane - (of - 1) / 2) * step
}

function pointsOf({ edge, start, end, gutters, corridor }: Route, lanes: Lanes): Point[] {
  const group = groupOf(edge)
  const laneIn = (place: string) => lanes.get(`${place} ${group}`) ?? { lane: 0, of: 1 }
  const xIn = (gutter: number) => gutterLeft(gutter) + size.gutter / 2 + spread(size.gutter - 2 * head, laneIn(`gutter ${gutter}`))
  const x1 = xIn(gutters[0])
  if (corridor === undefined) return straight([start, [x1, start[1]], [x1, end[1]], end])
  const y = corridorMiddle(corridor) + spread(size.gap - 4, laneIn(`corridor ${corridor}`))
  const x2 = xIn(gutters[1])
  return straight([start, [x1, start[1]], [x1, y], [x2, y], [x2, end[1]], end])
}

/** Drops points that lie on a straight line. */
function straight(points: readonly Point[]): Point[] {
  return points.filter((point, at) => {
    const before = points[at - 1]
    const after = points[at + 1]
    if (before === undefined || after === undefined) return true
    return !((before[0] === point[0] && point[0] === after[0]) || (before[1] === point[1] && point[1] === after[1]))
  })
}

const radius = 5

/** A line with rounded corners. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points
  if (first === undefined) return ''
  let path = `M${first[0]},${first[1]}`
  for (const [at, point] of others.entries()) {
    const before = points[at] as Point
    const after = others[at + 1]
    if (after === undefined) return `${path} L${point[0]},${point[1]}`
    const r = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2)
    const [x1, y1] = towards(point, before, r)
    const [x2, y2] = towards(point, after, r)
    path += ` L${x1},${y1} Q${point[0]},${point[1]} ${x2},${y2}`
  }
  return path
}

const distance = ([x1, y1]: Point, [x2, y2]: Point): number => Math.abs(x1 - x2) + Math.abs(y1 - y2)

const towards = ([x, y]: Point, [toX, toY]: Point, r: number): Point => [x + Math.sign(toX - x) * r, y + Math.sign(toY - y) * r]

/** The arrowhead at the end of a line, which is always horizontal there. */
export function headOf(points: readonly Point[]): string {
  const [x, y] = points.at(-1) ?? [0, 0]
  const back = (points.at(-2)?.[0] ?? 0) < x ? -7 : 7
  return `M${x},${y} l${back},-4 l0,8 z`
}

/** The size of the drawing, including lines right of the last column. */
export function extentOf(shown: readonly Phase[], lines: readonly Line[]): { width: number; height: number } {
  const rows = Math.max(...shown.map(({ statuses }) => statuses.length))
  const right = gutterLeft(shown.length - 1)
  const furthest = Math.max(right, ...lines.flatMap(({ points }) => points.map(([x]) => x)))
  return { width: furthest + (furthest > right ? 8 : size.margin), height: size.top + rows * (size.height + size.gap) - size.gap + 8 }
}
