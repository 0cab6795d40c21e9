// The sum of the balances of a venture's accounts.
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'

export type CurrencyBalance = {
  currency: string
  accounts: number
  current_balance: string
  reserved_balance: string
  available_balance: string
}

type Sum = { currency: string; accounts: number; current_balance: string; reserved_balance: string }

/** `truncated`: only the newest accounts were added up, because there are too many. */
export async function sumBalances(
  reader: Reader,
  venture_id: string,
  most: number,
): Promise<{ balances: CurrencyBalance[]; truncated: boolean }> {
  const sums = await reader.rows(read<Sum & { more: boolean }>`
    select currency, count(*) filter (where number <= ${most})::int as accounts, bool_or(number > ${most}) as more,
      coalesce(sum(current_balance) filter (where number <= ${most}), 0)::text as current_balance,
      coalesce(sum(reserved_balance) filter (where number <= ${most}), 0)::text as reserved_balance
    from (
      select row_number() over (order by id desc) as number, currency, current_balance, reserved_balance
      from accounts where venture_id = ${venture_id} order by id desc limit ${most + 1}) as newest
    group by currency order by currency`)
  return {
    balances: sums.filter(({ accounts }) => accounts > 0).map(shownSum),
    truncated: sums.some(({ more }) => more),
  }
}

function shownSum({ currency, accounts, current_balance, reserved_balance }: Sum): CurrencyBalance {
  const [current, reserved] = [fromNumeric(current_balance), fromNumeric(reserved_balance)]
  return {
    currency,
    accounts,
    current_balance: formatMoney(current, currency),
    reserved_balance: formatMoney(reserved, currency),
    available_balance: formatMoney(current - reserved, currency),
  }
}
