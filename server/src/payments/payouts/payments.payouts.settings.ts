// The account that a venture names for its card money.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, changesOf, subjectOf } from '../../audit/audit.ts'
import type { By } from '../../platform/actor.ts'
import { idOfName } from '../../platform/bound-id.ts'
import { accompanied } from '../../platform/companions.ts'
import { refuse } from '../../values/refusals.ts'
import { getVenture, requireUnreserved, type Venture } from '../../ventures/ventures.ts'
import { planFirstRun } from './payments.payouts.daily.ts'
import type { PayoutSettings, PayoutSettingsUpdate } from './payments.payouts.schemas.ts'
import { lockSettings, selectPayoutAccount, selectSettings, upsertSettings } from './payments.payouts.sql.ts'
import type { Payouts } from './payments.payouts.ts'

export async function getPayoutSettings({ database }: Payouts, venture_id: string): Promise<PayoutSettings> {
  const settings = await database.first(selectSettings(venture_id))
  return { payout_account_id: settings?.payout_account_id ?? null }
}

type Owner = Pick<Venture, 'id' | 'control'>

const settingsAction = 'update-payout-settings'

/** With four-eyes approval, two people of the bank name the account of a MANAGED venture. One person can stop payouts. */
export function updatePayoutSettings(
  payouts: Payouts,
  approvals: Approvals,
  venture: Owner,
  update: PayoutSettingsUpdate,
  by: By,
): Promise<PayoutSettings | Approval> {
  const { id: venture_id } = venture
  const wanted = { venture_id, action: settingsAction, resource_id: idOfName(`payout settings ${venture_id}`), payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => changeSettings(payouts, venture, update, allowed))
}

export function payoutSettingsApprovals(payouts: Payouts): ApprovalHandler[] {
  return [
    {
      action: settingsAction,
      operations: ['updatePayoutSettings'],
      async carryOut({ venture_id, resource_id: id, payload }, by) {
        const venture = await getVenture(payouts.database, venture_id)
        return { id, ...(await changeSettings(payouts, venture, payload as PayoutSettingsUpdate, { ...by, approved: true })) }
      },
    },
  ]
}

/** The account may be frozen or closed later, so a payout checks it again. */
function changeSettings(
  { database }: Payouts,
  { id: venture_id, control }: Owner,
  { payout_account_id }: PayoutSettingsUpdate,
  by: By,
): Promise<PayoutSettings> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const before = await lockSettings(tx, venture_id)
      if (control === 'MANAGED' && payout_account_id !== before.payout_account_id)
        requireUnreserved('updatePayoutSettings', { payout_account_id }, by, 0)
      const account = payout_account_id === null ? undefined : await tx.first(selectPayoutAccount(venture_id, payout_account_id))
      by.witness?.(
        subjectOf({
          account_id: payout_account_id,
          payee_account: account?.account_number ?? null,
          changes: changesOf(['payout_account_id'], before, { payout_account_id }),
        }),
      )
      if (payout_account_id !== null) {
        const { status: current_status } = account ?? refuse('account_not_found')
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
