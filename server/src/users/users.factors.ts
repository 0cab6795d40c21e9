// Which factor each operation requires of a signed-in person, by role and by the factors that the person has proved. This file enforces nothing:
// docs/sign-in.md prints it, and a test compares it with the responses of the service. To change what an operation requires, change the
// access that its route declares, or users.authentication.ts, which checks it.
import { type Access, type BankRole, bankRoles, rolesWithPasskey, type VentureRole, ventureRoles } from '../platform/http/access.ts'
import type { Operations } from '../platform/http/operations.ts'

/** What a person has proved in a session. */
export type Factor = { words: string; has_passkey: boolean; by_passkey: boolean; isFresh: boolean }

export const factors = {
  password: { words: 'a password', has_passkey: false, by_passkey: false, isFresh: true },
  oldPassword: { words: 'a password, over ten minutes ago', has_passkey: false, by_passkey: false, isFresh: false },
  passwordOnly: { words: 'a password, although the person has a passkey', has_passkey: true, by_passkey: false, isFresh: true },
  passkey: { words: 'a passkey', has_passkey: true, by_passkey: true, isFresh: true },
  oldPasskey: { words: 'a passkey, over ten minutes ago', has_passkey: true, by_passkey: true, isFresh: false },
} as const satisfies Record<string, Factor>

export type Person = { at: 'bank'; role: BankRole } | { at: 'venture'; role: VentureRole }

export const people: readonly Person[] = [
  ...bankRoles.map((role) => ({ at: 'bank', role }) as const),
  ...ventureRoles.map((role) => ({ at: 'venture', role }) as const),
]

/** What the person must do first: register or use a passkey, or reauthenticate. `never`: the operation is not for this role. */
export type Asked = 'nothing' | 'passkey' | 'proof' | 'never'

export function needsPasskey({ at, role }: Person): boolean {
  return at === 'bank' || rolesWithPasskey.includes(role)
}

/** `required`: the setting PASSKEYS_REQUIRED. */
export function askedOf(row: Access, person: Person, factor: Factor, required: boolean): Asked {
  if (required && needsPasskey(person) && !factor.by_passkey && row.enrols !== true) return 'passkey'
  if (!isFor(row, person)) return 'never'
  if (row.isSensitive !== true) return 'nothing'
  if (factor.has_passkey && !factor.by_passkey) return 'passkey'
  return factor.isFresh ? 'nothing' : 'proof'
}

function isFor({ door, bank, venture }: Access, { at, role }: Person): boolean {
  if (door === 'session') return true
  const roles: readonly string[] = (at === 'bank' ? bank : venture) ?? []
  return roles.includes(role)
}

// The guide.

type Named = { name: string; access: Access }

function forPeople(operations: Operations): Named[] {
  return operations
    .list()
    .map(([name, { access }]) => ({ name, access }))
    .filter(({ access: { door, bank, venture } }) => door === 'session' || bank !== undefined || venture !== undefined)
}

const isKind = {
  'Signing in and out': (row: Access) => row.enrols === true && row.isSensitive !== true,
  'Registering a passkey': (row: Access) => row.enrols === true && row.isSensitive === true,
  'Sensitive operations': (row: Access) => row.enrols !== true && row.isSensitive === true,
  'Other operations': (row: Access) => row.enrols !== true && row.isSensitive !== true,
}
type KindOf = { words: string; operations: readonly Named[] }

function kindsOf(operations: readonly Named[]): KindOf[] {
  return Object.entries(isKind).map(([words, is]) => ({ words, operations: operations.filter(({ access }) => is(access)) }))
}

const inWords: Record<Asked, string> = { nothing: '–', passkey: '**passkey**', proof: 'proof', never: '' }

/** The factors that a person needs for the operations of a kind. */
function cellOf(operations: readonly Named[], person: Person, factor: Factor, required: boolean): string {
  const asked = new Set(operations.map(({ access }) => askedOf(access, person, factor, required)).filter((one) => one !== 'never'))
  return asked.size === 0 ? 'not for this role' : [...asked].map((one) => inWords[one]).join(', ')
}

/** For example "admin, operator of a venture". */
function wordsOf(persons: readonly Person[]): string {
  const places = { bank: { all: bankRoles, words: 'the bank' }, venture: { all: ventureRoles, words: 'a venture' } } as const
  return Object.entries(places)
    .map(([place, { all, words }]) => ({ all, words, roles: persons.filter(({ at }) => at === place).map(({ role }) => role) }))
    .filter(({ roles }) => roles.length > 0)
    .map(({ all, words, roles }) => (roles.length === all.length ? `everyone of ${words}` : `${roles.join(', ')} of ${words}`))
    .join('; ')
}

/** People with the same requirements share their rows. */
function table(kinds: readonly KindOf[], required: boolean): string {
  const groups = new Map<string, { persons: Person[]; lines: string[][] }>()
  for (const person of people) {
    const lines = Object.values(factors).map((factor) => [
      factor.words,
      ...kinds.map(({ operations }) => cellOf(operations, person, factor, required)),
    ])
    const group = groups.get(JSON.stringify(lines)) ?? { persons: [], lines }
    groups.set(JSON.stringify(lines), { ...group, persons: [...group.persons, person] })
  }
  const head = ['Who', 'Signed in with', ...kinds.map(({ words }) => words)]
  const lines = [...groups.values()].flatMap(({ persons, lines }) => lines.map((cells) => [wordsOf(persons), ...cells]))
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
const namesOf = (operations: readonly Named[]) => listed(operations.map(({ name }) => name))

export function factorsMarkdown(operations: Operations): string {
  const all = forPeople(operations)
  const kinds = kindsOf(all)
  const kindLines = kinds.slice(0, -1).map(({ words, operations }) => `- ${words}: ${namesOf(operations)}`)
  const empowering = all.filter(({ access }) => access.empowers === true)
  return `# Sign-in requirements

The factor that each operation requires, by role and by sign-in. This page is generated from the access table, and a test compares every
cell with the responses of the service.

- –: nothing more
- **passkey**: 403 \`passkey_required\`: register a passkey, or use an existing one
- proof: 403 \`reauthentication_required\`: reauthenticate. A person with a passkey must use it for this: \`reauthenticate\` with the
  password then gets 403 \`passkey_required\`

Everyone at the bank needs a passkey, and in a venture so do the roles ${listed(rolesWithPasskey)}, because they create keys, people, endpoints or
payments: ${namesOf(empowering)}.

## Outside the sandbox

${table(kinds, true)}

## With PASSKEYS_REQUIRED=off

This is the default in the sandbox.

${table(kinds, false)}

## Kinds of operations

${kindLines.join('\n')}
- Other operations: all others that people may call
`
}
