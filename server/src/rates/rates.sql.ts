// SQL statements for exchange rates.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { Rate } from './rates.schemas.ts'

const columns = columnsOf(Rate)

/** The id is generated when a rate is requested; `created_at` is when it was set, with the approval of a second person. */
export const selectValidRates = (pairs: readonly Pick<Rate, 'from_currency' | 'to_currency'>[], now: string) =>
  read<Pick<Rate, 'from_currency' | 'to_currency' | 'rate' | 'margin'>>`
    select distinct on (from_currency, to_currency) from_currency, to_currency, rate, margin from rates
    where (from_currency, to_currency) in (select * from unnest(
        ${pairs.map(({ from_currency }) => from_currency)}::text[], ${pairs.map(({ to_currency }) => to_currency)}::text[]))
      and valid_from <= ${now} and (valid_until is null or valid_until > ${now})
    order by from_currency, to_currency, created_at desc, id desc`

/** For each pair, the rate that is valid now and all later ones. */
export const selectRates = (now: string) => read<Rate>`
  select ${columns} from rates where id in (
      select distinct on (from_currency, to_currency) id from rates
      where valid_from <= ${now} and (valid_until is null or valid_until > ${now})
      order by from_currency, to_currency, created_at desc, id desc)
    or valid_from > ${now}
  order by from_currency, to_currency, created_at, id`

export function insertRate(tx: Tx, rate: Rate): Promise<number> {
  return tx.run(write`
    insert into rates (${columns}) select ${columns} from json_populate_record(null::rates, ${JSON.stringify(rate)})`)
}
