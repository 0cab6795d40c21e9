// Transaction monitoring: which rules of a venture's policy fire for payments that are being screened. The data is read for many payments
// at once, and only as far as their rules need it.
import { findExpectedVolumes } from '../onboarding/onboarding.ts'
import type { Reader } from '../platform/database/database.ts'
import { type Alert, bandOf, findAlerts, longest_days, needsOf, type Policy, type Seen, windowOf } from '../policies/policies.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { amountOnAccount, isMonitored, payeeOf } from '../transfers/life/transfers.monitored.ts'
import { findActivity, findPaidPayees, findSimilar } from '../transfers/transfers.ts'
import { todayUtc } from '../values/calendar.ts'
import { alpha2ToAlpha3 } from '../values/country.ts'
import { countryOfIban, parseIban } from '../values/iban.ts'
import { fromNumeric } from '../values/money.ts'

/** `foreseen`: it has not been ordered, so the figures of the client's payments do not include it yet. */
export type Monitored = { transfer: TransferRow; client_id: string; policy: Pick<Policy, 'rules'>; foreseen?: boolean }

/** The alerts of each payment. */
export async function monitor(reader: Reader, payments: readonly Monitored[], now: Date): Promise<Alert[][]> {
  const today = todayUtc(now)
  const watched = payments.filter(({ transfer, policy }) => policy.rules.length > 0 && isMonitored(transfer))
  if (watched.length === 0) return payments.map(() => [])
  const seen = await look(reader, watched, today)
  return payments.map((payment) => {
    const found = seen.get(payment)
    return found === undefined ? [] : findAlerts(payment.policy.rules, found)
  })
}

async function look(reader: Reader, payments: readonly Monitored[], today: string): Promise<Map<Monitored, Seen>> {
  const earliest = payments.map(({ transfer }) => transfer.settlement_date).reduce((one, other) => (other < one ? other : one), today)
  const whoNeeds = (need: 'days' | 'payee' | 'expected') => payments.filter(({ policy }) => needsOf(policy.rules).has(need))
  const [days, paid, expected, similar] = await Promise.all([
    findActivity(reader, whoNeeds('days').map(clientOf), windowOf(today, longest_days, earliest)),
    findPaidPayees(
      reader,
      whoNeeds('payee').flatMap((payment) => {
        const payee = payeeOf(payment.transfer)
        return payee === null ? [] : [{ ...clientOf(payment), payee }]
      }),
    ),
    findExpectedVolumes(reader, whoNeeds('expected').map(clientOf)),
    Promise.all(payments.map((payment) => findLikes(reader, payment, today))),
  ])
  return new Map(
    payments.map((payment, index) => {
      const { transfer, foreseen = false } = payment
      const { direction } = transfer
      const currency = currencyOf(transfer)
      const isOfClient = (row: { venture_id: string; client_id: string }) =>
        row.venture_id === transfer.venture_id && row.client_id === payment.client_id
      const declared = expected.find(isOfClient)
      const amount = amountOnAccount(transfer)
      const own = { day: transfer.settlement_date, payments: 1, amount }
      const kept = days.filter((row) => isOfClient(row) && row.direction === direction && row.currency === currency)
      const limit = (direction === 'OUTBOUND' ? declared?.outgoing : declared?.incoming) ?? null
      return [
        payment,
        {
          direction,
          currency,
          today,
          amount,
          settles: transfer.settlement_date,
          countries: countriesOf(transfer),
          days: foreseen ? [...kept, own] : kept,
          paid_before: paid.some((row) => isOfClient(row) && row.payee === payeeOf(transfer)),
          expected: limit === null ? null : fromNumeric(limit),
          similar: foreseen ? [...(similar[index] ?? []), own] : (similar[index] ?? []),
        },
      ]
    }),
  )
}

const clientOf = ({ transfer: { venture_id }, client_id }: Monitored) => ({ venture_id, client_id })

const currencyOf = ({ direction, debit_currency, credit_currency }: TransferRow): string =>
  direction === 'OUTBOUND' ? debit_currency : credit_currency

/** Other payments just below the same thresholds, if this one is just below one. */
async function findLikes(reader: Reader, payment: Monitored, today: string): Promise<Seen['similar']> {
  const { transfer, policy } = payment
  const [amount, currency] = [amountOnAccount(transfer), currencyOf(transfer)]
  const bands = policy.rules.flatMap((rule) => {
    if (rule.kind !== 'just_below') return []
    const band = bandOf(rule, currency)
    return amount >= band.least && amount <= band.most ? [{ ...band, ...rule }] : []
  })
  if (bands.length === 0) return []
  const wanted = {
    ...clientOf(payment),
    currency,
    direction: transfer.direction,
    ...windowOf(today, Math.max(...bands.map(({ days }) => days)), transfer.settlement_date),
    least: bands.map(({ least }) => least).reduce((one, other) => (other < one ? other : one)),
    most: bands.map(({ most }) => most).reduce((one, other) => (other > one ? other : one)),
  }
  return findSimilar(reader, wanted)
}

/** The countries of the other party, its account and its bank. */
function countriesOf(transfer: TransferRow): string[] {
  const [country, iban, bic] =
    transfer.direction === 'OUTBOUND'
      ? [transfer.cr_country_code, transfer.cr_iban, transfer.cr_bank_bic]
      : [transfer.dr_country_code, transfer.dr_iban, transfer.dr_bank_bic]
  const found = [
    country,
    iban === null || parseIban(iban) === undefined ? null : alpha2ToAlpha3(countryOfIban(iban)),
    bic === null ? null : alpha2ToAlpha3(bic.slice(4, 6)),
  ]
  return [...new Set(found.filter((code) => code != null))]
}
