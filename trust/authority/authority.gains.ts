// What an attacker could gain: money of a client, or of somebody who pays one by direct debit, that has left or is about to, and whatever makes that possible later. Each is a number under a name, and
// only a higher number is a gain, so that what protects is none.
import { listed } from '../../server/src/platform/database/sql.ts'
import type { Bank } from '../../server/src/testing/testing.ts'
import { failedStatuses } from '../../server/src/transfers/life/transfers.sets.ts'

type Level = {
  /** Rows of `name` and `level`; $1 are the ventures that are attacked. */
  sql: string
  /** Whether a new row counts as a gain. Otherwise only existing values can rise. */
  appears: boolean
}

const appears = (sql: string): Level => ({ sql, appears: true })
const rises = (sql: string): Level => ({ sql, appears: false })

export const seenKeyMade = 'a key was made that the bank has seen'

const levels: Readonly<Record<string, Level>> = {
  'a payment is on its way': appears(`
    select id::text as name, case when sent or status = 'COMPLETED' then 3
      when status in (${listed(failedStatuses).text}) then 0
      when status in ('CREATED', 'TO_SIGN', 'ON_HOLD', 'TO_CANCEL', 'MANUAL_ACTION') then 1 else 2 end as level
    from transfers where venture_id = any($1) and (direction = 'OUTBOUND' or mandate_id is not null)`),
  'a message with money was sealed': appears(`
    select id::text as name, 1 as level from rail_messages where direction = 'OUT' and type ~ '^pacs.00[348]'`),
  'an account has less': rises(`select id::text as name, -current_balance::float8 as level from accounts where venture_id = any($1)`),
  'an account may spend more': rises(`
    select id || ' ' || period as name, coalesce(most, 1e15)::float8 as level
    from accounts, lateral (values ('day', daily_limit), ('month', monthly_limit), ('year', yearly_limit)) as limits (period, most)
    where venture_id = any($1)`),
  'an account can be used again': rises(`
    select id::text as name, case status when 'ACTIVE' then 1 else 0 end as level from accounts where venture_id = any($1)`),
  'card money was paid out': appears(`select id::text as name, 1 as level from payouts where venture_id = any($1)`),
  'card money was given back': rises(`
    select id::text as name, (case when paid_at is not null and (status = 'CANCELED' or cancel_requested) then amount else refunded_amount end)::float8 as level
    from payments where venture_id = any($1)`),
  'payouts go elsewhere': appears(`
    select coalesce(payout_account_id::text, 'nowhere') as name, 1 as level from payout_settings where venture_id = any($1) and payout_account_id is not null`),
  'somebody can be paid': appears(`
    select id || ' ' || coalesce(iban, account_number, '') || ' ' || name as name, 1 as level from beneficiaries where venture_id = any($1)`),
  'a client finds other payees': appears(`
    select id || case when display then ' shown' else ' hidden' end as name, 1 as level from beneficiaries where venture_id = any($1)`),
  'a mandate can be used': appears(
    `select id::text as name, case when cancelled then 0 else 1 end as level from mandates where venture_id = any($1)`,
  ),
  'a client is trusted unverified': appears(`
    select id::text as name, case when kyc_level = 'NOT_REQUIRED' then 1 else 0 end as level from clients where venture_id = any($1)`),
  'a client is free again': rises(`
    select id::text as name, case when blocked or is_blacklisted then 0 else 1 end as level from clients where venture_id = any($1)`),
  'a client is less of a risk': rises(`
    select id::text as name, case risk_level when 'High' then 0 when 'Medium' then 1 else 2 end as level from clients where venture_id = any($1)`),
  'the policy was changed': appears(
    `select 'version' as name, coalesce(max(version), 0) as level from policies where venture_id = any($1)`,
  ),
  'a key was made': appears(`
    select id::text as name, 1 as level from api_keys where venture_id = any($1) and revoked_at is null and not seen_by_bank`),
  [seenKeyMade]: appears(`
    select id::text as name, 1 as level from api_keys where venture_id = any($1) and revoked_at is null and seen_by_bank`),
  'somebody was let in or raised': appears(`
    select user_id || ' ' || venture_id as name, case role when 'admin' then 3 when 'operator' then 2 else 1 end as level from memberships
    where venture_id = any($1 || array['00000000-0000-0000-0000-000000000000']::uuid[])`),
  'somebody may come back': rises(`
    select id::text as name, case status when 'ACTIVE' then 1 else 0 end as level from users where cardinality($1::uuid[]) > 0`),
  'the venture moves its own money': rises(`
    select id::text as name, case control when 'OPEN' then 1 else 0 end as level from ventures where id = any($1)`),
  'packs leave at another time': appears(
    `select rail || ' ' || version as name, 1 as level from participations where state <> 'SUSPENDED' and cardinality($1::uuid[]) > 0`,
  ),
  'another bank is reached': appears(
    `select rail || ' ' || bic8 as name, 1 as level from reachable_banks where cardinality($1::uuid[]) > 0`,
  ),
  'a list counts': appears(`
    select id::text as name, 1 as level from watchlist_versions where activated_at is not null and cardinality($1::uuid[]) > 0`),
  'a rate counts': appears(`select id::text as name, 1 as level from rates where cardinality($1::uuid[]) > 0`),
  'money settles elsewhere': appears(`select id::text as name, 1 as level from nostros where cardinality($1::uuid[]) > 0`),
}

export type Picture = ReadonlyMap<string, { level: number; appears: boolean }>

const whole = Object.entries(levels)
  .map(
    ([what, { sql, appears }]) => `select '${what}: ' || name as name, level::float8 as level, ${appears} as appears from (${sql}) as each`,
  )
  .join(' union all ')

export async function pictureOf({ owner }: Pick<Bank, 'owner'>, ventures: readonly string[]): Promise<Picture> {
  const { rows } = await owner.query<{ name: string; level: number; appears: boolean }>(whole, [ventures])
  return new Map(rows.map(({ name, level, appears }) => [name, { level, appears }]))
}

/** Whatever is more than before, or was not there. */
export function gains(before: Picture, after: Picture): string[] {
  return [...after].flatMap(([name, { level, appears }]) => {
    const was = before.get(name)?.level ?? (appears ? 0 : level)
    return level > was ? [name] : []
  })
}
