// The access table for the console: which roles may call an operation. The service decides; the console only hides what it would refuse.
import type { Access } from '../platform/http/access.ts'
import type { Operations } from '../platform/http/operations.ts'

export function accessModule(operations: Operations): string {
  const rows = operations.list().map(([operation, { access }]) => `  ${operation}: ${rowOf(access)},`)
  return `// Who may call which operation. Made by \`npm run contract\` from the table of the service: do not edit.
const [viewers, workers, admins] = [['admin', 'operator', 'viewer'], ['admin', 'operator'], ['admin']] as const
const [auditors] = [['admin', 'operator', 'auditor']] as const

export const access = {
${rows.join('\n')}
} as const
`
}

/** Names for frequent lists of roles, which keep the file small. */
const names = {
  'admin operator viewer': 'viewers',
  'admin operator auditor': 'auditors',
  'admin operator': 'workers',
  admin: 'admins',
} as const

function rowOf({ door, venture, bank, isSensitive }: Access): string {
  const fields = [
    ...(venture === undefined ? [] : [`venture: ${rolesOf(venture)}`]),
    ...(bank === undefined ? [] : [`bank: ${rolesOf(bank)}`]),
    // Any signed-in person.
    ...(door === 'session' ? ['anybody: true'] : []),
    ...(isSensitive === true ? ['isSensitive: true'] : []),
  ]
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function rolesOf(roles: readonly string[]): string {
  const known = (names as Record<string, string>)[roles.join(' ')]
  if (known === undefined) throw new Error(`no name for the roles ${roles.join(', ')}: add one`)
  return known
}
