// The account that a venture names for its card money.
import { accompanied, type Companions } from '../../platform/companions.ts'
import { refuse } from '../../values/refusals.ts'
import { planFirstRun } from './payments.payouts.daily.ts'
import type { PayoutSettings, PayoutSettingsUpdate } from './payments.payouts.schemas.ts'
import { selectPayoutAccount, selectSettings, upsertSettings } from './payments.payouts.sql.ts'
import type { Payouts } from './payments.payouts.ts'

export async function getPayoutSettings({ database }: Payouts, venture_id: string): Promise<PayoutSettings> {
  const settings = await database.first(selectSettings(venture_id))
  return { payout_account_id: settings?.payout_account_id ?? null }
}

/** The account may be frozen or closed at any time later, so a payout looks again. */
export function updatePayoutSettings(
  { database }: Payouts,
  venture_id: string,
  { payout_account_id }: PayoutSettingsUpdate,
  companions?: Companions,
): Promise<PayoutSettings> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if (payout_account_id !== null) {
        const { status: current_status } =
          (await tx.first(selectPayoutAccount(venture_id, payout_account_id))) ?? refuse('account_not_found')
        if (current_status !== 'ACTIVE')
          refuse('account_not_active', {
            detail: `The account is ${current_status}. Card money can be paid out only to an account that is ACTIVE.`,
            current_status,
          })
      }
      await planFirstRun(tx, await upsertSettings(tx, { venture_id, payout_account_id }))
      return { payout_account_id }
    }),
  )
}
