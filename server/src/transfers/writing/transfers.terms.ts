// The bank's policies and rates for the ventures of a batch, and the mandates in use, read under the locks.
import { findMandates, type MandateKey } from '../../mandates/mandates.ts'
import { findVerifications } from '../../payees/payees.ts'
import { isVentures } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import type { Reader } from '../../platform/database/database.ts'
import { findPolicies } from '../../policies/policies.ts'
import { findRates } from '../../rates/rates.ts'
import type { RailBook } from '../../schemes/schemes.ts'
import { todayUtc } from '../../values/calendar.ts'
import type { Batch, BatchAccount, Quotes, Terms } from '../deciding/transfers.batch.ts'
import type { Command, UpdateCommand } from '../deciding/transfers.commands.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { methods } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { findInstantObstacles } from './transfers.instants.ts'
import { findUsedMandates } from './transfers.lock.sql.ts'
import type { Plan } from './transfers.plan.ts'

/** The mandates that creates name. Collections of one mandate take turns through the lock of its account, so this read is final. */
export async function findCollected(
  reader: Reader,
  commands: readonly Command[],
): Promise<ConstructorParameters<typeof Batch>[0]['mandates']> {
  const creates = commands.flatMap((command) => (command.kind === 'create' && command.order.mandate_id != null ? [command] : []))
  const keys: MandateKey[] = creates.map(({ venture_id, order: { mandate_id } }) => ({ venture_id, id: mandate_id ?? '' }))
  const [first] = creates
  if (first === undefined) return undefined
  const rows = await findMandates(reader, keys, todayUtc(first.now))
  return {
    rows,
    used: await findUsedMandates(
      reader,
      rows.filter(({ sequence_type }) => sequence_type === 'OOFF'),
    ),
  }
}

/**
 * The policies, verified payees and rates that the commands need: rates for creates that exchange, policy and verified payees for orders of
 * ventures, policy for orders of the bank's people and for signatures. Nothing is read for ventures that process their own transfers.
 */
export async function findTerms(
  reader: Reader,
  commands: readonly Command[],
  {
    accounts,
    transfers,
    beneficiaries,
  }: { accounts: readonly BatchAccount[]; transfers: readonly TransferRow[] } & Pick<Plan, 'beneficiaries'>,
): Promise<{ quotes?: Quotes; terms?: Terms }> {
  const managed = new Map(accounts.flatMap((account) => (account.managed ? [[account.id, account] as const] : [])))
  const creates = commands.flatMap((command) => {
    const account = command.kind === 'create' ? managed.get(command.order.account_id) : undefined
    return command.kind === 'create' && account !== undefined ? [{ command, account }] : []
  })
  const signing = new Set(commands.flatMap((command) => (command.kind === 'update' && signs(command) ? [command.transfer_id] : [])))
  const signed = signing.size === 0 ? [] : transfers.filter((row) => row.managed && signing.has(row.id))
  if (creates.length === 0 && signed.length === 0) return {}
  const beneficiaryOf = new Map(beneficiaries.map((beneficiary) => [beneficiary.id, beneficiary]))
  const currencyOf = new Map(accounts.map(({ id, currency }) => [id, currency]))
  const pairs = creates.flatMap(({ command: { order }, account: { venture_id, currency: from_currency } }) => {
    const receiver = beneficiaryOf.get(order.beneficiary_id ?? '')?.receiver_account_id
    return [order.credit_currency, currencyOf.get(receiver ?? '')].flatMap((to_currency) =>
      to_currency == null || to_currency === from_currency ? [] : [{ venture_id, from_currency, to_currency }],
    )
  })
  const orders = creates.filter(({ command }) => isVentures(command.actor))
  const people = creates.filter(({ command: { actor, approved } }) => actor.kind === 'operator' && approved !== true)
  const concerned = [...pairs, ...signed, ...[...orders, ...people].map(({ account }) => account)]
  if (concerned.length === 0) return {}
  const [rates, policies] = await Promise.all([
    pairs.length === 0 ? [] : findRates(reader, pairs, now()),
    findPolicies(reader, [...new Set(concerned.map(({ venture_id }) => venture_id))]),
  ])
  const payees = orders.flatMap(({ command: { order, now }, account: { venture_id } }) => {
    const { iban = null } = beneficiaryOf.get(order.beneficiary_id ?? '') ?? {}
    return iban === null || policies.get(venture_id)?.payee_check === 'off' ? [] : [{ venture_id, iban, now }]
  })
  const verifications = payees.length === 0 ? [] : await findVerifications(reader, payees)
  const instants = [...orders, ...people].flatMap(({ command, account }) => (wantsInstant(command.order) ? [account] : []))
  const obstacles = instants.length === 0 ? [] : await findInstantObstacles(reader, instants)
  return {
    quotes: { rates, holdOf: (venture_id) => policies.get(venture_id)?.rate_hold_s ?? 0 },
    terms: { policies, verifications, obstacles: new Map(instants.map(({ id }, index) => [id, obstacles[index]])) },
  }
}

/** The rails as this instance knows them, which usually takes no statement. OPEN ventures need none. */
export async function findRails(
  reader: Reader,
  { participations }: Pick<BankIdentity, 'participations'>,
  accounts: readonly BatchAccount[],
): Promise<RailBook | undefined> {
  return accounts.some(({ managed }) => managed) ? participations?.current(reader) : undefined
}

const wantsInstant = ({ is_instant, method }: TransferOrder): boolean => is_instant === true || (method != null && methods[method].instant)

const signs = ({ update, steps = [] }: UpdateCommand): boolean => update.status === 'SIGNED' || steps.includes('SIGNED')
