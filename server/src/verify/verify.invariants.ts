// The invariants of a whole database. Each is a query for the rows that break it, so it should return none. No query relies on synchronised clocks:
// ids from two instances may not be in the order of events, so chains of balances and moves are checked as chains and not by sorting.

import { archivedBefore } from '../events/events.ts'
import { type CauseKind, causeKinds } from '../ledger/ledger.ts'
import { paidStatuses } from '../payments/payments.ts'
import { isBoundToOther } from '../platform/bound-id.ts'
import { Fragment, fragment, listed, type Read, read } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { figures, wrongMatches } from '../reconciliation/reconciliation.ts'
import { caseKinds, reconciliationCase, reviewKinds } from '../transfers/life/transfers.cases.ts'
import { flowVariantOf } from '../transfers/life/transfers.flows.ts'
import { methods, recorderOf } from '../transfers/life/transfers.methods.ts'
import { monitoredMethods } from '../transfers/life/transfers.monitored.ts'
import { cancelStatuses, failedStatuses } from '../transfers/life/transfers.sets.ts'
import { terminalStatuses, transferMethods, transferTypes, typeGroups, waitingStatus } from '../transfers/life/transfers.status.ts'
import { clientBreakKinds, paidBreakKinds } from '../transfers/life/transfers.unsettled.ts'
import { signedFields } from '../transfers/transfers.ts'
import { toNumeric } from '../values/money.ts'
import { cancellable, holdable, houseId } from '../ventures/ventures.ts'
import { expectedLines, kinds, receivingKinds } from './verify.bookings.ts'
import { shownData } from './verify.events.ts'
import { railInvariants } from './verify.rails.ts'
import { stateInvariants } from './verify.states.ts'

/** `mostExamples`: how many of the violating rows are listed, if each of them needs an explanation. */
export type Invariant = { name: string; meaning: string; broken: Read<object>; mostExamples?: number }

/**
 * Every column that refers to a row of the same venture in another table. `hasKey`: false without a foreign key. Batches write those
 * columns after reading, locking or writing the row referred to, and such rows cannot be deleted.
 */
export const references: readonly { table: string; column: string; to: string; hasKey?: false }[] = [
  { table: 'accounts', column: 'client_id', to: 'clients' },
  { table: 'beneficiaries', column: 'client_id', to: 'clients' },
  { table: 'onboarding_details', column: 'client_id', to: 'clients' },
  { table: 'kyc_events', column: 'client_id', to: 'clients' },
  { table: 'kyc_conclusions', column: 'client_id', to: 'clients' },
  { table: 'transfers', column: 'account_id', to: 'accounts', hasKey: false },
  { table: 'transfers', column: 'receiver_account_id', to: 'accounts', hasKey: false },
  { table: 'transfers', column: 'beneficiary_id', to: 'beneficiaries', hasKey: false },
  { table: 'transfers', column: 'parent_transaction_id', to: 'transfers' },
  { table: 'transfers', column: 'mandate_id', to: 'mandates' },
  { table: 'mandates', column: 'account_id', to: 'accounts' },
  { table: 'transfer_moves', column: 'transfer_id', to: 'transfers', hasKey: false },
  { table: 'account_activity', column: 'account_id', to: 'accounts' },
  { table: 'account_payees', column: 'account_id', to: 'accounts' },
  { table: 'entries', column: 'account_id', to: 'accounts', hasKey: false },
  { table: 'payments', column: 'payment_link_id', to: 'payment_links' },
  { table: 'payment_refunds', column: 'payment_id', to: 'payments' },
  { table: 'payout_settings', column: 'payout_account_id', to: 'accounts' },
  { table: 'payouts', column: 'account_id', to: 'accounts' },
  { table: 'payouts', column: 'transfer_id', to: 'transfers' },
  { table: 'payouts', column: 'payment_id', to: 'payments' },
  { table: 'webhook_progress', column: 'endpoint_id', to: 'webhook_endpoints' },
  { table: 'screening_hits', column: 'screening_id', to: 'screenings' },
  { table: 'cleared_pairs', column: 'hit_id', to: 'screening_hits' },
]

const collectingMethods = transferMethods.filter((method) => methods[method].flow.INBOUND === 'collecting')

/** The table of each kind of cause. */
const causes: Record<CauseKind, string> = {
  transfer: 'transfers',
  payment: 'payments',
  payout: 'payouts',
  unapplied: 'unapplied_payments',
  break: 'breaks',
}

/** What operations with an idempotency key create, unless it can be deleted. */
const createdBy: Record<string, string> = {
  registerPerson: 'clients',
  submitOnboardingDetails: 'onboarding_details',
  createBeneficiary: 'beneficiaries',
  createAccount: 'accounts',
  createMandate: 'mandates',
  createTransfer: 'transfers',
  depositInSandbox: 'transfers',
  createPayment: 'payments',
  createPaymentLink: 'payment_links',
  // Its effect is the transfer; the payout is the transfer's companion.
  createPayout: 'transfers',
}

/** Tables whose rows count the events of the resource. */
const countingTables = ['clients', 'onboarding_details', 'beneficiaries', 'accounts', 'transfers', 'payments', 'payment_links', 'payouts']

/** Many kinds of transfers share a flow variant. Kinds with their variant, and edges per variant, are far fewer rows than edges per kind. */
const variants = [...new Set(kinds.map(flowVariantOf))]
const kindsWithVariant = kinds.map((kind) => ({ ...kind, variant: variants.indexOf(flowVariantOf(kind)) }))
const edges = variants.flatMap(({ next }, variant) =>
  Object.entries(next).flatMap(([from_status, followers]) => followers.map((to_status) => ({ variant, from_status, to_status }))),
)

const bookings = transferTypes.filter((type) => typeGroups[type] === 'booking')

/** Of card payments. */
const { settlement } = methods[recorderOf('PAYMENT')]

/** Rails that do not find an account by its IBAN. */
const withoutIban = transferMethods.filter((method) => !methods[method].address.startsWith('iban'))

/** What only the service records: neither orders nor rails create it. */
const recorded = fragment`(select method, transfer_type from json_to_recordset(
  ${JSON.stringify(transferMethods.flatMap((method) => [...methods[method].records].map((transfer_type) => ({ method, transfer_type }))))}::json)
  as record (method text, transfer_type text))`

/** What is booked for each payment, as the service computes it. */
const bookedPayments = fragment`select venture_id, id, currency,
  case when status in (${listed(paidStatuses)}) then amount else 0 end - refunded_amount as booked from payments`

/** The methods with the types that they carry, and with their currencies and largest amounts. */
const carriers = fragment`(select method, transfer_type from json_to_recordset(
  ${JSON.stringify(transferMethods.flatMap((method) => [...methods[method].carries].map((transfer_type) => ({ method, transfer_type }))))}::json)
  as carrier (method text, transfer_type text))`
const rails = fragment`select * from json_to_recordset(${JSON.stringify(
  transferMethods.map((method) => {
    const { currencies, exchanges, largest } = methods[method]
    return {
      method,
      currencies: currencies === 'any' ? null : currencies,
      exchanges,
      largest: largest === null ? null : toNumeric(largest),
    }
  }),
)}::json) as rail (method text, currencies text[], exchanges boolean, largest numeric)`

const returns = ['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION', 'CARD_REVERSAL']

/** Each transfer with the amounts on the account and outside the bank. */
const sides = fragment`select *, case direction when 'OUTBOUND' then debit_amount else credit_amount end as own_amount,
  case direction when 'OUTBOUND' then credit_amount else debit_amount end as external_amount,
  case direction when 'OUTBOUND' then credit_currency else debit_currency end as external_currency from transfers`

/** Versions before this moment closed accounts that had money in suspense. */
const suspenseGuarded = fragment`(select applied_at from migrations where name = '0010_suspense.sql')`

/** A completed child that brings back its parent's money: not an authorisation's hold, nor a payment's fee. */
const completedReturns = fragment`
  select parent.venture_id, parent.id, child.edition, parent.external_amount as whole, child.external_amount as part
  from (${sides}) as child join (${sides}) as parent on parent.venture_id = child.venture_id and parent.id = child.parent_transaction_id
  where child.status = 'COMPLETED' and parent.transfer_type <> all('{CARD_AUTH,CARD_ADVICE}') and parent.receiver_account_id is null
    and (child.transfer_type = any(${returns}) or (child.transfer_type = 'FEE_CANCELLATION' and parent.transfer_type = 'FEE'))`

/** The fields in the hash for an approval's id; later versions also include the subject. */
const requested = ['venture_id', 'action', 'resource_id', 'payload', 'sequence', 'maker_id']

/** Who decided approvals, according to the audit log. */
const decisions = fragment`select * from audit_log where action in ('approveApproval', 'rejectApproval')`

/** The signed fields, as text. */
const signedColumns = new Fragment([signedFields.map((field) => `${field}::text`).join(', ')], [])

export const invariants: readonly Invariant[] = [
  {
    name: 'journals balance',
    meaning: 'The entries of a journal sum to zero in each currency.',
    broken: read`
      select venture_id, journal_id, currency, sum(amount) as off_by from entries
      group by venture_id, journal_id, currency having sum(amount) <> 0`,
  },
  {
    name: 'entries are in the currency of their account',
    meaning: "An entry is in the currency of the client's account, or in the currency at the end of the system account's name.",
    broken: read`
      select entry.venture_id, entry.id, entry.currency, coalesce(account.currency, entry.system_account) as account
      from entries entry left join accounts account on account.venture_id = entry.venture_id and account.id = entry.account_id
      where entry.currency <> coalesce(account.currency, right(entry.system_account, 3))`,
  },
  {
    name: 'current balances',
    meaning: 'The current balance of an account is the sum of its entries.',
    broken: read`
      select venture_id, id, current_balance, coalesce(booked.sum, 0) as booked
      from accounts left join (
        select venture_id, account_id as id, sum(amount) as sum from entries where account_id is not null group by venture_id, account_id
      ) as booked using (venture_id, id)
      where current_balance <> coalesce(booked.sum, 0)`,
  },
  {
    name: 'running balances',
    meaning: 'The balances after the entries of an account form a chain from zero to their sum: each entry starts where another ended.',
    broken: read`
      select venture_id, account_id, balance, sum(ends) as off_by from (
        select venture_id, account_id, balance, 1 as ends from entries where account_id is not null
        union all
        select venture_id, account_id, balance - amount, -1 from entries where account_id is not null
        union all
        select venture_id, account_id, 0, 1 from entries where account_id is not null group by venture_id, account_id
        union all
        select venture_id, account_id, sum(amount), -1 from entries where account_id is not null group by venture_id, account_id
      ) as links
      group by venture_id, account_id, balance having sum(ends) <> 0`,
  },
  {
    name: 'reserved balances',
    meaning: 'The reserved balance of an account is the sum of the open holds of its transfers.',
    broken: read`
      select venture_id, id, reserved_balance, coalesce(held.sum, 0) as held
      from accounts left join (
        select venture_id, account_id as id, sum(hold) as sum from transfers where hold <> 0 group by venture_id, account_id
      ) as held using (venture_id, id)
      where reserved_balance <> coalesce(held.sum, 0)`,
  },
  {
    name: 'nothing is overdrawn',
    meaning:
      'The debt of an account is the amount by which its reserved balance exceeds its current balance, otherwise zero. No reserved ' +
      'balance is below zero.',
    broken: read`
      select venture_id, id, current_balance, reserved_balance, debt from accounts
      where debt <> greatest(0, reserved_balance - current_balance) or reserved_balance < 0`,
  },
  {
    name: 'debt is what moves recorded',
    meaning: 'The debt of an account is the sum of what the moves of its transfers recorded: nothing else has changed it.',
    broken: read`
      select account.venture_id, account.id, account.debt, coalesce(recorded.sum, 0) as recorded
      from accounts account left join (
        select transfer.venture_id, transfer.account_id as id, sum(move.debt_change) as sum
        from transfer_moves move join transfers transfer on transfer.venture_id = move.venture_id and transfer.id = move.transfer_id
        where move.debt_change <> 0
        group by transfer.venture_id, transfer.account_id
      ) as recorded on recorded.venture_id = account.venture_id and recorded.id = account.id
      where account.debt <> coalesce(recorded.sum, 0)`,
  },
  {
    name: 'only the bank forces',
    meaning: "Debt has grown only in forced moves. Only the bank's side forced any, and only for transfers that it processes.",
    broken: read`
      select move.venture_id, move.transfer_id, move.to_status, move.actor, move.forced, move.debt_change
      from transfer_moves move join transfers transfer on transfer.venture_id = move.venture_id and transfer.id = move.transfer_id
      where (move.debt_change > 0 and not move.forced) or (move.forced and (move.actor in ('venture', 'user') or not transfer.managed))`,
  },
  {
    name: 'facts are booked for the bank',
    meaning:
      "A transfer that is exempt from blocks of its client was created by the bank's side, in a venture whose transfers the bank " +
      'processes.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.managed, move.actor
      from transfers transfer join transfer_moves move on move.venture_id = transfer.venture_id and move.transfer_id = transfer.id
      where transfer.exempt and move.from_status is null and (not transfer.managed or move.actor in ('venture', 'user'))`,
  },
  {
    name: 'holds end with their transfers',
    meaning: 'A transfer that has ended has no hold.',
    broken: read`select venture_id, id, status, hold from transfers where hold <> 0 and status = any(${terminalStatuses})`,
  },
  {
    name: 'suspense balances',
    meaning:
      'The suspense account of a venture in a currency is the sum of what its transfers hold in suspense; that of the house, of open payments.',
    broken: read`
      select venture_id, currency, coalesce(booked.sum, 0) as booked, coalesce(suspended.sum, 0) as suspended
      from (
        select venture_id, currency, sum(amount) as sum from entries where system_account = 'suspense:' || currency
        group by venture_id, currency
      ) as booked
      full join (
        select venture_id, currency, sum(amount) as sum from (
          select venture_id, debit_currency as currency, suspended as amount from transfers where suspended <> 0
          union all
          select venture_id, currency, amount from unapplied_payments where status = 'OPEN'
        ) as lying group by venture_id, currency
      ) as suspended using (venture_id, currency)
      where coalesce(booked.sum, 0) <> coalesce(suspended.sum, 0)`,
  },
  {
    name: 'suspense of each unapplied payment',
    meaning: 'An unapplied payment has its amount in the suspense of the house while it is open, and nothing after the decision.',
    broken: read`
      select payment.id, payment.status, payment.amount, coalesce(booked.sum, 0) as booked
      from unapplied_payments payment left join (
        select cause_id as id, currency, sum(amount) as sum from entries
        where venture_id = ${houseId} and cause_kind = 'unapplied' and system_account = 'suspense:' || currency group by cause_id, currency
      ) as booked on booked.id = payment.id and booked.currency = payment.currency
      where coalesce(booked.sum, 0) <> case payment.status when 'OPEN' then payment.amount else 0 end`,
  },
  {
    name: 'unapplied payments were sent',
    meaning:
      'Money that came back to a closed account was sent by a completed outbound transfer of a type that can come back, and no more ' +
      'came back than was sent.',
    broken: read`
      select payment.client_venture_id as venture_id, payment.id, payment.parent_transaction_id, payment.currency, payment.amount, parent.credit_amount
      from unapplied_payments payment left join transfers parent
        on parent.venture_id = payment.client_venture_id and parent.id = payment.parent_transaction_id
      where payment.parent_transaction_id is not null and (parent.id is null or parent.direction <> 'OUTBOUND' or parent.status <> 'COMPLETED'
        or parent.transfer_type = any(${[...returns, ...bookings, 'CARD_AUTH', 'CARD_ADVICE']}) or (parent.method, parent.transfer_type) in ${recorded}
        or parent.receiver_account_id is not null or parent.credit_currency <> payment.currency
        or parent.credit_amount < (
          select sum(amount) from unapplied_payments other
          where other.client_venture_id = payment.client_venture_id and other.parent_transaction_id = payment.parent_transaction_id
            -- Money that could not be paid out is the same money again.
            and other.reason <> 'RETURN_REFUSED'
        ) + (
          select coalesce(sum(child.debit_amount), 0) from transfers child
          where child.venture_id = parent.venture_id and child.parent_transaction_id = parent.id and child.direction = 'INBOUND'
            and child.status = 'COMPLETED' and child.transfer_type = any(${returns})))`,
  },
  {
    name: 'receivables are open breaks',
    meaning:
      'What the house has paid for clients in a currency, as receivables or as breaks, is the sum of the open breaks that are booked ' +
      'there, and no other venture has either.',
    broken: read`
      select venture_id, currency, account, coalesce(booked.sum, 0) as booked, coalesce(owed.sum, 0) as owed
      from (
        select venture_id, currency, split_part(system_account, ':', 1) as account, sum(amount) as sum from entries
        where system_account in ('receivable:' || currency, 'breaks:' || currency) group by venture_id, currency, account
      ) as booked
      full join (
        select venture_id, currency, case kind when 'LATE_SETTLEMENT' then 'breaks' else 'receivable' end as account, -sum(amount) as sum
        from breaks where status = 'OPEN' and kind = any(${paidBreakKinds}) group by venture_id, currency, account
      ) as owed using (venture_id, currency, account)
      where coalesce(booked.sum, 0) <> coalesce(owed.sum, 0) or (booked.sum is not null and venture_id <> ${houseId})`,
  },
  {
    name: 'what waits has a case',
    meaning:
      'Money that arrived for an inactive account, an open unapplied payment and an open break have exactly one open case each, and ' +
      'no such case is open about anything else.',
    broken: read`
      select coalesce(waiting.venture_id, open.venture_id) as venture_id, coalesce(waiting.id, open.resource_id) as id,
        coalesce(waiting.kind, open.kind) as kind, coalesce(open.count, 0) as open_cases
      from (
        select venture_id, id, 'suspended' as kind, exempt and parent_transaction_id is null as needs_case from transfers
        where status = ${waitingStatus} and direction = 'INBOUND' and managed
        union all
        select venture_id, id, 'unapplied', true from unapplied_payments where status = 'OPEN'
        union all
        select venture_id, id, case when kind = any(${clientBreakKinds}) then 'break' else ${reconciliationCase} end, true from breaks where status = 'OPEN'
      ) as waiting
      full join (
        select venture_id, resource_id, kind, count(*) from cases where state = 'OPEN' and kind = any(${[...caseKinds, reconciliationCase]})
        group by venture_id, resource_id, kind
      ) as open on open.venture_id = waiting.venture_id and open.resource_id = waiting.id and open.kind = waiting.kind
      where waiting.id is null or open.count > 1 or (waiting.needs_case and open.count is null)`,
  },
  {
    name: 'reviews wait',
    meaning: 'A transfer with an open case about its review is in REVIEW, or was put ON_HOLD there.',
    broken: read`
      select open.venture_id, open.resource_id as id, open.kind, transfer.status
      from cases open left join transfers transfer on transfer.venture_id = open.venture_id and transfer.id = open.resource_id
      where open.state = 'OPEN' and open.kind = any(${reviewKinds})
        and (transfer.status = 'REVIEW' or (transfer.status = 'ON_HOLD' and transfer.on_hold_from = 'REVIEW')) is not true`,
  },
  {
    name: 'what was added to cases stays',
    meaning:
      'Notes and files of cases, and the bytes of the files, have the SHA-256 with which they were added, and the audit log, which is sealed, names it. So do ' +
      'the questions and answers.',
    broken: read`
      select added.venture_id, added.id, added.what from (
        select venture_id, id, 'note' as what, sha256, case_id::text as resource, 'addCaseNote' as action,
          encode(sha256(convert_to(text, 'UTF8')), 'hex') as found from case_notes
        union all
        select file.venture_id, file.id, 'file', file.sha256, coalesce(file.question_id, file.case_id)::text,
          case when file.question_id is null then 'addCaseFile' else 'addQuestionFile' end, encode(sha256(stored.bytes), 'hex')
        from case_files file left join stored_files stored on stored.venture_id = file.venture_id and stored.id = file.id
        union all
        select venture_id, id, 'question', encode(sha256(convert_to(text, 'UTF8')), 'hex'), case_id::text, 'askVenture',
          encode(sha256(convert_to(text, 'UTF8')), 'hex') from case_questions
        union all
        select venture_id, id, 'answer', encode(sha256(convert_to(answer, 'UTF8')), 'hex'), id::text, 'answerQuestion',
          encode(sha256(convert_to(answer, 'UTF8')), 'hex') from case_questions where answer is not null
      ) as added
      where added.found is distinct from added.sha256 or not exists (
        select from audit_log entry
        where entry.resource = added.resource and entry.action = added.action and 'sha256:' || added.sha256 = any(entry.fields))`,
  },
  {
    name: 'rules look at what was paid',
    meaning:
      'The figures of transaction monitoring are the sums of the payments that the bank processes, by account, direction and ' +
      'settlement day, without those that failed.',
    broken: read`
      select coalesce(kept.venture_id, paid.venture_id) as venture_id, coalesce(kept.account_id, paid.account_id) as account_id,
        coalesce(kept.direction, paid.direction) as direction, coalesce(kept.day, paid.day) as day, kept.times, paid.times as counted
      from (select * from account_activity where times <> 0 or amount <> 0) as kept
      full join (
        select venture_id, account_id, direction, settlement_date as day, count(*) as times,
          sum(case direction when 'OUTBOUND' then debit_amount else credit_amount end) as amount
        from transfers
        where managed and transfer_type = 'PAYMENT' and method = any(${monitoredMethods}) and status <> all(${failedStatuses})
        group by venture_id, account_id, direction, settlement_date
      ) as paid
        on paid.venture_id = kept.venture_id and paid.account_id = kept.account_id and paid.direction = kept.direction and paid.day = kept.day
      where (kept.times, kept.amount) is distinct from (paid.times, paid.amount)`,
  },
  {
    name: 'messages are booked once',
    meaning:
      'A claimed message names the transfer, unapplied payment, break or collection that it was booked as. Each of the last three has ' +
      'a message, and so does each inbound transfer that a message brought: it is exempt, has its own id as reference, and was not ' +
      'applied from an unapplied payment.',
    broken: read`
      select claim.sender, claim.kind, claim.tx_id, claim.booked_as, claim.id from inbound_claims claim where not case claim.booked_as
        when 'transfer' then exists (select from transfers where venture_id = claim.venture_id and id = claim.id and unique_reference = claim.id::text)
        when 'unapplied' then exists (select from unapplied_payments where venture_id = claim.venture_id and id = claim.id)
        when 'collection' then exists (select from breaks where venture_id = claim.venture_id and collection_id = claim.id)
        else exists (select from breaks where venture_id = claim.venture_id and id = claim.id) end
      union all
      select null, null, null, 'unapplied', id from unapplied_payments where id not in (select id from inbound_claims)
      union all
      select null, null, null, 'break', id from breaks where kind = 'FORCED_DEBIT' and id not in (select id from inbound_claims)
      union all
      select null, null, null, 'transfer', transfer.id from transfers transfer
      where transfer.exempt and transfer.direction = 'INBOUND' and transfer.unique_reference = transfer.id::text
        and transfer.id not in (select id from inbound_claims)
        and transfer.id not in (select transfer_id from unapplied_payments where transfer_id is not null)
        -- The service itself records transfers that are completed from the beginning.
        and exists (select from transfer_moves move where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id
          and move.from_status is null and move.to_status = 'CREATED')
      union all
      select null, null, null, 'collection', id from breaks where collection_id is not null and collection_id not in (select id from inbound_claims)
      union all
      select null, null, null, min(booked_as), id from inbound_claims group by id having count(*) > 1`,
  },
  {
    name: 'claims are of the messages that were booked',
    meaning: "The id of a message's booking is the hash of its sender, kind and tx_id, unless an older version assigned the id.",
    broken: read`select venture_id, id, sender, kind, tx_id from inbound_claims where ${isBoundToOther('id', ['sender', 'kind', 'tx_id'])}`,
  },
  {
    name: 'approvals are as two people made them',
    meaning:
      'The id of an approval is the hash of the request and its maker, unless an older version assigned the id, and the audit log ' +
      'says who decided it.',
    broken: read`
      select venture_id, id, action, resource_id, state, maker_id, checker_id, null::uuid as decided_by from approvals
      where case when subject is null then ${isBoundToOther('id', requested)} else ${isBoundToOther('id', [...requested, 'subject'])} end
      union all
      select approval.venture_id, approval.id, approval.action, approval.resource_id, approval.state, approval.maker_id, approval.checker_id, null
      from approvals approval left join (${decisions}) as log on log.venture_id = approval.venture_id and log.resource = approval.id::text
        and log.actor_id = approval.checker_id and log.action = case approval.state when 'REJECTED' then 'rejectApproval' else 'approveApproval' end
      where approval.checker_id is not null and log.id is null
      union all
      -- Rejecting one's own request withdraws it.
      select log.venture_id, log.id, log.action, null, null, null, null, log.actor_id
      from (${decisions}) as log left join approvals approval on approval.venture_id = log.venture_id and approval.id::text = log.resource
        and case when log.action = 'approveApproval' then approval.state in ('APPROVED', 'FAILED') and approval.checker_id = log.actor_id
          else (approval.state = 'REJECTED' and approval.checker_id = log.actor_id) or (approval.state = 'WITHDRAWN' and approval.maker_id = log.actor_id) end
      where approval.id is null`,
  },
  {
    name: 'clearings of pairs are as somebody made them',
    meaning:
      'The id of a clearing is the hash of the two people, what related them, the reason and who cleared them, and the audit log agrees.',
    broken: read`
      select id, one_id, other_id, cleared_by, taken_back_at from pair_clearings
      where ${isBoundToOther('id', ['one_id', 'other_id', 'ties', 'reason', 'cleared_by'])}
      union all
      select clearing.id, one_id, other_id, cleared_by, taken_back_at
      from pair_clearings clearing left join audit_log log on log.venture_id = ${bankId}::uuid and log.action = 'clearPair'
        and log.resource = clearing.id::text and log.actor_id = clearing.cleared_by
      where log.id is null
      union all
      -- A clearing that was taken back stays so.
      select clearing.id, one_id, other_id, cleared_by, taken_back_at
      from audit_log log left join pair_clearings clearing on clearing.venture_id = ${bankId}::uuid and clearing.id::text = log.resource
      where log.venture_id = ${bankId}::uuid and log.action = 'takeBackPairClearing' and clearing.taken_back_at is null`,
  },
  {
    name: 'rates are as they were set',
    meaning: 'A rate is what two people approved or, without four-eyes approval, what the audit log says was set.',
    broken: read`
      select rate.id, rate.from_currency, rate.to_currency, rate.rate, rate.margin, rate.valid_from, rate.valid_until
      from rates rate left join (
        select resource_id, payload from approvals where venture_id = ${bankId}::uuid and action = 'set-rate' and state = 'APPROVED'
      ) as agreed on agreed.resource_id = rate.id
      where case when agreed.resource_id is null then not exists (
          select from audit_log log where log.venture_id = ${bankId}::uuid and log.action = 'setRate' and log.resource = rate.id::text
            and log.actor = rate.actor and log.actor_id is not distinct from rate.actor_id)
        else (rate.from_currency, rate.to_currency, rate.rate, rate.margin, rate.valid_until) is distinct from (
            payload ->> 'from_currency', payload ->> 'to_currency', (payload ->> 'rate')::numeric, (payload ->> 'margin')::numeric,
            (payload ->> 'valid_until')::timestamptz(3))
          or rate.valid_from <> coalesce((payload ->> 'valid_from')::timestamptz(3), rate.created_at) end`,
  },
  {
    name: 'money within the bank adds up',
    meaning:
      'settlement:ON_US in a currency is zero over all ventures, together with money in transit: received from a payer that has not ' +
      'completed yet, or returned to one that has not got it back yet.',
    broken: read`
      select currency, sum(amount) as off_by from (
        select currency, amount from entries where system_account = 'settlement:ON_US:' || currency
        union all
        select coalesce(received.debit_currency, unapplied.currency), coalesce(received.debit_amount, unapplied.amount)
        from inbound_claims claim join transfers sent on claim.tx_id = sent.venture_id::text || '/' || sent.id::text
          left join transfers received on received.venture_id = claim.venture_id and received.id = claim.id
          left join unapplied_payments unapplied on unapplied.venture_id = claim.venture_id and unapplied.id = claim.id
        where claim.kind = 'ON_US' and sent.on_us and sent.direction = 'OUTBOUND' and sent.status <> 'COMPLETED'
        union all
        select debit_currency, -debit_amount from transfers returned
        where on_us and direction = 'INBOUND' and received and status = 'REJECTED' and not exists (
          select from inbound_claims claim where claim.kind = 'ON_US' and claim.tx_id = returned.venture_id::text || '/' || returned.id::text)
      ) as passing group by currency having sum(amount) <> 0`,
  },
  {
    name: 'what is sent within the bank is received',
    meaning:
      'A payment that was booked for an account from within the bank has the amount and the currency of the transfer that sent it, ' +
      'and that transfer is marked. A payment arrives on the account of its payee.',
    broken: read`
      select claim.venture_id, claim.id, claim.tx_id from inbound_claims claim
        left join transfers sent on claim.tx_id = sent.venture_id::text || '/' || sent.id::text and sent.on_us
        left join transfers received on received.venture_id = claim.venture_id and received.id = claim.id
        left join unapplied_payments unapplied on unapplied.venture_id = claim.venture_id and unapplied.id = claim.id
      where claim.kind = 'ON_US' and (
        sent.id is null or received.on_us is false
        or (sent.transfer_type = 'PAYMENT' and sent.direction = 'OUTBOUND' and received.cr_iban is distinct from sent.cr_iban)
        or coalesce(received.debit_amount, unapplied.amount) <> case sent.direction when 'OUTBOUND' then sent.credit_amount else sent.debit_amount end
        or coalesce(received.debit_currency, unapplied.currency) <> case sent.direction when 'OUTBOUND' then sent.credit_currency else sent.debit_currency end)`,
  },
  {
    name: 'what was signed is what is stored',
    meaning: 'The hash of a signed transfer matches its current amounts, payee and date.',
    broken: read`
      select venture_id, id, signed_hash from transfers where signed_hash is not null and (not managed
        or signed_hash <> encode(sha256(convert_to(array_to_string(array[${signedColumns}], chr(10), ''), 'UTF8')), 'hex'))`,
  },
  {
    name: 'decided money left the house',
    meaning: 'An unapplied payment that was applied, and a break that was collected from an account, name the transfer that did it.',
    broken: read`
      select payment.id, payment.applied_venture_id as venture_id, payment.transfer_id, payment.amount from unapplied_payments payment
      left join transfers transfer on transfer.venture_id = payment.applied_venture_id and transfer.id = payment.transfer_id
      where payment.status = 'APPLIED'
        and (transfer.id is null or (transfer.credit_amount, transfer.credit_currency) <> (payment.amount, payment.currency))
      union all
      select broken.id, broken.account_venture_id, broken.transfer_id, broken.amount from breaks broken
      left join transfers transfer on transfer.venture_id = broken.account_venture_id and transfer.id = broken.transfer_id
      where broken.transfer_id is not null and (transfer.status is distinct from 'COMPLETED'
        or (transfer.debit_amount, transfer.debit_currency) <> (broken.amount, broken.currency))`,
  },
  {
    name: 'statements of nostros follow each other',
    meaning:
      'A statement of a nostro begins where the previous one ended, the first one with the prefunding, and its entries lead from its ' +
      'opening to its closing balance.',
    broken: read`
      select statement.nostro_id, statement.number, statement.opening, coalesce(before.closing, nostro.prefunding) as before, statement.closing,
        statement.opening + coalesce(booked.sum, 0) as reached
      from nostro_statements statement join nostros nostro on nostro.id = statement.nostro_id
      left join nostro_statements before on before.nostro_id = statement.nostro_id and before.number = statement.number - 1
      left join (
        select nostro_id, number, sum(amount) as sum from nostro_entries where number is not null group by nostro_id, number
      ) as booked on booked.nostro_id = statement.nostro_id and booked.number = statement.number
      where (statement.number > 1 and before.number is null) or statement.opening <> coalesce(before.closing, nostro.prefunding)
        or statement.closing <> statement.opening + coalesce(booked.sum, 0)`,
  },
  {
    name: 'entries of nostros are explained',
    meaning:
      'An entry on a statement is the sum of its matched payments and of the differences of its breaks, and its state says which of ' +
      'them it has.',
    broken: read`
      select entry.nostro_id, entry.id, entry.state, entry.amount, coalesce(matched.sum, 0) as matched, coalesce(broken.sum, 0) as breaks
      from nostro_entries entry
      left join (select entry_id, sum(amount) as sum from nostro_matches group by entry_id) as matched on matched.entry_id = entry.id
      left join (
        select entry_id, sum(difference) filter (where status <> 'MATCHED') as sum, count(*) filter (where status = 'OPEN') as open
        from breaks where venture_id = ${houseId} and entry_id is not null group by entry_id
      ) as broken on broken.entry_id = entry.id
      where entry.number is not null and (entry.amount <> coalesce(matched.sum, 0) + coalesce(broken.sum, 0)
        or (entry.state = 'BREAK') <> (coalesce(broken.open, 0) > 0)
        or (entry.state = 'MATCHED') <> (coalesce(broken.open, 0) = 0 and coalesce(broken.sum, 0) = 0))`,
  },
  {
    name: 'payments are on statements as they were booked',
    meaning: "The amount of a payment on a nostro's statement is the ledger's amount for it on a settlement account.",
    broken: read`${wrongMatches()}`,
  },
  {
    name: 'breaks that cancel each other',
    meaning: 'Two breaks that cancel each other name each other, belong to one nostro, and have opposite differences.',
    broken: read`
      select one.id, one.nostro_id, one.difference, other.id as counter_id, other.difference as counter_difference
      from breaks one left join breaks other on other.venture_id = one.venture_id and other.id = one.counter_id
      where one.counter_id is not null
        and (other.counter_id, other.nostro_id, other.difference) is distinct from (one.id, one.nostro_id, -one.difference)`,
  },
  {
    name: 'nostros add up',
    meaning:
      'The last statement of a nostro closes at its prefunding minus its settlement entries minus what is in transit plus its open breaks.',
    broken: read`
      select last.nostro_id, last.closed_on as date, last.closing, figure.prefunding, figure.settlement, figure.in_transit, figure.differences as breaks,
        last.closing - (figure.prefunding - figure.settlement - figure.in_transit + figure.differences) as difference
      from (select distinct on (nostro_id) * from nostro_statements order by nostro_id, number desc) as last
      join (${figures(fragment`true`)}) as figure on figure.nostro_id = last.nostro_id
      where last.closing <> figure.prefunding - figure.settlement - figure.in_transit + figure.differences`,
  },
  {
    name: 'only received money is in suspense',
    meaning:
      'A received transfer has all of its money in suspense until it ends, a frozen one what has not been moved out, and others nothing.',
    broken: read`
      select venture_id, id, status, received, debit_amount, suspended from transfers
      where case
        when received and (direction, method, transfer_type) in ${receivingKinds} and status <> all(${terminalStatuses})
          then suspended <> debit_amount
        when received and (direction, method, transfer_type) in ${receivingKinds} and status = 'AML_REJECTED'
          then suspended > debit_amount or suspended < 0
        else suspended <> 0 end`,
  },
  {
    name: 'suspense of each transfer',
    meaning: 'The suspense of a transfer is what was booked there for it and its children: no more is taken than was received.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.suspended, coalesce(booked.sum, 0) as booked
      from transfers transfer left join (
        select cause.venture_id, case when cause.direction = 'INBOUND' and (cause.direction, cause.method, cause.transfer_type) in ${receivingKinds}
            then cause.id else cause.parent_transaction_id end as id, sum(entry.amount) as sum
        from entries entry join transfers cause on cause.venture_id = entry.venture_id and cause.id = entry.cause_id
        where entry.cause_kind = 'transfer' and entry.system_account = 'suspense:' || entry.currency
        group by 1, 2
      ) as booked on booked.venture_id = transfer.venture_id and booked.id = transfer.id
      where transfer.suspended <> coalesce(booked.sum, 0)`,
  },
  {
    name: 'authorisations book nothing',
    meaning: 'A CARD_AUTH only holds money, and so does a CARD_ADVICE since edition 2: their clearings book it.',
    broken: read`
      select entry.venture_id, entry.id, entry.cause_id, transfer.transfer_type
      from entries entry join transfers transfer on transfer.venture_id = entry.venture_id and transfer.id = entry.cause_id
      where entry.cause_kind = 'transfer' and (transfer.transfer_type = 'CARD_AUTH'
        or (transfer.transfer_type = 'CARD_ADVICE' and transfer.edition > 1))`,
  },
  {
    name: 'children stay within their parent',
    meaning: 'The completed returns, reversals and cancellations of a transfer do not exceed its amount.',
    broken: read`
      select venture_id, id, whole, sum(part) as returned from (${completedReturns}) as returns
      group by venture_id, id, whole having sum(part) > whole`,
  },
  {
    name: 'returned transfers say so',
    meaning: 'A transfer that was returned in full has one event transfer.returned, unless a transfer of edition 1 returned it.',
    broken: read`
      select returns.venture_id, returns.id, returns.whole, coalesce(told.count, 0) as events
      from (
        select venture_id, id, whole from (${completedReturns}) as returns
        group by venture_id, id, whole having sum(part) = whole and min(edition) > 1
      ) as returns
      left join (
        select venture_id, resource_id as id, count(*) from events where type = 'transfer.returned' group by venture_id, resource_id
      ) as told using (venture_id, id)
      where coalesce(told.count, 0) <> 1 and (told.count is not null or returns.id >= ${archivedBefore})`,
  },
  {
    name: 'one transfer for each reference',
    meaning: 'Every unique_reference is claimed by the one transfer that has it, and every claim belongs to such a transfer.',
    broken: read`
      select coalesce(transfer.unique_reference, claim.unique_reference) as unique_reference, transfer.id, claim.transfer_id as claimed_by
      from transfers transfer full join transfer_references claim
        on claim.unique_reference = transfer.unique_reference and claim.venture_id = transfer.venture_id and claim.transfer_id = transfer.id
      where transfer.id is null or claim.transfer_id is null`,
  },
  {
    name: 'searches find every transfer',
    meaning: 'The search texts contain every transfer once, with all of its texts.',
    broken: read`
      select coalesce(transfer.venture_id, texts.venture_id) as venture_id, coalesce(transfer.id, texts.id) as id, count(texts.id) as times
      from transfers transfer full join (select venture_id, unnest(id || others) as id, words from transfer_texts) as texts
        on texts.venture_id = transfer.venture_id and texts.id = transfer.id
      group by 1, 2
      having count(transfer.id) <> 1 or count(texts.id) <> 1
        or not bool_and(
          strpos(words, lower(unique_reference)) > 0 and strpos(words, lower(coalesce(purpose, ''))) > 0
          and strpos(words, lower(coalesce(cr_name, ''))) > 0 and strpos(words, lower(coalesce(dr_name, ''))) > 0)`,
  },
  {
    name: 'closed accounts are empty',
    meaning:
      'A closed account has no balance, no hold, the date of its closing, and nothing in suspense, unless an older version closed it.',
    broken: read`
      select venture_id, id, current_balance, reserved_balance, closed_date from accounts account
      where status = 'CLOSED' and (current_balance <> 0 or reserved_balance <> 0 or closed_date is null
        or (closed_date > ${suspenseGuarded} and exists (
          select from transfers where venture_id = account.venture_id and account_id = account.id and suspended > 0)))`,
  },
  {
    name: 'closed accounts stay closed',
    meaning:
      'Nothing was booked on an account after it was closed, with a tolerance of one second, because the clocks of instances may differ.',
    broken: read`
      select entry.venture_id, entry.id, entry.account_id, entry.created_at, account.closed_date
      from accounts account join entries entry on entry.venture_id = account.venture_id and entry.account_id = account.id
      where account.status = 'CLOSED' and entry.created_at > account.closed_date + interval '1 second'`,
  },
  {
    name: 'moves are edges of the table',
    meaning:
      "Every recorded move is allowed by the table of the transfer's flow, goes back from ON_HOLD, creates the transfer, or says why " +
      'money of a COMPLETED transfer came back.',
    broken: read`
      select move.venture_id, move.transfer_id, move.from_status, move.to_status, move.actor,
        direction, method, transfer_type
      from transfer_moves move
      join transfers transfer on transfer.venture_id = move.venture_id and transfer.id = move.transfer_id
      join json_to_recordset(${JSON.stringify(kindsWithVariant)}::json) as kind (direction text, method text, transfer_type text, variant int)
        using (direction, method, transfer_type)
      left join json_to_recordset(${JSON.stringify(edges)}::json) as edge (variant int, from_status text, to_status text)
        on edge.variant = kind.variant and edge.from_status = move.from_status and edge.to_status = move.to_status
      where edge.to_status is null and not case
        when move.from_status is null and move.to_status = 'CREATED' then move.actor <> 'service'
        when move.from_status is null and move.to_status = 'COMPLETED' then move.actor = 'service' and transfer.unique_reference = transfer.id::text
        when move.from_status = 'ON_HOLD' then exists (
          select from transfer_moves hold where hold.venture_id = move.venture_id and hold.transfer_id = move.transfer_id
            and hold.from_status = move.to_status and hold.to_status = 'ON_HOLD')
        when move.from_status = 'COMPLETED' and move.to_status = 'COMPLETED' then exists (
          select from transfers child where child.venture_id = move.venture_id and child.parent_transaction_id = move.transfer_id
            and child.status = 'COMPLETED' and child.exempt)
        else false end`,
  },
  {
    name: 'moves lead to the status',
    meaning: 'The moves of a transfer form a chain from its creation to its current status.',
    broken: read`
      select venture_id, transfer_id, status, sum(arrivals) as off_by from (
        select venture_id, transfer_id, to_status as status, 1 as arrivals from transfer_moves
        union all
        select venture_id, transfer_id, from_status, -1 from transfer_moves where from_status is not null
        union all
        select venture_id, id, status, -1 from transfers
      ) as links
      group by venture_id, transfer_id, status having sum(arrivals) <> 0`,
  },
  {
    name: 'no row points across ventures',
    meaning: 'Every row that another row refers to exists and belongs to the same venture.',
    broken: read`${unionAll(references.map(foreignReferences))}`,
  },
  {
    name: 'entries name their cause',
    meaning: 'The cause of an entry is of a known kind, exists, and belongs to the same venture.',
    broken: read`
      select venture_id, id, cause_kind, cause_id from entries where cause_kind <> all(${causeKinds})
      union all ${unionAll(causeKinds.map(withoutCause))}`,
  },
  {
    name: 'entries are what their causes booked',
    meaning:
      'A transfer, a payout, an unapplied payment and a break have exactly the entries that follow from their amounts, parties, ' +
      'status and moves.',
    broken: read`
      select venture_id, cause_kind, cause_id, coalesce(account_id::text, system_account) as account, currency, amount, sum(found) as too_many from (
        select venture_id, cause_kind, cause_id, account_id, system_account, currency, amount, 1 as found from entries where cause_kind <> 'payment'
        union all
        select venture_id, cause_kind, cause_id, account_id, system_account, currency, amount, -1 from (${expectedLines}) as expected
      ) as lines
      group by venture_id, cause_kind, cause_id, account_id, system_account, currency, amount having sum(found) <> 0`,
  },
  {
    name: 'transfers are as their events show them',
    meaning: 'The last event of a transfer, which is sealed, shows the transfer exactly as stored.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.sequence, array(
          select field.key from jsonb_each(to_jsonb(transfer)) as field
          where field.value is distinct from to_jsonb(json_populate_record(transfer, event.shown -> 'object')) -> field.key
        ) as fields
      from transfers transfer join (select venture_id, resource_id, sequence, ${shownData} as shown from events event) as event
        on event.venture_id = transfer.venture_id and event.resource_id = transfer.id and event.sequence = transfer.sequence
      where json_populate_record(transfer, event.shown -> 'object') is distinct from transfer`,
  },
  {
    name: 'details of transfers are as they were said',
    meaning: 'A transfer has details if and only if it says so, and they are those that its first event shows.',
    broken: read`
      select coalesce(transfer.venture_id, detail.venture_id) as venture_id, coalesce(transfer.id, detail.transfer_id) as id
      from transfers transfer full join transfer_details detail on detail.venture_id = transfer.venture_id and detail.transfer_id = transfer.id
      where transfer.detailed is distinct from (detail.transfer_id is not null)
      union all
      select detail.venture_id, detail.transfer_id
      from transfer_details detail join (select venture_id, resource_id, sequence, ${shownData} as shown from events event) as event
        on event.venture_id = detail.venture_id and event.resource_id = detail.transfer_id and event.sequence = 1
      where (event.shown -> 'object' -> 'details')::jsonb is distinct from detail.content`,
  },
  {
    name: 'every row is of a venture that exists',
    meaning: 'Clients, events and keys, and so everything that refers to them, and the members of ventures belong to existing ventures.',
    broken: read`
      select 'clients' as "table", venture_id, id from clients where venture_id not in (select id from ventures)
      union all
      select 'events', venture_id, id from events where venture_id not in (select id from ventures)
      union all
      select 'api_keys', venture_id, id from api_keys where venture_id not in (select id from ventures)
      union all
      select 'memberships', venture_id, user_id from memberships where venture_id <> ${bankId}::uuid and venture_id not in (select id from ventures)`,
  },
  {
    name: 'events have no gaps',
    meaning: 'The events of a resource are numbered 1, 2, 3 and so on, except for archived ones.',
    broken: read`
      select venture_id, resource_id, min(sequence) as first, max(sequence) as last, count(*) as events from events
      group by venture_id, resource_id having (min(sequence) <> 1 and resource_id >= ${archivedBefore})
        or max(sequence) - min(sequence) + 1 <> count(*) or count(distinct sequence) <> count(*)`,
  },
  {
    name: 'events are of an era that has begun',
    meaning: 'No event and no position of a webhook endpoint is of an era after the current one.',
    broken: read`
      select 'events' as "table", venture_id, id, era from events
      where era not between 1 and coalesce((select era from event_era), 0)
      union all
      select 'webhook_progress', venture_id, endpoint_id, greatest(era, since_era) from webhook_progress
      where greatest(era, since_era) > coalesce((select era from event_era), 0) or since_era > era`,
  },
  {
    name: 'every change has its event',
    meaning: "The number of a resource's last event equals the resource's own counter, unless the event was archived.",
    broken: read`
      select resource.*, coalesce(events.last, 0) as events
      from (${unionAll(countingTables.map(countsOf))} union all select 'ventures', id, id, sequence from ventures) as resource
      left join (select venture_id, resource_id, max(sequence) as last from events group by venture_id, resource_id) as events
        on events.venture_id = resource.venture_id and events.resource_id = resource.id
      where resource.sequence <> coalesce(events.last, 0) and (events.last is not null or resource.id >= ${archivedBefore})`,
  },
  {
    name: 'one client for each email',
    meaning: 'Every email is claimed by the one client that has it, and every claim belongs to such a client.',
    broken: read`
      select coalesce(lower(client.email), claim.email) as email, client.id, claim.client_id as claimed_by
      from clients client full join client_emails claim
        on claim.email = lower(client.email) and claim.venture_id = client.venture_id and claim.client_id = client.id
      where client.id is null or claim.client_id is null`,
  },
  {
    name: 'limits count what transfers count',
    meaning: "The use of an account's limits is the sum of what its transfers count on the days of the period.",
    broken: read`
      select venture_id, id, used_on, used_day, used_month, used_year, coalesce(day, 0) as day, coalesce(month, 0) as month, coalesce(year, 0) as year
      from accounts left join (
        select account.venture_id, account.id, sum(amount) filter (where counted_on = used_on) as day,
          sum(amount) filter (where date_trunc('month', counted_on) = date_trunc('month', used_on)) as month,
          sum(amount) filter (where date_trunc('year', counted_on) = date_trunc('year', used_on)) as year
        from accounts account join (
          select venture_id, account_id, counted_on, coalesce(counted_amount, debit_amount) as amount from transfers where counted_on is not null
          union all
          select venture_id, account_id, authorised_on, authorised_amount from transfers where authorised_on is not null
        ) as counts on counts.venture_id = account.venture_id and counts.account_id = account.id
        group by account.venture_id, account.id
      ) as counted using (venture_id, id)
      where (used_day, used_month, used_year) is distinct from (coalesce(day, 0), coalesce(month, 0), coalesce(year, 0))`,
  },
  {
    name: 'bookings stay in the books',
    meaning: "Since edition 2, a fee, an adjustment or an exchange is booked between its account and the venture's own accounts.",
    broken: read`
      select transfer.venture_id, transfer.id, transfer.transfer_type, transfer.receiver_account_id, entry.account_id
      from transfers transfer left join entries entry
        on entry.venture_id = transfer.venture_id and entry.cause_id = transfer.id and entry.account_id <> transfer.account_id
      where transfer.edition >= 2 and transfer.transfer_type = any(${bookings})
        and (transfer.receiver_account_id is not null or entry.account_id is not null)`,
  },
  {
    name: 'methods carry their transfers',
    meaning:
      'A transfer of edition 2 has a type, currencies and an amount that its method carries. A return has those of its parent, a ' +
      'booking needs none, and arrived money may have any amount.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.method, transfer.transfer_type, debit_currency, credit_currency, external_amount
      from (${sides}) as transfer join (${rails}) as rail using (method)
      where edition >= 2 and ((method, transfer_type) not in ${carriers}
          and not (unique_reference = id::text and (method, transfer_type) in ${recorded})
        or (transfer_type <> all(${[...bookings, ...returns]}) and (external_currency <> all(currencies)
          or (not exchanges and debit_currency <> credit_currency)
          or (external_amount > largest and not (direction = 'INBOUND' and (exempt or id in (
            select transfer_id from unapplied_payments where transfer_id is not null)))))))`,
  },
  {
    name: 'exchange fees need an exchange',
    meaning: 'A transfer of edition 2 has an exchange fee only if it is OUTBOUND and between two currencies.',
    broken: read`
      select venture_id, id, direction, debit_currency, credit_currency, fx_fee_amount from transfers
      where edition >= 2 and fx_fee_amount > 0 and (direction = 'INBOUND' or debit_currency = credit_currency)`,
  },
  {
    name: 'returns go back where the money came from',
    meaning: 'A return, reversal or cancellation of edition 2 uses the method of its parent and goes to the debtor of its parent.',
    broken: read`
      select child.venture_id, child.id, child.method, parent.method as parent_method, child.cr_iban, parent.dr_iban
      from transfers child join transfers parent on parent.venture_id = child.venture_id and parent.id = child.parent_transaction_id
      where child.edition >= 2 and child.transfer_type = any(${returns}) and (child.method <> parent.method
        or (child.direction = 'OUTBOUND' and child.method <> all(${withoutIban}) and child.cr_iban is not null
          and child.cr_iban is distinct from parent.dr_iban))`,
  },
  {
    name: 'returns are not returned',
    meaning: 'No order of edition 2 for a return, reversal or cancellation takes back another one, except frozen money in suspense.',
    broken: read`
      select child.venture_id, child.id, child.transfer_type, parent.id as parent_id, parent.transfer_type as parent_type
      from transfers child join transfers parent on parent.venture_id = child.venture_id and parent.id = child.parent_transaction_id
      where child.edition >= 2 and child.transfer_type = any(${returns}) and parent.transfer_type = any(${returns})
        and parent.status = 'COMPLETED' and child.unique_reference <> child.id::text`,
  },
  {
    name: 'children stay within what the account gave or got',
    meaning:
      'All returns, reversals and cancellations of edition 2 together give an account no more than their parent took from it, and ' +
      'vice versa; fee cancellations no more than the fee. Orders in a managed venture count once they are sent.',
    broken: read`
      select parent.venture_id, parent.id, whole, sum(own_amount) as taken
      from (${sides}) as child join lateral (
        select venture_id, id, case when child.transfer_type <> 'FEE_CANCELLATION' or parent.transfer_type = 'FEE' then own_amount
            else coalesce(fx_fee_amount, 0) end as whole,
          child.transfer_type = 'FEE_CANCELLATION' and parent.transfer_type <> 'FEE' as of_fee
        from (${sides}) as parent
        where venture_id = child.venture_id and id = child.parent_transaction_id and status = 'COMPLETED'
          and transfer_type <> all('{CARD_AUTH,CARD_ADVICE}')
      ) as parent on true
      where child.edition >= 2 and child.transfer_type = any(${[...returns, 'FEE_CANCELLATION']})
        and (child.status = 'COMPLETED'
          or (child.status <> all(${terminalStatuses}) and (not child.managed or (child.exempt and child.direction = 'INBOUND') or child.sent or child.received))
          or (child.status = 'AML_REJECTED' and child.received and (child.direction, child.method, child.transfer_type) in ${receivingKinds}))
      group by parent.venture_id, parent.id, whole, of_fee having sum(own_amount) > whole`,
  },
  {
    name: 'collections are allowed by their mandates',
    meaning:
      "A transfer that names a mandate collects for the mandate's account and from its debtor, and only once with a mandate for one " +
      'collection. A managed venture collects only with a mandate.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.mandate_id
      from transfers transfer left join mandates mandate on mandate.venture_id = transfer.venture_id and mandate.id = transfer.mandate_id
      where (transfer.mandate_id is not null and (
          transfer.direction <> 'INBOUND' or transfer.transfer_type <> 'PAYMENT' or transfer.method <> all(${collectingMethods})
          or mandate.account_id is distinct from transfer.account_id or mandate.debtor_iban is distinct from transfer.dr_iban))
        or (transfer.mandate_id is null and transfer.managed and not transfer.ordered_by_bank and transfer.direction = 'INBOUND'
          and transfer.transfer_type = 'PAYMENT' and transfer.method = any(${collectingMethods}))
      union all
      select mandate.venture_id, min(transfer.id::text)::uuid, mandate.id
      from mandates mandate join transfers transfer on transfer.venture_id = mandate.venture_id and transfer.mandate_id = mandate.id
      where mandate.sequence_type = 'OOFF' and transfer.status <> all(${failedStatuses})
      group by mandate.venture_id, mandate.id having count(*) > 1`,
  },
  {
    name: 'everything is managed as its venture is',
    meaning: 'Accounts and transfers are managed by the bank if and only if the control of their venture is MANAGED.',
    broken: read`
      select 'accounts' as "table", account.venture_id, account.id, account.managed, venture.control
      from accounts account join ventures venture on venture.id = account.venture_id
      where account.managed <> (venture.control = 'MANAGED')
      union all
      select 'transfers', transfer.venture_id, transfer.id, transfer.managed, venture.control
      from transfers transfer join ventures venture on venture.id = transfer.venture_id
      where transfer.managed <> (venture.control = 'MANAGED')`,
  },
  {
    name: 'ventures make only their own moves',
    meaning: 'In a managed transfer, a key or a person of the venture only orders, signs, cancels before sending, and holds.',
    broken: read`
      select move.venture_id, move.transfer_id, move.from_status, move.to_status, move.actor
      from transfer_moves move join transfers transfer on transfer.venture_id = move.venture_id and transfer.id = move.transfer_id
      where transfer.managed and move.actor = any('{venture,user}') and (transfer.ordered_by_bank or not case
        when move.from_status is null then move.to_status = 'CREATED'
        when move.from_status = 'ON_HOLD' then exists (
          select from transfer_moves hold where hold.venture_id = move.venture_id and hold.transfer_id = move.transfer_id
            and hold.to_status = 'ON_HOLD' and hold.actor = any('{venture,user}')
            and (hold.from_status = move.to_status or move.to_status = any(${cancelStatuses})))
        when move.to_status = 'SIGNED' then true
        when move.to_status = any(${cancelStatuses}) then move.from_status = any(${cancellable})
        when move.to_status = 'ON_HOLD' then move.from_status = any(${holdable})
        else false end)`,
  },
  {
    name: 'expired rates reserve nothing',
    meaning: 'A transfer at a rate of the bank was not reserved after the rate had expired.',
    broken: read`
      select transfer.venture_id, transfer.id, transfer.rate_until, move.created_at
      from transfers transfer join transfer_moves move on move.venture_id = transfer.venture_id and move.transfer_id = transfer.id
      where transfer.rate_until is not null and move.to_status = 'RESERVED' and move.from_status <> 'ON_HOLD'
        and move.created_at > transfer.rate_until`,
  },
  {
    name: 'marks of the bank stand',
    meaning: 'Every freeze, block or blacklisting by the bank is still in effect.',
    broken: read`
      select 'accounts' as "table", venture_id, id from accounts where frozen_by_bank and status = 'ACTIVE'
      union all
      select 'clients', venture_id, id from clients where (blocked_by_bank and not blocked) or (blacklisted_by_bank and not is_blacklisted)`,
  },
  {
    name: 'payments are booked',
    meaning: `The entries of a card payment are between ${settlement} and payable, and sum up to its amount, if it was paid, less what was refunded.`,
    broken: read`
      select venture_id, id, payment.currency, coalesce(booked, 0) as booked, coalesce(payable, 0) as payable, coalesce(settled, 0) as settled
      from (${bookedPayments}) as payment full join (
        select venture_id, cause_id as id, min(currency) as currency, sum(amount) filter (where system_account = 'payable:' || currency) as payable,
          sum(amount) filter (where system_account = ${`${settlement}:`} || currency) as settled, count(distinct currency) as currencies,
          bool_or(system_account is null or system_account not in ('payable:' || currency, ${`${settlement}:`} || currency)) as elsewhere
        from entries where cause_kind = 'payment' group by venture_id, cause_id
      ) as entry using (venture_id, id)
      where coalesce(booked, 0) <> coalesce(payable, 0) or coalesce(booked, 0) <> -coalesce(settled, 0) or elsewhere or currencies > 1
        or payment.currency <> entry.currency`,
  },
  {
    name: 'payable balances',
    meaning: 'What is payable to a venture in a currency is the sum booked for its card payments minus payouts.',
    broken: read`
      select venture_id, currency, coalesce(payable, 0) as payable, coalesce(booked, 0) as booked, coalesce(paid_out, 0) as paid_out
      from (
        select venture_id, currency, sum(amount) as payable from entries where system_account = 'payable:' || currency group by venture_id, currency
      ) as entry
      full join (select venture_id, currency, sum(booked) as booked from (${bookedPayments}) as payment group by venture_id, currency) as payment
        using (venture_id, currency)
      full join (select venture_id, currency, sum(amount) as paid_out from payouts group by venture_id, currency) as payout
        using (venture_id, currency)
      where coalesce(payable, 0) <> coalesce(booked, 0) - coalesce(paid_out, 0)`,
  },
  {
    name: 'payouts have their transfer',
    meaning:
      'A payout has one completed transfer over CARD that credits its account with the amount minus the fee, and takes both from ' +
      'payable, or vice versa for money that was taken back; no other transfer changes payable.',
    broken: read`
      select coalesce(payout.venture_id, transfer.venture_id) as venture_id, payout.id, transfer.id as transfer_id, payout.amount, payout.fee_amount,
        net.payable as net_payable, net.credited, fee.payable as fee_payable, fee.fees
      from payouts payout
      full join (
        select * from transfers where edition >= 2 and (method, transfer_type) in ${recorded}
      ) as transfer on transfer.venture_id = payout.venture_id and transfer.id = payout.transfer_id
      left join lateral (
        select coalesce(sum(amount) filter (where system_account = 'payable:' || currency), 0) as payable,
          coalesce(sum(amount) filter (where account_id = payout.account_id), 0) as credited
        from entries where venture_id = payout.venture_id and cause_kind = 'transfer' and cause_id = payout.transfer_id
      ) as net on true
      left join lateral (
        select coalesce(sum(amount) filter (where system_account = 'payable:' || currency), 0) as payable,
          coalesce(sum(amount) filter (where system_account = 'fees:' || currency), 0) as fees
        from entries where venture_id = payout.venture_id and cause_kind = 'payout' and cause_id = payout.id
      ) as fee on true
      where payout.id is null or transfer.id is null or transfer.status <> 'COMPLETED'
        or transfer.direction <> case when payout.amount > 0 then 'INBOUND' else 'OUTBOUND' end
        or transfer.account_id <> payout.account_id or transfer.credit_currency <> payout.currency
        or transfer.credit_amount <> abs(payout.amount - payout.fee_amount) or net.payable <> payout.fee_amount - payout.amount
        or net.credited <> payout.amount - payout.fee_amount or fee.payable <> -payout.fee_amount or fee.fees <> payout.fee_amount
      union all
      select entry.venture_id, null, entry.cause_id, null, null, entry.amount, null, null, null
      from entries entry left join payouts payout on payout.venture_id = entry.venture_id and payout.transfer_id = entry.cause_id
      where entry.system_account = 'payable:' || entry.currency and entry.cause_kind = 'transfer' and payout.id is null`,
  },
  {
    name: 'idempotency keys have their effect',
    meaning: 'What a request with an idempotency key created exists, and no two keys of an operation name the same resource.',
    broken: read`
      ${unionAll(Object.entries(createdBy).map(withoutEffect))}
      union all
      select kept.venture_id, kept.operation, kept.key, kept.resource_id from idempotency_keys kept
        left join approvals asked on asked.id = case when kept.status = 202 then kept.resource_id::uuid end
      where kept.status = 202 and asked.id is null
      union all
      select kept.venture_id, kept.operation, kept.key, result #>> '{transfer,id}' from idempotency_keys kept
        cross join lateral jsonb_array_elements(case when kept.operation = 'createTransfers' then kept.body::jsonb -> 'results' end) as result
        left join transfers made on made.venture_id = kept.venture_id and made.id = (result #>> '{transfer,id}')::uuid
      where kept.operation = 'createTransfers' and result #>> '{transfer,id}' is not null and made.id is null
      union all
      -- Several keys may share one approval, whose effect happens once.
      select venture_id, operation, min(key), resource_id from idempotency_keys
      where operation = any(${Object.keys(createdBy)}) and status is distinct from 202
      group by venture_id, operation, resource_id having count(*) > 1`,
  },
  ...railInvariants,
  ...stateInvariants,
]

/** A request that waits for a second person (202) has so far created only an approval. */
function withoutEffect([operation, table]: [string, string]): Fragment {
  // Other operations store ids in another form.
  return plain(`
    select kept.venture_id, kept.operation, kept.key, kept.resource_id from idempotency_keys kept left join ${table} made
      on made.venture_id = kept.venture_id and made.id = case when kept.operation = '${operation}' then kept.resource_id::uuid end
    where kept.operation = '${operation}' and kept.status is distinct from 202 and made.id is null`)
}

function foreignReferences({ table, column, to }: (typeof references)[number]): Fragment {
  return plain(`
    select '${table}.${column}' as reference, source.venture_id, source.${column} as points_to
    from ${table} source left join ${to} target on target.venture_id = source.venture_id and target.id = source.${column}
    where source.${column} is not null and target.id is null`)
}

function withoutCause(kind: CauseKind): Fragment {
  return plain(`
    select entry.venture_id, entry.id, entry.cause_kind, entry.cause_id
    from entries entry left join ${causes[kind]} cause on cause.venture_id = entry.venture_id and cause.id = entry.cause_id
    where entry.cause_kind = '${kind}' and cause.id is null`)
}

function countsOf(table: string): Fragment {
  return plain(`select '${table}' as "table", venture_id, id, sequence from ${table}`)
}

/** SQL text built from constant names only, without values. */
function plain(text: string): Fragment {
  return new Fragment([text], [])
}

function unionAll(queries: readonly Fragment[]): Fragment {
  return new Fragment(['', ...queries.slice(1).map(() => ' union all '), ''], queries)
}
