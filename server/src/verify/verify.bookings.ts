// What the books should contain: the lines that each transfer, payout, unapplied payment and break must have booked, according to its row and its
// moves. The service decides this in code, and here SQL states it again, so that a change of a row or of its entries makes them disagree.
import { Fixed, type Fragment, fragment } from '../platform/database/sql.ts'
import { flowVariantOf } from '../transfers/life/transfers.flows.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import { transferDirections, transferMethods, transferTypes, typeGroups } from '../transfers/life/transfers.status.ts'

export const kinds = transferDirections.flatMap((direction) =>
  transferMethods.flatMap((method) => transferTypes.map((transfer_type) => ({ direction, method, transfer_type }))),
)

export const receivingKinds = fragment`(select direction, method, transfer_type from json_to_recordset(
  ${JSON.stringify(kinds.filter((kind) => flowVariantOf(kind).flow === 'receiving'))}::json) as kind (direction text, method text, transfer_type text))`

/** The venture's own account on the other side of a booking. Other types use the settlement account of their method. */
const counterparts: Readonly<Record<string, string>> = {
  FEE: 'fees',
  FEE_CANCELLATION: 'fees',
  ADJUSTMENT: 'adjustments',
  CCY_EXCHANGE: 'fx',
  FX_POSITION_CLOSING: 'fx',
}

const kindsWithAccounts = fragment`select * from json_to_recordset(${JSON.stringify(
  kinds.map((kind) => {
    const { settlement, records } = methods[kind.method]
    const { transfer_type } = kind
    return {
      ...kind,
      is_receiving: flowVariantOf(kind).flow === 'receiving',
      settlement,
      counterpart: counterparts[transfer_type] ?? settlement,
      is_booking: typeGroups[transfer_type] === 'booking',
      is_recorded: records.has(transfer_type),
    }
  }),
)}::json) as kind (direction text, method text, transfer_type text, is_receiving boolean,
  settlement text, counterpart text, is_booking boolean, is_recorded boolean)`

const rails = fragment`select * from json_to_recordset(${JSON.stringify(
  transferMethods.map((rail) => ({ rail, settlement: methods[rail].settlement, is_receiving: methods[rail].flow.INBOUND === 'receiving' })),
)}::json) as rail (rail text, settlement text, is_receiving boolean)`

/** An authorisation only holds money. A CARD_ADVICE of edition 1 booked it. */
const isAuthorisation = (transfer: string) =>
  new Fixed(`(${transfer}.transfer_type = 'CARD_AUTH' or (${transfer}.transfer_type = 'CARD_ADVICE' and ${transfer}.edition > 1))`)

/**
 * Each transfer with what it must have booked. A payment on us settles within the bank. `receives` and `returns`: into suspense and back
 * out. `pays_out`: the service recorded a payout of card money. The transfer that caused any other record of the service, for the receiver
 * of an internal transfer or for a return, has its bookings. `frees`: it took frozen money of its parent, and `leaves` unless that went to
 * the account. An adjustment may be older than the freeze, so only one with entries in suspense counts.
 *
 * In edition 1, a booking credited its receiver, if any, and an adjustment released no frozen money to the account. A later version may
 * have completed such a transfer, so the number of accounts in its entries tells which rule was applied.
 */
const transfers = fragment`
  select transfer.venture_id, transfer.id, transfer.account_id, transfer.direction, transfer.debit_amount, transfer.debit_currency,
    transfer.credit_amount, transfer.credit_currency, is_receiving,
    case when transfer.on_us then 'settlement:ON_US' else settlement end as settlement,
    case when transfer.on_us and counterpart = settlement then 'settlement:ON_US' else counterpart end as counterpart,
    case when not is_booking or (transfer.edition = 1 and made.accounts = 2) then transfer.receiver_account_id end as receiver_account_id,
    case transfer.direction when 'OUTBOUND' then coalesce(transfer.fx_fee_amount, 0) else 0 end as fee,
    is_receiving and transfer.received as receives,
    is_receiving and transfer.received and returned.transfer_id is not null as returns,
    transfer.status = 'COMPLETED' and (record.transfer_id is null or (is_recorded and transfer.edition > 1)) and not ${isAuthorisation('transfer')}
      and not (transfer.transfer_type = 'CARD_REVERSAL' and parent.id is not null and ${isAuthorisation('parent')}) as completes,
    is_recorded and transfer.edition > 1 and record.transfer_id is not null as pays_out,
    parent.id is not null and parent.status = 'AML_REJECTED' and parent.received
      and (parent.direction, parent.method, parent.transfer_type) in ${receivingKinds}
      and (transfer.transfer_type = 'ADJUSTMENT' or (transfer.transfer_type = 'PAYMENT_RETURN' and transfer.direction = 'OUTBOUND'))
      and coalesce(made.suspense, false) as frees,
    transfer.direction = 'OUTBOUND' or (transfer.edition = 1 and made.accounts = 0) as leaves
  from transfers transfer join (${kindsWithAccounts}) as kind using (direction, method, transfer_type)
  left join transfers parent on parent.venture_id = transfer.venture_id and parent.id = transfer.parent_transaction_id
  left join (select distinct venture_id, transfer_id from transfer_moves where from_status is null and to_status = 'COMPLETED') as record
    on record.venture_id = transfer.venture_id and record.transfer_id = transfer.id
  left join (select distinct venture_id, transfer_id from transfer_moves where from_status = 'TO_RETURN' and to_status = 'REJECTED') as returned
    on returned.venture_id = transfer.venture_id and returned.transfer_id = transfer.id
  left join (
    select venture_id, cause_id, bool_or(system_account = 'suspense:' || currency) as suspense, count(account_id) as accounts
    from entries where cause_kind = 'transfer' group by venture_id, cause_id
  ) as made on made.venture_id = transfer.venture_id and made.cause_id = transfer.id`

/** The lines of transfers: payer and payee, and the venture's accounts in between. */
const transferLines = fragment`
  select venture_id, 'transfer' as cause_kind, id as cause_id, line.account_id, line.system_account, line.currency, line.amount
  from (
    select *,
      case when direction = 'OUTBOUND' and not frees then account_id end as giver_id,
      case when direction = 'OUTBOUND' then case when frees then 'suspense' end
        when pays_out then 'payable' when is_receiving or frees then 'suspense' else counterpart end as giver,
      -- Frozen money leaves in the currency in which it was received.
      case when frees and leaves then credit_amount else debit_amount + fee end as given,
      case when frees and leaves then credit_currency else debit_currency end as given_currency,
      case when frees and leaves then null when direction = 'INBOUND' then account_id when not pays_out then receiver_account_id end as taker_id,
      case when frees and leaves then counterpart when direction = 'INBOUND' then null when pays_out then 'payable'
        when receiver_account_id is null then counterpart end as taker
    from (${transfers}) as transfer
  ) as transfer
  cross join lateral (values
    (receives, null::uuid, settlement, debit_currency, -debit_amount),
    (receives, null, 'suspense', debit_currency, debit_amount),
    (returns, null, 'suspense', debit_currency, -debit_amount),
    (returns, null, settlement, debit_currency, debit_amount),
    (completes, giver_id, giver, given_currency, -given),
    (completes and not frees, null, 'fees', debit_currency, fee),
    (completes and given_currency <> credit_currency, null, 'fx', debit_currency, debit_amount),
    (completes and given_currency <> credit_currency, null, 'fx', credit_currency, -credit_amount),
    (completes, taker_id, taker, credit_currency, credit_amount)
  ) as line (applies, account_id, system_account, currency, amount)
  where line.applies and line.amount <> 0`

/** The bank's fee for a payout of card money. */
const payoutLines = fragment`
  select venture_id, 'payout', id, null::uuid, line.system_account, currency, line.amount from payouts
  cross join lateral (values ('payable', -fee_amount), ('fees', fee_amount)) as line (system_account, amount)
  where line.amount <> 0`

/**
 * Money from a rail without incoming payments is applied as an adjustment. Money from within the bank is booked as such, and leaves over its rail.
 */
const unappliedLines = fragment`
  select unapplied.venture_id, 'unapplied', unapplied.id, null::uuid, line.system_account, currency, line.amount
  from unapplied_payments unapplied join (${rails}) as rail using (rail)
  left join (select rail as paid_out_over, settlement as paid_out_from from (${rails}) as rail) as payout using (paid_out_over)
  left join inbound_claims claim on claim.venture_id = unapplied.venture_id and claim.id = unapplied.id
  cross join lateral (values
    (true, case claim.kind when 'ON_US' then 'settlement:ON_US' else settlement end, -amount),
    (true, 'suspense', amount),
    (status <> 'OPEN', 'suspense', -amount),
    (status <> 'OPEN', case when status = 'APPLIED' and not is_receiving then 'adjustments' else coalesce(paid_out_from, settlement) end, amount)
  ) as line (applies, system_account, amount)
  where line.applies`

/** The client owes a debit on a closed account until it is decided. A reconciliation's break is booked only when it is written off. */
const breakLines = fragment`
  select venture_id, 'break', id, null::uuid, line.system_account, currency, line.amount
  from breaks left join (${rails}) as rail using (rail)
  left join (select rail as collected_over, settlement as collected_from from (${rails}) as rail) as collection using (collected_over)
  cross join lateral (values
    (difference is null, case kind when 'LATE_SETTLEMENT' then 'breaks' else 'receivable' end, -amount),
    (difference is null, coalesce(settlement, 'adjustments'), amount),
    (difference is null and status <> 'OPEN', case kind when 'LATE_SETTLEMENT' then 'breaks' else 'receivable' end, amount),
    (difference is null and status <> 'OPEN', coalesce(collected_from, 'adjustments'), -amount),
    (difference is not null and status = 'WRITTEN_OFF', settlement, -difference),
    (difference is not null and status = 'WRITTEN_OFF', 'adjustments', difference)
  ) as line (applies, system_account, amount)
  where line.applies and kind <> 'CONTRADICTED'`

/** Every line that should have an entry. Card payments are left out: `payments are booked` compares their sums. */
export const expectedLines: Fragment = fragment`
  select venture_id, cause_kind, cause_id, account_id, system_account || ':' || currency as system_account, currency, amount
  from (${transferLines} union all ${payoutLines} union all ${unappliedLines} union all ${breakLines}) as line`
