// Money that no account can take is screened before it goes anywhere. If no party resembles an entry, what came over a rail is returned by
// itself; otherwise it stays, and two people decide.
import { awaitsStatement, decidedToo, findOpenCases, openingCase } from '../cases/cases.ts'
import { type By, theService } from '../platform/actor.ts'
import { accompanied, type Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import type { Handlers } from '../platform/jobs.ts'
import { policyOf } from '../policies/policies.ts'
import { decidingHits } from '../screening/screening.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { partsOf } from '../transfers/life/transfers.details.ts'
import { screenedUnapplied } from '../transfers/life/transfers.jobs.ts'
import type { Key, UnappliedPayment } from '../transfers/transfers.ts'
import { refuse } from '../values/refusals.ts'
import { houseId } from '../ventures/ventures.ts'
import { urgencyOf } from './processing.cases.ts'
import type { Screened, Screener } from './processing.worker.ts'

export type UnappliedScreening = {
  database: Database
  screener: Screener
  getUnapplied(id: string): Promise<UnappliedPayment>
  returnUnapplied(id: string, by: By): Promise<UnappliedPayment>
  /** Payments that people reported by hand are also returned by hand. */
  cameByRail(key: Key): Promise<boolean>
}

/** The payer, and the payee of a pay-out, as the parties of an arriving payment. */
function asTransfer(payment: UnappliedPayment, payee: { name: string; iban: string } | undefined): TransferRow {
  const { id, rail: method, dr_name, dr_iban, dr_bank_bic, dr_country_code, purpose } = payment
  const { codes, details } = partsOf(payment.said ?? {})
  const creditor = {
    cr_name: payee?.name ?? null,
    cr_iban: payee?.iban ?? payment.iban,
    cr_account_id: null,
    cr_bank_bic: null,
    cr_country_code: null,
  }
  const row = {
    venture_id: houseId,
    id,
    direction: 'INBOUND',
    transfer_type: 'PAYMENT',
    method,
    account_id: null,
    receiver_account_id: null,
    beneficiary_id: null,
    dr_name,
    dr_iban,
    dr_account_id: null,
    dr_bank_bic,
    dr_country_code,
    purpose,
    ...creditor,
    ...codes,
    details,
  }
  return row as unknown as TransferRow
}

async function screen(
  { database, screener }: UnappliedScreening,
  payment: UnappliedPayment,
  payee?: { name: string; iban: string },
): Promise<Screened> {
  const policy = await policyOf(database, houseId)
  const [screened] = await screener.screen([{ transfer: asTransfer(payment, payee), policy }])
  return screened ?? { outcome: 'UNLOADED', companions: [] }
}

/** The case about the payment, with the findings, for the people who decide. */
function raised(
  { database }: UnappliedScreening,
  { id, client_id }: UnappliedPayment,
  { outcome }: Screened,
  open: readonly { payload: object }[],
): Promise<Companion> {
  const known = open.some(awaitsStatement) ? { awaits: 'statement' } : {}
  const found = { venture_id: houseId, kind: 'unapplied', resource_id: id, payload: { client_id, outcome, ...known } }
  return openingCase({ database }, { ...found, ...urgencyOf('BLOCK') })
}

/** The job that follows each payment that no account could take. */
export function unappliedJobs(screening: UnappliedScreening): Handlers {
  // Nothing passes until the lists are loaded, however long that takes.
  const attempts = Number.POSITIVE_INFINITY
  return { [screenedUnapplied]: { attempts, run: ({ id }: Key) => giveBackUnlessListed(screening, id) } }
}

/** `shown`: whether a statement has shown the money; some money has to wait for that. */
export async function giveBackUnlessListed(screening: UnappliedScreening, id: string, { shown = false } = {}): Promise<void> {
  const { database } = screening
  const payment = await screening.getUnapplied(id)
  if (payment.status !== 'OPEN') return
  const screened = await screen(screening, payment)
  if (screened.outcome === 'UNLOADED') throw new Error('there are no lists to compare a payment with')
  const open = await findOpenCases({ database }, { venture_id: houseId, resource_id: id, kinds: ['unapplied'] })
  if (screened.outcome !== 'CLEAR') {
    const companions = [...screened.companions, await raised(screening, payment, screened, open)]
    await database.transaction((tx) => accompanied(tx, companions, async () => ({ id })))
    return
  }
  // The money of a known client is kept for the client.
  if (payment.client_id !== null || !(await screening.cameByRail({ venture_id: houseId, id }))) return
  if (!shown && open.some(awaitsStatement)) return
  const companions = [...screened.companions, ...open.map((one) => decidedToo(one, 'return', theService))]
  await screening.returnUnapplied(id, { actor: theService, companions })
}

/**
 * What to write with a decision that lets money out of the house. If a party resembles an entry, the two people must have seen that in the
 * case: then they have cleared it.
 */
export async function screenLeaving(
  screening: UnappliedScreening,
  payment: UnappliedPayment,
  { payload, payee, by }: { payload: object; payee?: { name: string; iban: string } | undefined; by: By },
): Promise<readonly Companion[]> {
  const screened = await screen(screening, payment, payee)
  if (screened.outcome === 'UNLOADED') refuse('screening_required', { detail: 'There are no watch lists to compare the payment with.' })
  if (screened.outcome === 'CLEAR') return screened.companions
  if ((payload as { outcome?: string }).outcome === undefined) {
    const companions = [...screened.companions, await raised(screening, payment, screened, [{ payload }])]
    await screening.database.transaction((tx) => accompanied(tx, companions, async () => ({ id: payment.id })))
    refuse('resource_changed', { detail: 'The payment resembles an entry of a watch list. Look at the case again.' })
  }
  return [...screened.companions, decidingHits({ venture_id: houseId, subject_id: payment.id }, 'CLEARED', by.actor)]
}
