// The messages between the processes of one start.
import type { Snapshot } from './platform/metrics.ts'
import type { Start, StartReport } from './service.ts'

/**
 * To an instance. `first`: no other instance of this start is running yet. `number`: identifies a question and its answer. `leave`: stop,
 * while other instances continue.
 */
export type ToInstance =
  | { kind: 'start'; start: Start; first: boolean }
  | { kind: 'build-console' }
  | { kind: 'measure'; number: number }
  | { kind: 'measured'; number: number; snapshots: readonly Snapshot[] }
  | { kind: 'leave' }
  | { kind: 'stop' }

/** From an instance. `refused`: it cannot start, for a reason that the operator can fix. */
export type FromInstance =
  | { kind: 'started'; told: StartReport }
  | { kind: 'refused'; reason: string }
  | { kind: 'snapshot'; number: number; snapshot: Snapshot }
  | { kind: 'measure-all'; number: number }
