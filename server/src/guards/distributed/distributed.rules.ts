// What tables and statements must follow so that the database can be distributed by venture over several servers: the rows of a
// venture are then on one shard, and the coordinator sends each statement to the shards it concerns.

export const rules = {
  key: 'The primary key of a table begins with venture_id, by which its rows are distributed.',
  claim: 'The primary key of a table of claims is the claimed name alone.',
  unique: 'A unique index contains venture_id. A name that is unique across ventures is claimed in a table of its own.',
  reference: 'A foreign key between distributed tables contains venture_id on both sides, and none connects a shard with the coordinator.',
  default: 'Columns have constant defaults. Times, random values and transaction numbers differ between servers.',
  time: 'A statement that writes takes times and random values as parameters, and one that reads has none inside CASE or COALESCE.',
  lock: 'A statement that locks rows compares venture_id with parameters: one venture, or the keys of a batch as arrays.',
  venture: 'A statement says of which venture the rows of every distributed table are, and does not look through all ventures.',
}

export type Rule = keyof typeof rules
export type Finding = { rule: Rule; where: string }

/** Every server has a copy of this table, so every shard can join it. */
export const reference = 'ventures'

/** Tables of names that are unique across ventures, with the claimed columns. They stay on the coordinator. */
export const claims: Readonly<Record<string, string>> = {
  api_keys: 'key_hash',
  client_emails: 'email',
  transfer_references: 'unique_reference',
  inbound_claims: 'sender,kind,tx_id',
}

/** The other tables that stay on the coordinator, with the reason. Every table that is named nowhere here is distributed. */
export const coordinator: Readonly<Record<string, string>> = {
  migrations: 'Migrations concern the whole database.',
  event_era: 'One row says in which era the whole database is.',
  demo_run: 'One row says how far the demo bank of the whole sandbox is.',
  test_clock: 'One row says what time it is for the whole sandbox.',
  users: 'A person may belong to several ventures, and to the bank.',
  memberships: 'They belong to users, who are kept there.',
  sessions: 'They belong to users, who are kept there.',
  passkeys: 'They belong to users, who are kept there.',
  passkey_challenges: 'A challenge is signed before it is known who signs it.',
  links: 'A link is used by its secret alone, and it may create a user.',
  sign_in_failures: 'Failures are counted by email and address.',
  rates: 'The rates are those of the whole bank.',
  watchlists: 'The lists are those of the whole bank.',
  watchlist_versions: 'They belong to watchlists.',
  watchlist_entries: 'They belong to watchlists.',
  rail_packs: 'A pack contains payments of all ventures.',
  rail_messages: 'A message concerns payments of all ventures.',
  rail_payments: 'A pack contains payments of all ventures, and an answer names nothing but the transaction.',
  rail_applied: 'It belongs to rail_messages.',
  rail_cycles: 'The cycles are those of the whole bank.',
  reachable_banks: 'The banks are those of the whole bank.',
  recalls: 'An answer names nothing but the request.',
  nostros: 'The nostros are those of the whole bank.',
  nostro_rails: 'It belongs to nostros, which are those of the whole bank.',
  nostro_statements: 'A statement contains payments of all ventures.',
  nostro_entries: 'An entry may stand for payments of all ventures.',
  nostro_matches: 'It belongs to nostro_entries, which stand for payments of all ventures.',
  rail_received: 'A recall names nothing but the transaction.',
  requests: 'One statement writes requests of all ventures, also those of none, and the bank reads them over all ventures.',
  verification_runs: 'A verification concerns the whole database.',
  audit_log: 'The bank reads it over all ventures, and few transactions write it.',
  client_reads: 'It belongs to audit_log.',
  approvals: 'The bank reads them over all ventures, and there are few.',
  cases: 'The bank reads them over all ventures, and there are few.',
  seals: 'They chain the rows of all ventures.',
  jobs: 'Workers take jobs of all ventures from one queue, and few rows are in it at a time.',
  kyc_event_conflicts: 'It belongs to kyc_events.',
  kyc_events: 'An event arrives before its venture is known, and for some events it never is.',
  sandbox_applications: 'The sandbox stands in for an external verifier, which knows no ventures.',
  sandbox_orders: 'The sandbox stands in for an external gateway, which knows no ventures.',
  sandbox_refunds: 'The sandbox stands in for an external gateway, which knows no ventures.',
  sandbox_bank_files: 'The sandbox stands in for another bank, which knows no ventures.',
  sandbox_bank_payments: 'The sandbox stands in for another bank, which knows no ventures.',
  sandbox_bank_entries: 'The sandbox stands in for another bank, which knows no ventures.',
  sandbox_bank_statements: 'The sandbox stands in for another bank, which knows no ventures.',
  sandbox_bank_recalls: 'The sandbox stands in for another bank, which knows no ventures.',
}
