// The operator's trial balance: the balances of clients and of the internal accounts, which sum to zero in each currency.
import { type Static, Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { fragment, read } from '../platform/database/sql.ts'
import { readsAtBank } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { listing } from '../platform/http/lists.ts'
import { inTime, refuseTooBroad } from '../platform/http/pieces.ts'
import { CurrencyShown, described, Id, Query, Resource } from '../platform/http/schemas.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { addDays } from '../values/calendar.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'
import { houseId, listVentureIds } from '../ventures/ventures.ts'

const TrialBalanceRow = Resource('TrialBalanceRow', {
  venture_id: described(Id, 'The venture that keeps these books. The house has its own id.'),
  account: Type.String({ description: '`clients` for all accounts of clients, or the internal account, such as `settlement:SEPA`.' }),
  currency: CurrencyShown,
  balance: Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' }),
})
type TrialBalanceRow = Static<typeof TrialBalanceRow>

const TrialBalanceQuery = Query({
  date: Type.Optional(Type.String({ format: 'date', description: 'Balances at the end of this day, in UTC; by default now.' })),
})

/** One statement, so that all sums are from the same moment. Client balances are stored only for now; those of an earlier day are summed from entries. */
async function getTrialBalance(database: Database, date: string | undefined): Promise<TrialBalanceRow[]> {
  const ventures = [...(await listVentureIds(database)), houseId]
  const balances = fragment`
    select venture_id, 'clients' as account, currency, current_balance as amount from accounts where venture_id = any(${ventures})
    union all
    select venture_id, regexp_replace(system_account, ':[A-Z]{3}$', ''), currency, amount from entries
    where venture_id = any(${ventures}) and system_account is not null`
  const untilThen = fragment`
    select venture_id, coalesce(regexp_replace(system_account, ':[A-Z]{3}$', ''), 'clients') as account, currency, amount from entries
    where venture_id = any(${ventures}) and created_at < ${addDays(date ?? '2000-01-01', 1)}::timestamp at time zone 'UTC'`
  const rows = await database.list(bankId, (lists) =>
    inTime(() =>
      lists.rows(read<TrialBalanceRow>`
        select venture_id, account, currency, sum(amount)::text as balance from (${date === undefined ? balances : untilThen}) as booked
        group by venture_id, account, currency order by venture_id, currency, account`),
    ),
  )
  if (rows === undefined) return refuseTooBroad({})
  return rows.map((row) => ({ ...row, balance: formatMoney(fromNumeric(row.balance), row.currency) }))
}

export async function trialBalanceRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/trial-balance',
    {
      config: { access: readsAtBank, refusals: [...listing] },
      schema: {
        operationId: 'getTrialBalance',
        tags: ['Books (bank)'],
        summary: 'Get the trial balance, by venture, account and currency',
        description: 'The balances of a venture in one currency sum to zero.',
        querystring: TrialBalanceQuery,
        response: { 200: Type.Array(TrialBalanceRow) },
      },
    },
    async ({ query }) => getTrialBalance(database, query.date),
  )
}
