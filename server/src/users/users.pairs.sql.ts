// SQL statements for pairs of requester and approver, and for clearings of related pairs.
import { now } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, read, stated } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { type Pair, PairClearing } from './users.schemas.ts'

/** The ids of two people, the smaller one first. */
export type Two = Pick<Pair, 'one_id' | 'other_id'>

/** `ties`: the links and approvals that related the two people when they were cleared. */
export type ClearingRow = PairClearing & { ties: string[] }

const columns = columnsOf(PairClearing)

export function selectOpenClearings(reader: Reader): Promise<ClearingRow[]> {
  return reader.rows(read<ClearingRow>`
    select ${columns}, ties from pair_clearings where venture_id = ${bankId} and taken_back_at is null order by cleared_at desc, id desc`)
}

export const selectOpenClearing = ({ one_id, other_id }: Two) => read<ClearingRow>`
  select ${columns}, ties from pair_clearings
  where venture_id = ${bankId} and one_id = ${one_id} and other_id = ${other_id} and taken_back_at is null`

export const selectClearing = (id: string) => read<PairClearing>`
  select ${columns} from pair_clearings where venture_id = ${bankId} and id = ${id}`

export function insertClearing(tx: Tx, row: ClearingRow): Promise<number> {
  return tx.run(stated`
    insert into pair_clearings (venture_id, id, one_id, other_id, ties, reason, cleared_by, cleared_at)
    values (${bankId}, ${row.id}, ${row.one_id}, ${row.other_id}, ${row.ties}, ${row.reason}, ${row.cleared_by}, ${row.cleared_at})`)
}

/** `by`: null for the admin key. */
export function takeBack(tx: Tx, { id, by }: { id: string; by: string | null }): Promise<number> {
  return tx.run(stated`
    update pair_clearings set taken_back_by = ${by}, taken_back_at = ${now().toISOString()}
    where venture_id = ${bankId} and id = ${id} and taken_back_at is null`)
}

/** What two people have agreed on since the given time. */
export type AgreedPair = Two & Pick<Pair, 'approvals' | 'totals' | 'last_approved_at'>

/**
 * The pairs with the highest totals in a currency come first. The amount of an approval is in its subject, or in its payload if it has no
 * subject. Approvals without an amount only count as approvals.
 */
export const selectAgreedPairs = ({ since, currency, limit }: { since: string; currency: string; limit: number }) => read<AgreedPair>`
  with agreed as (
    select least(maker_id, checker_id) as one_id, greatest(maker_id, checker_id) as other_id, decided_at, money ->> 'currency' as currency,
      case when money ->> 'amount' ~ '^[0-9]+([.][0-9]+)?$' then (money ->> 'amount')::numeric end as amount
    from approvals cross join lateral (select case when subject ->> 'amount' is null then payload else subject end as money) as moved
    where state = 'APPROVED' and decided_at >= ${since}),
  totals as (
    select one_id, other_id, currency, sum(amount) as amount from agreed
    where amount is not null and currency is not null group by one_id, other_id, currency)
  select one_id, other_id, count(*)::int as approvals, max(decided_at) as last_approved_at, (
      select coalesce(json_agg(json_build_object('currency', total.currency, 'amount', total.amount::text) order by total.currency), '[]') from totals total
      where total.one_id = agreed.one_id and total.other_id = agreed.other_id) as totals
  from agreed group by one_id, other_id
  order by coalesce(sum(amount) filter (where currency = ${currency}), 0) desc, count(*) desc, one_id, other_id limit ${limit}`
