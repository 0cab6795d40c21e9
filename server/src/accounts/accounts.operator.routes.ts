// The operator's trial balance: what clients have, and what the accounts of the books have, which together are zero in each currency.
import { type Static, Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { App } from '../platform/http/http.ts'
import { inTime, refuseTooBroad } from '../platform/http/pieces.ts'
import { Id, Resource } from '../platform/http/schemas.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'
import { houseId, listVentureIds } from '../ventures/ventures.ts'

const TrialBalanceRow = Resource('TrialBalanceRow', {
  venture_id: Id,
  account: Type.String({ description: '`clients` for all accounts of clients, or the account of the books, such as `settlement:SEPA`.' }),
  currency: Type.String(),
  balance: Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' }),
})
type TrialBalanceRow = Static<typeof TrialBalanceRow>

/** In one statement, so that all sums are of the same moment. */
async function getTrialBalance(database: Database): Promise<TrialBalanceRow[]> {
  const ventures = [...(await listVentureIds(database)), houseId]
  const rows = await database.list(bankId, (lists) =>
    inTime(() =>
      lists.rows(read<TrialBalanceRow>`
        select venture_id, account, currency, sum(amount)::text as balance from (
          select venture_id, 'clients' as account, currency, current_balance as amount from accounts where venture_id = any(${ventures})
          union all
          select venture_id, regexp_replace(system_account, ':[A-Z]{3}$', ''), currency, amount from entries
          where venture_id = any(${ventures}) and system_account is not null) as booked
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
      config: { key: 'operator' },
      schema: {
        operationId: 'getTrialBalance',
        tags: ['Books (bank)'],
        summary: 'Get the trial balance, by venture, account and currency',
        description: 'The balances of a venture in one currency sum to zero.',
        response: { 200: Type.Array(TrialBalanceRow) },
      },
    },
    async () => getTrialBalance(database),
  )
}
