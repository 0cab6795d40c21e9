// What is counted in an experiment, and what was found wrong in it.

export class Tally {
  /** How often the fault happened. */
  faults = 0
  acknowledged = 0
  /** Answered with a no, or never sent: not done, by the service's own word. */
  refused = 0
  /** Sent, and not known whether it was done. */
  unknown = 0
  /** What was unknown and turned out to have been done, or not. */
  foundDone = 0
  foundNotDone = 0
  /** Acknowledged, and not there afterwards. */
  readonly lost: string[] = []
  /** There more often than acknowledged, or though it was refused. */
  readonly doubled: string[] = []
  /** Everything else that must not be: an invariant, a 500, an answer that never came. */
  readonly broken: string[] = []
  /** How long after each fault the service was ready for good. */
  readonly ready_ms: number[] = []
  /** What a reader of the table should know. */
  readonly notes: string[] = []
  slowestAnswer_ms = 0
  /** Answers that came later than the service promises for a database that is away. */
  readonly late: string[] = []

  get isSound(): boolean {
    return this.lost.length + this.doubled.length + this.broken.length === 0
  }
}

/** One sentence, once: a thousand equal ones say no more than their number. */
export function summed(findings: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const finding of findings) counts.set(finding, (counts.get(finding) ?? 0) + 1)
  return [...counts].map(([finding, count]) => (count === 1 ? finding : `${finding} (${count} times)`))
}
