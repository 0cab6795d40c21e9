// Progress while a run lasts, and its final report.
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { findingKinds } from './fuzz.checks.ts'
import type { Run } from './fuzz.run.ts'
import { curlOf } from './requests/fuzz.request.ts'

/** A line that is redrawn once a second: progress, rate and remaining time. `total`: how many requests are still to come. */
export function showProgress(run: Run, total: number): () => void {
  const start = performance.now()
  const before = run.requests
  const draw = () => {
    const done = run.requests - before
    const perSecond = done / ((performance.now() - start) / 1000)
    const left_s = Math.max(0, (total - done) / perSecond)
    const time = Number.isFinite(left_s)
      ? `${Math.floor(left_s / 60)}:${String(Math.floor(left_s % 60)).padStart(2, '0')} left`
      : 'starting'
    const figures = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}, ${perSecond.toFixed(0)}/s, ${time}`
    redraw(`${barOf({ done, of: total })} ${figures}, ${run.found} findings`)
  }
  const timer = setInterval(draw, 1_000)
  return () => {
    clearInterval(timer)
    draw()
    process.stderr.write('\n')
  }
}

const columns = {
  '5xx': '5xx',
  'no answer': 'none',
  contract: 'contract',
  leak: 'leaks',
  injected: 'injected',
  accepted: 'accepted',
  misleading: 'mislead.',
  stored: 'stored',
}

export function printTable(run: Run): void {
  const head = ['requests', 'taken', 'slow', ...Object.values(columns)]
  console.log(`\n${'route'.padEnd(75)}${head.map((name) => name.padStart(9)).join('')}  statuses`)
  const sum = (count: (route: (typeof rows)[number][1]) => number) => rows.reduce((total, [, route]) => total + count(route), 0)
  const rows = [...run.routes].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [id, { requests, accepted, slow, findings, statuses }] of rows) {
    const figures = [requests, accepted, slow, ...findingKinds.map((kind) => findings.get(kind) ?? 0)]
    console.log(`${id.padEnd(75)}${figures.map(cell).join('')}  ${inWords(statuses)}`)
  }
  const all = [run.requests, sum(({ accepted }) => accepted), sum(({ slow }) => slow), ...findingKinds.map((kind) => run.countOf(kind))]
  const statuses = new Map<number, number>()
  for (const [, route] of rows) for (const [status, count] of route.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  console.log(`${'all of them'.padEnd(75)}${all.map(cell).join('')}  ${inWords(statuses)}`)
}

function cell(value: number): string {
  return String(value).padStart(9)
}

function inWords(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'none' : status}:${count}`)
    .join(' ')
}

/** One finding of each kind on each route, with the command that sends it again. */
export function printFindings(run: Run, seed: number, logOf: (request_id: string) => string | undefined): void {
  const shown = new Set<string>()
  for (const { kind, request, answer, what } of run.findings) {
    const name = `${kind} on ${request.target.id}`
    if (shown.has(name)) continue
    shown.add(name)
    console.log(`\n${name} (${request.why}): ${what}`)
    console.log(`  seed ${seed}${request.number === undefined ? ', from the corpus' : `, request ${request.number}`}\n  ${curlOf(request)}`)
    const request_id = /\r\nx-request-id: (\S+)/i.exec(answer.head)?.[1]
    const logged = request_id === undefined ? undefined : logOf(request_id)
    if (logged !== undefined) console.log(`  ${logged}`)
  }
  for (const { request, duration_ms } of run.slowest) {
    console.log(`\nslow: ${(duration_ms / 1000).toFixed(1)} s on ${request.target.id} (${request.why})\n  ${curlOf(request)}`)
  }
}
