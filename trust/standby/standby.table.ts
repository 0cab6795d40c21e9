// The figures of the scenarios.
import type { Outcome } from '../faults/experiment.ts'
import { counted } from '../faults/results.ts'
import { aligned } from '../faults/table.ts'
import type { Scenario } from './standby.scenarios.ts'

export type StandbyOutcome = Outcome & { experiment: Scenario }

const columns = [
  'scenario',
  'failures',
  'done',
  'refused',
  'unknown',
  '= done',
  '= not',
  'lost',
  'doubled',
  '500',
  'broken',
  'silent',
  'slowest',
]

const legend = `done: acknowledged; unknown: answered with outcome_unknown, and how repeating it resolved it; lost: acknowledged and gone after the failover;
500: answers 5xx other than 503; silent: the longest time under load without an acknowledgement, in seconds; slowest: the slowest answer`

export function tableOf(outcomes: readonly StandbyOutcome[]): string {
  return [...aligned([columns, ...outcomes.map(rowOf)]), '', legend, ...outcomes.flatMap(findingsOf)].join('\n')
}

function rowOf({ experiment, results }: StandbyOutcome): string[] {
  const { faults, acknowledged, refused, unknown, foundDone, foundNotDone, lost, doubled, broken } = results
  const errors = broken.filter((finding) => /was answered with 5\d\d/.test(finding))
  const counts = [
    faults,
    acknowledged,
    refused,
    unknown,
    foundDone,
    foundNotDone,
    lost.length,
    doubled.length,
    errors.length,
    broken.length,
  ]
  const silent = experiment.silent_ms.length === 0 ? '' : seconds(Math.max(...experiment.silent_ms))
  return [experiment.name, ...counts.map((count) => count.toLocaleString('en')), silent, seconds(results.slowestAnswer_ms)]
}

const seconds = (ms: number) => (ms / 1000).toFixed(2)

function findingsOf({ experiment, results: { lost, doubled, broken, late, notes } }: StandbyOutcome): string[] {
  const findings = Object.entries({ lost, doubled, broken, 'later than five seconds': late }).flatMap(([kind, found]) =>
    counted(found)
      .slice(0, 10)
      .map((finding) => `  ! ${kind}: ${finding}`),
  )
  const remarks = [...findings, ...notes.map((note) => `    ${note}`)]
  return remarks.length === 0 ? [] : ['', experiment.name, ...remarks]
}
