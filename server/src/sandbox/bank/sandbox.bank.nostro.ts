// Our bank's account with the simulated bank, on our bank's side.
import { theService } from '../../platform/actor.ts'
import type { Database } from '../../platform/database/database.ts'
import { createNostro } from '../../reconciliation/reconciliation.ts'
import { rails } from '../../schemes/schemes.ts'
import { Refusal } from '../../values/refusals.ts'
import { balanceText, settlementAccount } from './sandbox.bank.statement.ts'
import { idOf } from './sandbox.bank.ts'

/** Always the same, so that a second instance finds it. */
export const nostroId = idOf(1n)

/** Creates the nostro of the sandbox, unless these rails have one. */
export async function provideSandboxNostro(database: Database): Promise<void> {
  const { iban, bic, currency, prefunding } = settlementAccount
  const nostro = { name: 'Simulated bank', account: iban, bic, currency, prefunding: balanceText(prefunding), rails: [...rails] }
  try {
    await createNostro(database, nostroId, nostro, { actor: theService, approved: true })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'nostro_exists') throw error
  }
}
