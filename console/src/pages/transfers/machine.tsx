// The diagram of a transfer's life. The table of next moves has the same content as text.
import './machine.css'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { words } from '../../ui/words.ts'
import { shortBlock } from './blocks.ts'
import {
  type Box,
  boxesOf,
  edgesOf,
  extentOf,
  headOf,
  type Kind,
  kindOf,
  type Life,
  linesOf,
  pathOf,
  phasesOf,
  size,
  visitsOf,
} from './machine.ts'

export function Machine({ life }: { life: Life }) {
  const isCompact = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const frame = useRef<HTMLDivElement>(null)
  const shown = phasesOf(life, isCompact)
  const boxes = boxesOf(shown)
  const lines = linesOf(edgesOf(life), boxes)
  const { width, height } = extentOf(shown, lines)
  const now = boxes.get(life.current)?.x ?? 0
  useEffect(() => {
    const { current } = frame
    if (current !== null) current.scrollLeft = Math.max(0, now - current.clientWidth / 2 + size.width / 2)
  }, [now])
  const visits = visitsOf(life.history)
  const next = new Map(life.transitions.map((move) => [move.status, move]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={frame} className="machine" tabIndex={0} aria-label="Status diagram">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        style={{ maxWidth: width, minWidth: Math.min(width, 880) }}
        role="img"
        aria-label={summaryOf(life)}
      >
        {shown.map(({ name }, column) => (
          <text key={name} className="phase" x={size.margin + column * (size.width + size.gutter)} y={16}>
            {name}
          </text>
        ))}
        {lines.map(({ kind, from, to, points }) => (
          <g key={`${kind} ${from} ${to}`} className={`line ${kind}`}>
            <path d={pathOf(points)} />
            <path d={headOf(points)} className="head" />
          </g>
        ))}
        {[...boxes.values()].map((box) => {
          const move = next.get(box.status)
          const isBlocked = move !== undefined && kindOf(move) === 'blocked'
          return (
            <StatusBox
              key={box.status}
              box={box}
              isNow={box.status === life.current}
              numbers={visits.get(box.status) ?? []}
              {...(move !== undefined && { next: kindOf(move) })}
              {...(isBlocked && { reason: shortBlock(move.blocked_by ?? '') })}
            />
          )
        })}
      </svg>
    </section>
  )
}

type BoxOptions = { box: Box; isNow: boolean; numbers: readonly number[]; next?: Kind; reason?: string }

function StatusBox({ box: { status, x, y }, isNow, numbers, next, reason }: BoxOptions) {
  const kind = isNow ? 'now' : (next ?? (numbers.length > 0 ? 'past' : 'idle'))
  const middle = y + size.height / 2
  return (
    <g className={`box ${kind}`}>
      <rect x={x} y={y} width={size.width} height={size.height} rx={7} />
      <text x={x + 9} y={reason === undefined ? middle + 4 : middle - 2}>
        {words(status)}
      </text>
      {reason !== undefined && (
        <text x={x + 9} y={middle + 11} className="reason">
          ✕ {reason}
        </text>
      )}
      {numbers.length > 0 && <Numbers x={x + size.width - 4} y={y} text={numbersOf(numbers)} />}
    </g>
  )
}

/** On the corner of the box, if it was visited. */
function Numbers({ x, y, text }: { x: number; y: number; text: string }) {
  const width = 10 + 6.5 * text.length
  return (
    <g className="numbers">
      <rect x={x - width + 8} y={y - 8} width={width} height={16} rx={8} />
      <text x={x - width / 2 + 8} y={y + 4}>
        {text}
      </text>
    </g>
  )
}

const numbersOf = (numbers: readonly number[]): string => (numbers.length > 2 ? `${numbers.at(0)}…${numbers.at(-1)}` : numbers.join(', '))

function summaryOf({ current, history, transitions }: Life): string {
  const listed = (kind: Kind) =>
    transitions
      .filter((move) => kindOf(move) === kind)
      .map(({ status }) => words(status))
      .join(', ')
  const [may, blocked] = [listed('may'), listed('blocked')]
  return [
    `Past statuses: ${history.map(({ to_status }) => words(to_status)).join(', ')}. Current status: ${words(current)}.`,
    transitions.length === 0 ? 'No further moves.' : `Possible next: ${may || 'none'}.`,
    blocked && `Blocked: ${blocked}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The legend. */
export function MachineKey() {
  return (
    <span className="machine-key">
      {(['past', 'may', 'blocked'] as const).map((kind) => (
        <span key={kind}>
          <svg width={26} height={8} aria-hidden="true" className={`line ${kind}`}>
            <path d="M1,4 L25,4" />
          </svg>
          {{ past: 'past', may: 'possible', blocked: 'blocked' }[kind]}
        </span>
      ))}
    </span>
  )
}
