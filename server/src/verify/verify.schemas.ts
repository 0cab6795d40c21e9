// The schemas of verification runs.
import { type Static, Type } from 'typebox'
import { Choice, described, Id, Nullable, Resource, Timestamp } from '../platform/http/schemas.ts'

const fields = {
  id: described(Id, 'The id of the run.'),
  status: Choice(['RUNNING', 'DONE', 'FAILED'] as const, {
    description: 'DONE: everything was checked, with or without violations. FAILED: the run could not be carried out.',
  }),
  started_at: described(Timestamp, 'When it started, in UTC.'),
  ended_at: Nullable(
    Type.String({ format: 'date-time', description: 'When it ended, in UTC. Null while it runs, and if its instance ended before it.' }),
  ),
  invariants: Type.Integer({ description: 'How many invariants there are to check.' }),
  done: Type.Integer({ description: 'How many of them have been checked.' }),
  step: Nullable(Type.String({ description: 'The invariant that is being checked; null if none is.' })),
  detail: Nullable(Type.String({ description: 'Why the run failed; null if it did not.' })),
  broken: Type.Array(Type.String(), {
    description: 'The names of the invariants that were broken; empty if all hold, and until the run is DONE.',
  }),
}

export const VerificationRun = Resource('VerificationRun', fields)
export type VerificationRun = Static<typeof VerificationRun>

export const VerificationReport = Resource('VerificationReport', {
  ...fields,
  findings: Type.Array(
    Type.Object(
      {
        name: Type.String({ description: 'The name of the invariant.' }),
        meaning: Type.String({ description: 'What should hold.' }),
        violations: Type.Integer({ description: 'How many rows break it.' }),
        examples: Type.Array(Type.String(), { description: 'Some of these rows, as JSON.' }),
      },
      { description: 'A broken invariant.' },
    ),
    { description: 'One entry for each broken invariant. Runs of earlier versions of Vostro have none.' },
  ),
})
export type VerificationReport = Static<typeof VerificationReport>
