import type { VerificationRun } from '@vostro/sdk'
import { Status } from '../../ui/status.tsx'
import { counted } from '../../ui/words.ts'

type Run = Pick<VerificationRun, 'status' | 'broken' | 'started_at' | 'ended_at'>

export function Outcome({ run: { status, broken } }: { run: Run }) {
  if (status === 'RUNNING') return <Status value="RUNNING" tone="plain" />
  if (status === 'FAILED') return <Status value="Failed to run" tone="bad" />
  return broken.length === 0 ? (
    <Status value="All hold" tone="good" />
  ) : (
    <Status value={`${counted(broken.length, 'invariant')} broken`} tone="bad" />
  )
}

/** How long a run took; empty while it runs. */
export function tookOf({ started_at, ended_at }: Run): string {
  if (ended_at === null) return ''
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
