// Where the rows of each table are in a distributed database. Every table is listed here; a guard compares the list with the migrated
// database.

/**
 * `shards`: the rows of a venture are together on one of the workers. `everywhere`: every server has a copy, so every shard can join it.
 * `claims`: names that are unique across ventures, on the coordinator, with the claimed columns. `coordinator`: on the coordinator, with
 * the reason.
 */
export type Place = 'shards' | 'everywhere' | { claims: string } | { coordinator: string }

const sandbox = (of: string): Place => ({ coordinator: `The sandbox stands in for ${of}, which knows no ventures.` })

export const places: Readonly<Record<string, Place>> = {
  ventures: 'everywhere',
  // One row has the era of the whole database. Readers of events compare with it.
  event_era: 'everywhere',

  idempotency_keys: 'shards',
  events: 'shards',
  event_resends: 'shards',
  entries: 'shards',
  case_notes: 'shards',
  case_files: 'shards',
  case_links: 'shards',
  case_questions: 'shards',
  stored_files: 'shards',
  policies: 'shards',
  screenings: 'shards',
  screening_hits: 'shards',
  screening_runs: 'shards',
  cleared_pairs: 'shards',
  processing_delays: 'shards',
  clients: 'shards',
  onboarding_details: 'shards',
  kyc_conclusions: 'shards',
  beneficiaries: 'shards',
  accounts: 'shards',
  payee_verifications: 'shards',
  vop_exchanges: 'shards',
  mandates: 'shards',
  transfers: 'shards',
  transfer_moves: 'shards',
  transfer_texts: 'shards',
  transfer_details: 'shards',
  account_activity: 'shards',
  account_payees: 'shards',
  payments: 'shards',
  payment_links: 'shards',
  payment_refunds: 'shards',
  payouts: 'shards',
  payout_settings: 'shards',
  webhook_endpoints: 'shards',
  webhook_progress: 'shards',
  webhook_deliveries: 'shards',

  api_keys: { claims: 'key_hash' },
  client_emails: { claims: 'email' },
  transfer_references: { claims: 'unique_reference' },
  inbound_claims: { claims: 'sender,kind,tx_id' },

  migrations: { coordinator: 'Migrations concern the whole database.' },
  test_clock: { coordinator: 'One row says what time it is for the whole sandbox.' },
  demo_run: { coordinator: 'One row says how far the demo bank of the whole sandbox is.' },
  users: { coordinator: 'A person may belong to several ventures, and to the bank.' },
  memberships: { coordinator: 'They belong to users, who are kept there.' },
  bank_keys: { coordinator: 'They are keys of the whole bank.' },
  admin_key_steps: { coordinator: 'The admin key is that of the whole bank.' },
  sessions: { coordinator: 'They belong to users, who are kept there.' },
  passkeys: { coordinator: 'They belong to users, who are kept there.' },
  passkey_challenges: { coordinator: 'A challenge is signed before it is known who signs it.' },
  links: { coordinator: 'A link is used by its secret alone, and it may create a user.' },
  pair_clearings: { coordinator: 'They belong to users, who are kept there.' },
  sign_ins: { coordinator: 'They belong to users, who are kept there.' },
  sign_in_failures: { coordinator: 'Failures are counted by email and address.' },
  rates: { coordinator: 'The rates are those of the whole bank.' },
  watchlists: { coordinator: 'The lists are those of the whole bank.' },
  watchlist_versions: { coordinator: 'They belong to watchlists.' },
  watchlist_entries: { coordinator: 'They belong to watchlists.' },
  unapplied_payments: { coordinator: 'All rows are of the house, and are read with messages of all ventures.' },
  breaks: { coordinator: 'All rows are of the house, and are read with messages of all ventures.' },
  rail_packs: { coordinator: 'A pack contains payments of all ventures.' },
  rail_messages: { coordinator: 'A message concerns payments of all ventures.' },
  rail_payments: { coordinator: 'A pack contains payments of all ventures, and an answer names nothing but the transaction.' },
  rail_applied: { coordinator: 'It belongs to rail_messages.' },
  participations: { coordinator: 'The bank itself takes part in schemes.' },
  calendar_years: { coordinator: 'The calendars are those of the whole bank.' },
  reachable_banks: { coordinator: 'The banks are those of the whole bank.' },
  recalls: { coordinator: 'An answer names nothing but the request.' },
  nostros: { coordinator: 'The nostros are those of the whole bank.' },
  nostro_rails: { coordinator: 'It belongs to nostros, which are those of the whole bank.' },
  nostro_statements: { coordinator: 'A statement contains payments of all ventures.' },
  nostro_entries: { coordinator: 'An entry may stand for payments of all ventures.' },
  nostro_matches: { coordinator: 'It belongs to nostro_entries, which stand for payments of all ventures.' },
  rail_instants: { coordinator: 'A status names nothing but the transaction.' },
  rail_received: { coordinator: 'A recall names nothing but the transaction.' },
  requests: {
    coordinator: 'One statement writes requests of all ventures, also those of none, and the bank reads them over all ventures.',
  },
  verification_runs: { coordinator: 'A verification concerns the whole database.' },
  audit_log: { coordinator: 'The bank reads it over all ventures, and few transactions write it.' },
  client_reads: { coordinator: 'It belongs to audit_log.' },
  approvals: { coordinator: 'The bank reads them over all ventures, and there are few.' },
  cases: { coordinator: 'The bank reads them over all ventures, and there are few.' },
  event_archives: { coordinator: 'An archive has the events of all ventures.' },
  row_states: { coordinator: 'Most of the rows that they are about are there.' },
  seals: { coordinator: 'They chain the rows of all ventures.' },
  jobs: { coordinator: 'Workers take jobs of all ventures from one queue, and few rows are in it at a time.' },
  kyc_event_conflicts: { coordinator: 'It belongs to kyc_events.' },
  kyc_events: { coordinator: 'An event arrives before its venture is known, and for some events it never is.' },
  sandbox_applications: sandbox('an external verifier'),
  sandbox_orders: sandbox('an external gateway'),
  sandbox_refunds: sandbox('an external gateway'),
  sandbox_bank_files: sandbox('another bank'),
  sandbox_bank_payments: sandbox('another bank'),
  sandbox_bank_entries: sandbox('another bank'),
  sandbox_bank_statements: sandbox('another bank'),
  sandbox_bank_recalls: sandbox('another bank'),
}

export type Kind = 'shards' | 'everywhere' | 'coordinator'

/** A table that is not listed counts as distributed, so that the rules for such tables find what it lacks. */
export function kindOf(table: string): Kind {
  const place = places[table] ?? 'shards'
  return typeof place === 'string' ? place : 'coordinator'
}

export const tablesAt = (kind: Kind): string[] => Object.keys(places).filter((table) => kindOf(table) === kind)

/** Tables on the shards whose rows have the number of the transaction that wrote them, which is that of the worker. */
export const numberedTables = ['events', 'entries', 'transfer_moves', 'policies', 'screenings', 'screening_hits', 'transfer_details']

/** The claimed columns of the tables of claims. */
export const claimed: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(places).flatMap(([table, place]) => (typeof place === 'object' && 'claims' in place ? [[table, place.claims]] : [])),
)

/** The reasons why tables stay on the coordinator. */
export const reasons: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(places).flatMap(([table, place]) =>
    typeof place === 'object' && 'coordinator' in place ? [[table, place.coordinator]] : [],
  ),
)

/**
 * Unique constraints across ventures, which no shard can check. In a distributed database, these names are claimed in the table `claims`,
 * and the column only has a plain index.
 */
export const globalNames: readonly { table: string; constraint: string; column: string; kind: string }[] = [
  { table: 'accounts', constraint: 'accounts_account_number_key', column: 'account_number', kind: 'account_number' },
  { table: 'payment_links', constraint: 'payment_links_token_key', column: 'token', kind: 'link_token' },
  { table: 'payments', constraint: 'payments_id_key', column: 'id', kind: 'payment' },
  { table: 'payments', constraint: 'payments_gateway_order_number_key', column: 'gateway_order_number', kind: 'gateway_order_number' },
  { table: 'payments', constraint: 'payments_gateway_order_id_key', column: 'gateway_order_id', kind: 'gateway_order_id' },
]

/** Foreign keys between servers, which a distributed database cannot have. `npm run verify` checks that the referenced rows exist. */
export const foreignKeysBetween: readonly { table: string; constraint: string }[] = [
  { table: 'kyc_events', constraint: 'kyc_events_venture_id_client_id_fkey' },
]
