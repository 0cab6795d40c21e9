// Everything stored about a client: every table, with the way from the client to its rows, or with the reason why exports leave it out.
// Rows are found by ids and account numbers, and card payments by email and phone number, never by name alone: two people may share a name.
import { Account } from '../accounts/accounts.ts'
import { Beneficiary } from '../beneficiaries/beneficiaries.ts'
import { Client } from '../clients/clients.ts'
import { EventResend } from '../events/events.ts'
import { Mandate } from '../mandates/mandates.ts'
import { OnboardingDetails } from '../onboarding/onboarding.ts'
import { PayeeVerification } from '../payees/payees.ts'
import { Payment, PaymentLink, Payout } from '../payments/payments.ts'
import { type Fixed, type Fragment, fixed, fragment, listed } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { Recall, unsentStates } from '../rails/rails.ts'
import { Transfer, TransferMove } from '../transfers/life/transfers.schemas.ts'
import { houseId } from '../ventures/ventures.ts'
import { Delivery } from '../webhooks/webhooks.ts'

/** The client and its identifiers elsewhere. `ventures`: those where the client may be named. */
export type Subject = {
  venture_id: string
  client_id: string
  accounts: readonly string[]
  ibans: readonly string[]
  applications: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  ventures: readonly string[]
}

/** `what`: the columns to select from the table, under the alias `kept`. `page`: the end of the statement for kinds that are read in pages. */
export type Asked = { what: Fragment; venture_id: string; subject: Subject; page: Fragment }

/** Selects the rows that belong to `parent.id`. */
type Edge = (asked: Asked) => Fragment

export type Kind = {
  table: string
  about: string
  /** The fields for ventures; without it, only the bank gets the rows. */
  fields?: readonly string[]
  /** The columns for the bank, if not all. */
  columns?: Fixed
  of: Readonly<Record<string, Edge>>
  /** The column for paging the rows of one parent, if there may be many. */
  pagedBy?: Fixed
  /** No index finds its rows, so the whole table is scanned, one window of ids at a time: selects the last id of the next window. */
  windowEnd?: (window: { venture_id: string; after: string | undefined; size: number }) => Fragment
  /** Other rows are found by the ids of these. */
  hasId?: true
  /** Its rows may belong to another venture than their parents. */
  hasVenture?: true
  /** The parent whose rows may be in any of the ventures. */
  across?: string
  /** Filters for ventures what the fields alone cannot. */
  isShown?: 'moves'
}

const fieldsOf = ({ properties }: { properties: object }, ...computed: readonly string[]): string[] =>
  Object.keys(properties).filter((name) => !computed.includes(name))

const id = fixed`kept.id`

const unsent = listed(unsentStates)
const same = (parents: readonly string[], edge: Edge): Record<string, Edge> => Object.fromEntries(parents.map((parent) => [parent, edge]))

/** Rows about cases. The bank's ones about a payment of the client may have rows of the client's venture. */
const ofCases = (select: (what: Fragment, venture_id: string) => Fragment): Record<'cases', Edge> => ({
  cases: ({ what, venture_id }) => select(what, venture_id),
})

/** The resources that have events. */
export const resources = [
  'clients',
  'onboarding_details',
  'accounts',
  'beneficiaries',
  'beneficiaries_of_others',
  'mandates',
  'transfers',
  'payments',
  'payouts',
] as const

const screened = ['clients', 'beneficiaries', 'beneficiaries_of_others', 'transfers', 'unapplied_payments']
const decided = ['clients', 'accounts', 'beneficiaries', 'beneficiaries_of_others', 'transfers', 'recalls', 'unapplied_payments', 'breaks']

/** Events are read by their own folder; see exports.walk.ts. */
export const kinds = {
  clients: {
    table: 'clients',
    about: 'The person.',
    fields: fieldsOf(Client),
    hasId: true,
    of: {
      client: ({ what, venture_id }) =>
        fragment`select ${what} from clients kept where kept.venture_id = ${venture_id} and kept.id = parent.id`,
    },
  },
  onboarding_details: {
    table: 'onboarding_details',
    about: 'The person’s declarations about money and work.',
    fields: fieldsOf(OnboardingDetails),
    hasId: true,
    of: {
      clients: ({ what, venture_id }) =>
        fragment`select ${what} from onboarding_details kept where kept.venture_id = ${venture_id} and kept.client_id = parent.id`,
    },
  },
  kyc_events: {
    table: 'kyc_events',
    about: 'The identity verifier’s reports, as received.',
    columns: fixed`kept.*, convert_from(kept.raw, 'UTF8') as raw`,
    of: {
      clients: ({ what, venture_id, subject }) => fragment`
        select ${what} from kyc_events kept
        where (kept.venture_id = ${venture_id} and kept.client_id = parent.id)
          or (kept.verdict = 'UNMATCHED' and kept.application_id = any(${subject.applications}))`,
    },
  },
  kyc_event_conflicts: {
    table: 'kyc_event_conflicts',
    about: 'Reports of the verifier with the id of another report.',
    columns: fixed`kept.*, convert_from(kept.raw, 'UTF8') as raw, encode(kept.digest, 'hex') as digest`,
    of: {
      clients: ({ what, venture_id }) => fragment`
        select ${what} from kyc_events event join kyc_event_conflicts kept on kept.received_by = event.received_by and kept.id = event.id
        where event.venture_id = ${venture_id} and event.client_id = parent.id`,
    },
  },
  kyc_conclusions: {
    table: 'kyc_conclusions',
    about: 'The results of the verification.',
    of: {
      clients: ({ what, venture_id }) =>
        fragment`select ${what} from kyc_conclusions kept where kept.venture_id = ${venture_id} and kept.client_id = parent.id`,
    },
  },
  client_reads: {
    table: 'client_reads',
    about: 'Which people of the bank have read the person’s data on the last days.',
    of: {
      clients: ({ what, venture_id }) =>
        fragment`select ${what} from client_reads kept where kept.venture_id = ${venture_id} and kept.client_id = parent.id`,
    },
  },
  beneficiaries: {
    table: 'beneficiaries',
    about: 'The person’s payees.',
    fields: fieldsOf(Beneficiary),
    hasId: true,
    pagedBy: id,
    of: {
      clients: ({ what, venture_id, page }) => fragment`
        select ${what} from beneficiaries kept where kept.venture_id = ${venture_id} and kept.client_id = parent.id ${page}`,
    },
  },
  beneficiaries_of_others: {
    table: 'beneficiaries',
    about: 'Entries in which others have saved the person as a payee. They are also about these others.',
    fields: fieldsOf(Beneficiary),
    hasId: true,
    hasVenture: true,
    across: 'clients',
    pagedBy: id,
    of: {
      clients: ({ what, subject, page }) => fragment`
        select ${what} from beneficiaries kept
        where kept.venture_id = any(${subject.ventures}) and kept.iban = any(${subject.ibans}) and kept.client_id <> parent.id ${page}`,
    },
  },
  payee_verifications: {
    table: 'payee_verifications',
    about: 'Checks whether an account belongs to a name, for accounts of the person, and those that the person’s payments relied on.',
    fields: fieldsOf(PayeeVerification, 'valid_until'),
    across: 'clients',
    pagedBy: id,
    of: {
      clients: ({ what, subject, page }) => fragment`
        select ${what} from payee_verifications kept
        where kept.venture_id = any(${subject.ventures}) and kept.iban = any(${subject.ibans}) ${page}`,
      transfers: ({ what, venture_id, subject, page }) => fragment`
        select ${what} from transfers transfer
        join payee_verifications kept on kept.venture_id = ${venture_id} and kept.id = transfer.payee_verification_id
        where transfer.venture_id = ${venture_id} and transfer.id = parent.id and kept.iban <> all(${subject.ibans}) ${page}`,
    },
  },
  accounts: {
    table: 'accounts',
    about: 'The accounts of the person.',
    fields: fieldsOf(Account, 'available_balance'),
    hasId: true,
    pagedBy: id,
    of: {
      clients: ({ what, venture_id, page }) =>
        fragment`select ${what} from accounts kept where kept.venture_id = ${venture_id} and kept.client_id = parent.id ${page}`,
    },
  },
  account_activity: {
    table: 'account_activity',
    about: 'How often and how much the accounts paid and received on each day.',
    of: {
      accounts: ({ what, venture_id }) =>
        fragment`select ${what} from account_activity kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id`,
    },
  },
  account_payees: {
    table: 'account_payees',
    about: 'The payees of the accounts.',
    pagedBy: fixed`kept.payee`,
    of: {
      accounts: ({ what, venture_id, page }) =>
        fragment`select ${what} from account_payees kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id ${page}`,
    },
  },
  vop_exchanges: {
    table: 'vop_exchanges',
    about: 'Other banks that asked whose accounts these are, and what they were told.',
    pagedBy: id,
    of: {
      accounts: ({ what, venture_id, page }) =>
        fragment`select ${what} from vop_exchanges kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id ${page}`,
    },
  },
  entries: {
    table: 'entries',
    about: 'The bookings on the accounts.',
    fields: ['id', 'journal_id', 'cause_kind', 'cause_id', 'account_id', 'currency', 'amount', 'balance', 'created_at'],
    pagedBy: id,
    of: {
      accounts: ({ what, venture_id, page }) =>
        fragment`select ${what} from entries kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id ${page}`,
    },
  },
  mandates: {
    table: 'mandates',
    about: 'Direct debit mandates with the person as creditor or debtor.',
    fields: fieldsOf(Mandate, 'state', 'expires_on'),
    hasId: true,
    pagedBy: id,
    of: {
      accounts: ({ what, venture_id, page }) =>
        fragment`select ${what} from mandates kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id ${page}`,
      clients: ({ what, venture_id, subject, page }) => fragment`
        select ${what} from mandates kept
        where kept.venture_id = ${venture_id} and kept.debtor_iban = any(${subject.ibans}) and kept.account_id <> all(${subject.accounts}) ${page}`,
    },
  },
  transfers: {
    table: 'transfers',
    about: 'Payments in which the person is payer or payee.',
    fields: fieldsOf(Transfer, 'details'),
    hasId: true,
    pagedBy: id,
    of: {
      accounts: ({ what, venture_id, page }) =>
        fragment`select ${what} from transfers kept where kept.venture_id = ${venture_id} and kept.account_id = parent.id ${page}`,
      beneficiaries_of_others: ({ what, venture_id, page }) =>
        fragment`select ${what} from transfers kept where kept.venture_id = ${venture_id} and kept.beneficiary_id = parent.id ${page}`,
    },
  },
  transfer_details: {
    table: 'transfer_details',
    about: 'What the messages of the payments say besides, such as references and the parties in whose name others pay.',
    fields: ['transfer_id', 'content'],
    of: {
      transfers: ({ what, venture_id }) => fragment`
        select ${what} from transfer_details kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id`,
    },
  },
  transfer_moves: {
    table: 'transfer_moves',
    about: 'The statuses that the payments went through.',
    fields: ['transfer_id', ...fieldsOf(TransferMove)],
    isShown: 'moves',
    of: {
      transfers: ({ what, venture_id }) => fragment`
        select ${what} from transfer_moves kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id order by kept.id`,
    },
  },
  processing_delays: {
    table: 'processing_delays',
    about: 'Payments that wait to be processed.',
    of: {
      transfers: ({ what, venture_id }) =>
        fragment`select ${what} from processing_delays kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id`,
    },
  },
  payouts: {
    table: 'payouts',
    about: 'Card money that was paid out to the accounts, or taken back from them.',
    fields: fieldsOf(Payout, 'net_amount'),
    hasId: true,
    of: {
      transfers: ({ what, venture_id }) =>
        fragment`select ${what} from payouts kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id`,
    },
  },
  payout_settings: {
    table: 'payout_settings',
    about: 'Settings that pay the venture’s card money out to an account of the person.',
    fields: ['payout_account_id', 'created_at', 'updated_at'],
    of: {
      accounts: ({ what, venture_id }) =>
        fragment`select ${what} from payout_settings kept where kept.venture_id = ${venture_id} and kept.payout_account_id = parent.id`,
    },
  },
  recalls: {
    table: 'recalls',
    about: 'Recalls of payments.',
    fields: fieldsOf(Recall),
    hasId: true,
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what, venture_id }) =>
        fragment`select ${what} from recalls kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id`,
    ),
  },
  rail_payments: {
    table: 'rail_payments',
    about: 'The payments as they were sent to other banks.',
    of: {
      transfers: ({ what, venture_id }) =>
        fragment`select ${what} from rail_payments kept where kept.venture_id = ${venture_id} and kept.transfer_id = parent.id`,
    },
  },
  rail_received: {
    table: 'rail_received',
    about: 'The payments as they were received from other banks.',
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what, venture_id }) =>
        fragment`select ${what} from rail_received kept where kept.venture_id = ${venture_id} and kept.id = parent.id`,
    ),
  },
  rail_instants: {
    table: 'rail_instants',
    about: 'How instant payments from other banks were answered, and whether the clearing system confirmed them.',
    of: {
      transfers: ({ what, venture_id }) =>
        fragment`select ${what} from rail_instants kept where kept.venture_id = ${venture_id} and kept.id = parent.id`,
    },
  },
  rail_applied: {
    table: 'rail_applied',
    about: 'Which part of which message was about a payment.',
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what }) => fragment`select ${what} from rail_applied kept where kept.transfer_id = parent.id or kept.booked_id = parent.id`,
    ),
  },
  rail_messages: {
    table: 'rail_messages',
    about: 'The messages of banks that contained the payments, without their contents, which are also about others.',
    columns: fixed`parent.id as about_id, kept.id, kept.direction, kept.type, kept.message_id, kept.sender, kept.file, kept.pack_id, kept.sha256, kept.state,
      kept.reason, kept.detail, kept.created_at, kept.updated_at`,
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what, venture_id }) => fragment`
        select ${what} from rail_messages kept where kept.id in (
          select message.id from rail_payments payment join rail_messages message on message.pack_id = payment.pack_id
          where payment.venture_id = ${venture_id} and payment.transfer_id = parent.id and payment.state not in (${unsent})
          union select message_id from rail_applied where transfer_id = parent.id
          union select message_id from rail_applied where booked_id = parent.id
          union select id from recalls where venture_id = ${venture_id} and transfer_id = parent.id)`,
    ),
  },
  inbound_claims: {
    table: 'inbound_claims',
    about: 'The references under which payments arrived.',
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what }) => fragment`select ${what} from inbound_claims kept where kept.id = parent.id`,
    ),
  },
  nostro_matches: {
    table: 'nostro_matches',
    about: 'Which entry of the bank’s own accounts belongs to a payment.',
    of: same(
      ['transfers', 'unapplied_payments'],
      ({ what, venture_id }) =>
        fragment`select ${what} from nostro_matches kept where kept.venture_id = ${venture_id} and kept.id = parent.id`,
    ),
  },
  nostro_entries: {
    table: 'nostro_entries',
    about: 'These entries, as the settlement bank reported them.',
    columns: fixed`parent.id as about_id, kept.*`,
    of: {
      ...same(
        ['transfers', 'unapplied_payments'],
        ({ what, venture_id }) => fragment`
          select ${what} from nostro_matches match join nostro_entries kept on kept.id = match.entry_id
          where match.venture_id = ${venture_id} and match.id = parent.id`,
      ),
      breaks: ({ what, venture_id }) => fragment`
        select ${what} from breaks break join nostro_entries kept on kept.id = break.entry_id
        where break.venture_id = ${venture_id} and break.id = parent.id and break.row_id is null`,
    },
  },
  unapplied_payments: {
    table: 'unapplied_payments',
    about: 'Money for the person that no account could take.',
    hasId: true,
    hasVenture: true,
    of: {
      clients: ({ what, venture_id, subject }) => fragment`
        select ${what} from unapplied_payments kept
        where kept.venture_id = ${houseId}
          and ((kept.client_venture_id = ${venture_id} and kept.client_id = parent.id) or kept.iban = any(${subject.ibans}))`,
      transfers: ({ what, venture_id, subject }) => fragment`
        select ${what} from unapplied_payments kept
        where kept.venture_id = ${houseId} and kept.applied_venture_id = ${venture_id} and kept.transfer_id = parent.id
          and kept.client_id is distinct from ${subject.client_id} and (kept.iban is null or kept.iban <> all(${subject.ibans}))`,
    },
  },
  breaks: {
    table: 'breaks',
    about: 'Breaks about the person, the accounts or the payments.',
    hasId: true,
    hasVenture: true,
    of: {
      clients: ({ what, venture_id, subject }) => fragment`
        select ${what} from breaks kept
        where kept.venture_id = ${houseId} and kept.account_venture_id = ${venture_id}
          and (kept.client_id = parent.id or kept.account_id = any(${subject.accounts}))`,
      transfers: ({ what, venture_id, subject }) => fragment`
        select ${what} from breaks kept
        where kept.venture_id = ${houseId} and (kept.transfer_id = parent.id or (kept.row_venture_id = ${venture_id} and kept.row_id = parent.id))
          and kept.client_id is distinct from ${subject.client_id} and (kept.account_id is null or kept.account_id <> all(${subject.accounts}))`,
    },
  },
  payments: {
    table: 'payments',
    about: 'Card payments whose payer gave the person’s email or phone number.',
    fields: fieldsOf(Payment, 'business_id'),
    hasId: true,
    windowEnd: ({ venture_id, after, size }) => fragment`
      select id from payments
      where venture_id = ${venture_id} and ${after === undefined ? fragment`true` : fragment`id > ${after}`}
      order by id offset ${size - 1} limit 1`,
    of: {
      clients: ({ what, venture_id, subject, page }) => fragment`
        select ${what} from payments kept
        where kept.venture_id = ${venture_id}
          and (lower(kept.customer_email) = any(${subject.emails}) or kept.customer_phone = any(${subject.phones})) ${page}`,
    },
  },
  payment_refunds: {
    table: 'payment_refunds',
    about: 'Refunds to cards.',
    fields: ['payment_id', 'external_refund_id', 'amount', 'status', 'created_at'],
    of: {
      payments: ({ what, venture_id }) =>
        fragment`select ${what} from payment_refunds kept where kept.venture_id = ${venture_id} and kept.payment_id = parent.id`,
    },
  },
  payment_links: {
    table: 'payment_links',
    about: 'The payment links that the person used.',
    fields: fieldsOf(PaymentLink, 'url', 'uses'),
    columns: fixed`parent.id as about_id, kept.*`,
    of: {
      payments: ({ what, venture_id }) => fragment`
        select ${what} from payments payment join payment_links kept on kept.venture_id = ${venture_id} and kept.id = payment.payment_link_id
        where payment.venture_id = ${venture_id} and payment.id = parent.id`,
    },
  },
  event_resends: {
    table: 'event_resends',
    about: 'Events that were sent again.',
    fields: fieldsOf(EventResend),
    of: {
      events: ({ what, venture_id }) =>
        fragment`select ${what} from event_resends kept where kept.venture_id = ${venture_id} and kept.event_id = parent.id`,
    },
  },
  webhook_deliveries: {
    table: 'webhook_deliveries',
    about: 'Where events were delivered. The bodies are the events themselves.',
    fields: fieldsOf(Delivery),
    of: {
      events: ({ what, venture_id }) => fragment`
        select ${what} from webhook_endpoints endpoint
        join webhook_deliveries kept on kept.venture_id = ${venture_id} and kept.endpoint_id = endpoint.id and kept.event_id = parent.id
        where endpoint.venture_id = ${venture_id}`,
    },
  },
  screenings: {
    table: 'screenings',
    about: 'Comparisons with watch lists.',
    hasId: true,
    pagedBy: id,
    of: same(
      screened,
      ({ what, venture_id, page }) =>
        fragment`select ${what} from screenings kept where kept.venture_id = ${venture_id} and kept.subject_id = parent.id ${page}`,
    ),
  },
  screening_hits: {
    table: 'screening_hits',
    about: 'The hits of these comparisons.',
    hasId: true,
    of: {
      screenings: ({ what, venture_id }) =>
        fragment`select ${what} from screening_hits kept where kept.venture_id = ${venture_id} and kept.screening_id = parent.id`,
    },
  },
  cleared_pairs: {
    table: 'cleared_pairs',
    about: 'Listed persons who, according to two people of the bank, are not this person.',
    of: {
      screening_hits: ({ what, venture_id }) => fragment`
        select ${what} from screening_hits hit
        join cleared_pairs kept on kept.venture_id = ${venture_id} and kept.party_hash = hit.party_hash and kept.entry_hash = hit.entry_hash
        where hit.venture_id = ${venture_id} and hit.id = parent.id and kept.hit_id = hit.id`,
    },
  },
  cases: {
    table: 'cases',
    about: 'The bank’s cases, and how they were decided.',
    hasId: true,
    of: same(
      decided,
      ({ what, venture_id }) =>
        fragment`select ${what} from cases kept where kept.venture_id = ${venture_id} and kept.resource_id = parent.id`,
    ),
  },
  case_notes: {
    table: 'case_notes',
    about: 'What people of the bank have noted about these cases.',
    of: ofCases(
      (what, venture_id) =>
        fragment`select ${what} from case_notes kept where kept.venture_id = ${venture_id} and kept.case_id = parent.id`,
    ),
  },
  case_files: {
    table: 'case_files',
    about: 'The files of these cases. People of the bank download the files themselves.',
    of: ofCases(
      (what, venture_id) =>
        fragment`select ${what} from case_files kept where kept.venture_id = ${venture_id} and kept.case_id = parent.id`,
    ),
  },
  case_links: {
    table: 'case_links',
    about: 'The cases that people have linked with these.',
    of: ofCases(
      (what, venture_id) =>
        fragment`select ${what} from case_links kept where kept.venture_id = ${venture_id} and kept.case_id = parent.id`,
    ),
  },
  case_questions: {
    table: 'case_questions',
    about: 'The questions of the bank about these cases, and the answers.',
    of: ofCases(
      (what, venture_id) =>
        fragment`select ${what} from case_questions kept where kept.venture_id = ${venture_id} and kept.case_id = parent.id`,
    ),
  },
  approvals: {
    table: 'approvals',
    about: 'Requests that two people of the bank decided together.',
    hasId: true,
    of: same(
      [...decided, 'cases'],
      ({ what, venture_id }) =>
        fragment`select ${what} from approvals kept where kept.venture_id in (${venture_id}, ${bankId}) and kept.resource_id = parent.id`,
    ),
  },
  audit_log: {
    table: 'audit_log',
    about: 'Who changed the stored data, and who at the bank read it.',
    pagedBy: id,
    of: same(
      [...resources, 'cases', 'approvals', 'screenings', 'unapplied_payments'],
      ({ what, venture_id, page }) => fragment`
        select ${what} from audit_log kept
        where kept.resource = parent.id::text and kept.venture_id in (${venture_id}, ${bankId}) ${page}`,
    ),
  },
} as const satisfies Record<string, Kind>

/** The events folder decides what ventures see of events. */
export const eventsFile = { table: 'events', about: 'Every change of all this, with the new values.', fields: [] }

const aboutVentures = 'It is about ventures and the bank, not about clients.'
const aboutUsers = 'It is about people who work for a venture or the bank. A user is not a client, even with the same name.'
const aboutPacks = 'It counts payments of many people and names none of them.'
const sandbox = 'It exists only in the sandbox, in place of another company, which answers for its own data.'

/** Tables without rows in an export, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  migrations: aboutVentures,
  test_clock: aboutVentures,
  demo_run: sandbox,
  event_era: aboutVentures,
  claims: 'It says in which venture an account number, a link or a payment is, and exists only in a distributed database.',
  ventures: aboutVentures,
  api_keys: aboutVentures,
  users: aboutUsers,
  memberships: aboutUsers,
  sessions: aboutUsers,
  links: aboutUsers,
  sign_in_failures: aboutUsers,
  sign_ins: aboutUsers,
  passkeys: aboutUsers,
  passkey_challenges: aboutUsers,
  admin_key_steps: aboutUsers,
  pair_clearings: aboutUsers,
  bank_keys: aboutVentures,
  policies: aboutVentures,
  rates: aboutVentures,
  watchlists: aboutVentures,
  watchlist_versions: aboutVentures,
  watchlist_entries: 'It is published data of others. The hits say what a client was compared with.',
  jobs: 'It is pending work: its rows name ids that the export has, and are deleted when the work is done.',
  idempotency_keys: 'It repeats answers to repeated requests for a day. The resources and their events have the same content.',
  client_emails: 'It claims the client’s email, which the export has with the client.',
  transfer_references: 'It claims references of payments, which the export has with the payments.',
  transfer_texts: 'It repeats texts of payments for searches; the export has them with the payments.',
  stored_files: 'It has the bytes of files, which the export names. People of the bank download them.',
  event_archives: 'It says which months were archived.',
  requests: 'It says which operation was called, but never about whom.',
  webhook_endpoints: aboutVentures,
  webhook_progress: aboutVentures,
  rail_packs: aboutPacks,
  participations: aboutVentures,
  calendar_years: aboutVentures,
  reachable_banks: aboutVentures,
  nostros: aboutVentures,
  nostro_rails: aboutVentures,
  nostro_statements: aboutPacks,
  verification_runs: 'It names ids of rows that broke an invariant.',
  screening_runs: 'It contains only how far the daily comparison of a venture has got.',
  seals: 'It contains only hashes.',
  row_states: 'It contains only hashes.',
  sandbox_applications: sandbox,
  sandbox_orders: sandbox,
  sandbox_refunds: sandbox,
  sandbox_bank_files: sandbox,
  sandbox_bank_payments: sandbox,
  sandbox_bank_entries: sandbox,
  sandbox_bank_statements: sandbox,
  sandbox_bank_recalls: sandbox,
}
