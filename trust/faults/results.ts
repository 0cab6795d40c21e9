// The counts and findings of an experiment.

export class Results {
  /** How often the fault was injected. */
  faults = 0
  acknowledged = 0
  /** Refused by the service, or never sent: not done. */
  refused = 0
  /** Sent, with an unknown outcome. */
  unknown = 0
  /** Unknown outcomes that turned out to be done, or not. */
  foundDone = 0
  foundNotDone = 0
  /** Acknowledged, and missing afterwards. */
  readonly lost: string[] = []
  /** Found more often than acknowledged, or despite a refusal. */
  readonly doubled: string[] = []
  /** Every other violation: a failed invariant, a 500, a response that never came. */
  readonly broken: string[] = []
  /** How long after each fault the service was permanently ready. */
  readonly ready_ms: number[] = []
  /** Remarks for readers of the table. */
  readonly notes: string[] = []
  slowestAnswer_ms = 0
  /** Responses slower than the service promises for an unreachable database. */
  readonly late: string[] = []

  get isSound(): boolean {
    return this.lost.length + this.doubled.length + this.broken.length === 0
  }
}

/** Lists each text once, with its number of occurrences. */
export function counted(findings: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const finding of findings) counts.set(finding, (counts.get(finding) ?? 0) + 1)
  return [...counts].map(([finding, count]) => (count === 1 ? finding : `${finding} (${count} times)`))
}
