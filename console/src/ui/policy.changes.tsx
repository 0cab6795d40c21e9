// The list of changes to a policy.
import type { Change } from './policy.fields.ts'

export function PolicyChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <ul className="rules">
      {changes.map(({ label, before, after }) => (
        <li key={`${label} ${before} ${after}`}>
          <strong>{label}</strong>: {[before, after].filter((text) => text !== undefined).join(' → ')}
        </li>
      ))}
    </ul>
  )
}
