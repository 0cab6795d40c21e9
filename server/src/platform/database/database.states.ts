// Rows that decide who may do what, or who is paid. They change, so they cannot be sealed. Instead, each change adds a line to `row_states`
// in the same statement: a hash over the columns that decide. Lines are sealed, and `npm run verify` compares each row with its newest
// line.
import { bankId } from '../ids.ts'

/** How a column is converted to text, independently of settings. */
type Form = 'text' | 'time' | 'bytes'

/** `id`, `venture`: the columns that identify a row; without a venture it belongs to the bank. `rest`: the columns that decide nothing. */
type State = {
  id: string
  venture?: string
  decides: Readonly<Record<string, Form>>
  rest: readonly string[]
}

/**
 * The columns that decide, by table. Nulls are left out of the hash, so adding a column that is null in all rows changes no hash. To add a
 * table: add its record here, use `stated` in its statements, and call `state_rows` in the migration if it already has rows. Guards compare
 * the record with both.
 */
const table = {
  users: {
    id: 'id',
    decides: { email: 'text', name: 'text', password_hash: 'text', status: 'text' },
    rest: ['created_at', 'updated_at', 'sequence'],
  },
  memberships: {
    id: 'user_id',
    venture: 'venture_id',
    decides: { role: 'text', created_at: 'time' },
    rest: [],
  },
  passkeys: {
    id: 'id',
    decides: { credential_id: 'text', user_id: 'text', public_key: 'bytes', created_at: 'time' },
    rest: ['name', 'counter', 'transports', 'last_used_at'],
  },
  api_keys: {
    id: 'id',
    venture: 'venture_id',
    decides: {
      key_hash: 'text',
      name: 'text',
      prefix: 'text',
      scopes: 'text',
      seen_by_bank: 'text',
      expires_at: 'time',
      revoked_at: 'time',
    },
    rest: ['last_used_at', 'created_at'],
  },
  bank_keys: {
    id: 'id',
    decides: { key_hash: 'text', name: 'text', prefix: 'text', scope: 'text', expires_at: 'time', revoked_at: 'time' },
    rest: ['last_used_at', 'created_at'],
  },
  pair_clearings: {
    id: 'id',
    venture: 'venture_id',
    decides: {
      one_id: 'text',
      other_id: 'text',
      ties: 'text',
      reason: 'text',
      cleared_by: 'text',
      cleared_at: 'time',
      taken_back_by: 'text',
      taken_back_at: 'time',
    },
    rest: [],
  },
  beneficiaries: {
    id: 'id',
    venture: 'venture_id',
    decides: {
      client_id: 'text',
      name: 'text',
      beneficiary_type: 'text',
      display: 'text',
      iban: 'text',
      bic: 'text',
      account_number: 'text',
      routing_number: 'text',
      swift_code: 'text',
      bank_name: 'text',
      bank_address: 'text',
      address: 'text',
      city: 'text',
      postal_code: 'text',
      country_code: 'text',
    },
    rest: ['created_at', 'updated_at', 'sequence'],
  },
  approvals: {
    id: 'id',
    venture: 'venture_id',
    decides: {
      action: 'text',
      resource_id: 'text',
      payload: 'text',
      payload_hash: 'text',
      subject: 'text',
      subject_hash: 'text',
      reference: 'text',
      sequence: 'text',
      maker_id: 'text',
      checker_id: 'text',
      state: 'text',
      reason: 'text',
      reason_code: 'text',
      expires_at: 'time',
      decided_at: 'time',
    },
    rest: ['created_at'],
  },
} as const satisfies Record<string, State>

export type StatedTable = keyof typeof table

export const states: Readonly<Record<StatedTable, State>> = table

export const statedTables = Object.keys(table) as StatedTable[]

const isStated = (name: string): name is StatedTable => Object.hasOwn(table, name)

const texts: Record<Form, (column: string) => string> = {
  text: (column) => `${column}::text`,
  time: (column) => `(extract(epoch from ${column}) * 1000)::bigint::text`,
  bytes: (column) => `encode(${column}, 'hex')`,
}

/** The hash over the deciding columns of a row. */
export function hashIn(name: StatedTable, label: string = name): string {
  const fields = Object.entries(states[name].decides).map(([column, form]) => `'${column}', ${texts[form](`${label}.${column}`)}`)
  return `encode(sha256(convert_to(jsonb_strip_nulls(jsonb_build_object(${fields.join(', ')}))::text, 'UTF8')), 'hex')`
}

/** What identifies a row: its venture and its id. */
export function keyIn(name: StatedTable, label: string = name): { venture_id: string; row_id: string } {
  const { id, venture } = states[name]
  return { venture_id: venture === undefined ? `'${bankId}'::uuid` : `${label}.${venture}`, row_id: `${label}.${id}` }
}

const verb =
  /^\s*(insert into|update|delete from) +([a-z_]+)(?:\s+(?:as\s+)?(?!(?:as|set|where|using|values|select|default|returning|overriding)\b)([a-z_]+)\b)?/i

/**
 * Extends the statement so that it adds a line for each row that it changes. The number is drawn while the row is locked, so the numbers of
 * a row follow the order of its changes. The line of a deleted row has no hash.
 */
export function withLines(text: string): string {
  const [, what = '', name = '', alias] = verb.exec(text) ?? []
  if (!isStated(name)) throw new Error(`no lines are kept for the rows of ${name || 'this statement'}`)
  const label = alias ?? name
  const returning = text.search(/\breturning\b(?![\s\S]*\breturning\b)/i)
  const [change, result] = returning < 0 ? [text, ''] : [text.slice(0, returning), text.slice(returning + 'returning'.length)]
  const { venture_id, row_id } = keyIn(name, label)
  const hash = what.toLowerCase() === 'delete from' ? 'null' : hashIn(name, label)
  return `with changed as (${change} returning ${label}.*), lines as (
    insert into row_states (era, xid, venture_id, version, table_name, row_id, hash)
    select current_era(), pg_current_xact_id(), ${venture_id}, nextval('row_state_versions'), '${name}', ${row_id}, ${hash}
    from changed as ${label})
    select ${result} from changed as ${label}`
}
