-- Statements count balances back from the current one: the sum of what was booked since then is read from the index alone.
drop index entries_by_account;
create index entries_by_account on entries (venture_id, account_id, id) include (amount) where account_id is not null;

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- Packs and messages (rails)

-- The last part of message ids.
create sequence rail_message_numbers as bigint maxvalue 999999999999;
grant usage on sequence rail_message_numbers to vostro_service;

-- Every message as it was sent or received. The bytes never change.
create table rail_messages (
  id uuid primary key,
  direction text not null check (direction in ('IN', 'OUT')),
  -- Null if the file could not be read so far.
  type text,
  message_id text,
  sender text,
  file text not null,
  -- OUT: the pack that the message is, or asks about.
  pack_id uuid,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  body bytea not null,
  -- OUT: SEALED, then DELIVERED. IN: RECEIVED, then APPLIED; or REFUSED whole.
  state text not null check (state in ('SEALED', 'DELIVERED', 'RECEIVED', 'APPLIED', 'REFUSED')),
  reason text,
  detail text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((direction = 'OUT') = (state in ('SEALED', 'DELIVERED'))),
  check ((state = 'REFUSED') = (reason is not null))
);
create unique index rail_messages_once on rail_messages (direction, sender, type, message_id) where state <> 'REFUSED';
create index rail_messages_open on rail_messages (direction, id) where state in ('SEALED', 'RECEIVED');
create index rail_messages_by_pack on rail_messages (pack_id) where pack_id is not null;
grant select, insert on rail_messages to vostro_service;
grant update (state, reason, detail, updated_at) on rail_messages to vostro_service;

-- Payments that leave the bank in one message. OPEN until it is sealed, then DELIVERED, and ACKNOWLEDGED once it was answered; UNKNOWN if no answer
-- came in time. REFUSED whole by the scheme; INVALID if its message broke a rule and was never made; NOT_SENT once two people have declared that its
-- payments are to be sent anew; DROPPED if none of its payments was left when it was to be sealed.
create table rail_packs (
  id uuid primary key,
  rail text not null,
  -- What the message contains.
  kind text not null check (kind in ('CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN')),
  message_id text not null unique,
  cycle text,
  settlement_date date not null,
  state text not null check (state in (
    'OPEN', 'SEALED', 'DELIVERED', 'ACKNOWLEDGED', 'REFUSED', 'UNKNOWN', 'INVALID', 'NOT_SENT', 'DROPPED')),
  reason text,
  count int not null default 0 check (count >= 0),
  total numeric not null default 0 check (total >= 0),
  currency text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  sequence int not null check (sequence > 0)
);
create index rail_packs_unfinished on rail_packs (id) where state in ('OPEN', 'SEALED', 'DELIVERED', 'UNKNOWN', 'NOT_SENT');
grant select, insert on rail_packs to vostro_service;
grant update (state, reason, count, total, updated_at, delivered_at, sequence) on rail_packs to vostro_service;

-- A payment on its way over a rail. `transfer_id`: the transfer, or the unapplied payment of the house that goes back.
-- The attempt rises only after the one before was REFUSED: the scheme refused its whole message, or two people declared it not sent. A payment
-- that left a pack before the pack was sealed is DROPPED, and may be collected again under the same attempt.
create table rail_payments (
  venture_id uuid not null,
  transfer_id uuid not null,
  attempt int not null check (attempt > 0),
  tx_id text not null,
  end_to_end_id text not null,
  rail text not null,
  kind text not null check (kind in ('CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN')),
  pack_id uuid,
  position int,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null,
  settlement_date date not null,
  -- Whether the transfer is walked into the pack. What goes back out of suspense has ended when it is collected.
  walks boolean not null,
  -- The transaction of the message as it was collected, without amount and currency: what is sealed depends on this row and its pack alone.
  content json not null,
  state text not null check (state in (
    'COLLECTED', 'PACKED', 'SENT', 'ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED', 'UNKNOWN', 'REFUSED', 'DROPPED')),
  reason text,
  settled_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venture_id, transfer_id, attempt),
  unique (tx_id, attempt)
);
create index rail_payments_by_pack on rail_payments (pack_id, position) where pack_id is not null;
create index rail_payments_unanswered on rail_payments (pack_id) where state = 'SENT';
create index rail_payments_waiting on rail_payments (rail, kind, updated_at, tx_id) where state = 'COLLECTED' and pack_id is null;
grant select, insert on rail_payments to vostro_service;
grant update (pack_id, position, settlement_date, content, state, reason, settled_on, updated_at) on rail_payments to vostro_service;

-- Which transactions of a received message have been applied, and as what.
create table rail_applied (
  message_id uuid not null references rail_messages (id),
  position int not null,
  outcome text not null,
  created_at timestamptz(3) not null,
  primary key (message_id, position)
);
grant select, insert on rail_applied to vostro_service;

-- When packs of a rail leave, in UTC. A rail without cycles sends what there is in every round.
create table rail_cycles (
  rail text not null,
  cut_off time not null,
  primary key (rail, cut_off)
);
grant select, insert, delete on rail_cycles to vostro_service;

-- Banks that a rail reaches, by the first eight characters of their BIC. A rail without rows reaches all.
create table reachable_banks (
  rail text not null,
  bic8 text not null check (bic8 ~ '^[A-Z0-9]{8}$'),
  primary key (rail, bic8)
);
grant select, insert, delete on reachable_banks to vostro_service;

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- Inbox and recalls (rails)

-- A refused file may be read again, and a transaction that became a case may be applied later.
grant update (type, message_id, sender) on rail_messages to vostro_service;
grant update (outcome) on rail_applied to vostro_service;

-- Payments that are answered within seconds, and have not been.
create index rail_payments_instant on rail_payments (updated_at) where rail = 'INST' and state = 'SENT';

-- Payments and direct debits of other banks, as their messages name them: what an answer, a return or a recall has to repeat. `id`: the transfer, or
-- the unapplied payment of the house.
create table rail_received (
  venture_id uuid not null,
  id uuid not null,
  rail text not null,
  message_type text not null,
  message_id text not null,
  -- The bank that sent it, as in inbound_claims.
  sender text not null,
  tx_id text not null,
  end_to_end_id text not null,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null,
  settlement_date date,
  -- The parties, as an original payment is described in an answer.
  original json not null,
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index rail_received_by_tx on rail_received (tx_id);
grant select, insert on rail_received to vostro_service;

-- Requests to give a payment back: ours (OUT) and those of other banks (IN).
create table recalls (
  venture_id uuid not null,
  id uuid not null,
  -- The transfer, or the unapplied payment of the house.
  transfer_id uuid not null,
  direction text not null check (direction in ('IN', 'OUT')),
  -- The id of the request in its camt.056.
  case_reference text not null,
  other_bic text not null,
  reason text not null,
  state text not null check (state in ('REQUESTED', 'ACCEPTED', 'REFUSED')),
  answer_reason text,
  due_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create unique index recalls_open on recalls (venture_id, transfer_id, direction) where state = 'REQUESTED';
create index recalls_by_transfer on recalls (venture_id, transfer_id);
grant select, insert on recalls to vostro_service;
grant update (state, answer_reason, updated_at) on recalls to vostro_service;

-- What another bank says about a payment that has ended otherwise is a break (its kinds are below, with those of nostros), which is booked here.
alter table entries drop constraint entries_system_account_check;
alter table entries add constraint entries_system_account_check
  check (system_account ~ '^(settlement:[A-Z_]+|suspense|fees|fx|adjustments|payable|receivable|breaks):[A-Z]{3}$');

-- RETURN_REFUSED: the scheme did not take a return, so the money is here again.
alter table unapplied_payments drop constraint unapplied_payments_reason_check;
alter table unapplied_payments add constraint unapplied_payments_reason_check
  check (reason in ('ACCOUNT_UNKNOWN', 'ACCOUNT_CLOSED', 'CURRENCY_MISMATCH', 'RETURN_REFUSED'));
-- The rail over which it was paid out. What was paid out before there were rails is booked on the rail by which it had come.
alter table unapplied_payments add column paid_out_over text check (paid_out_over is null or status = 'PAID_OUT');
grant update (paid_out_over) on unapplied_payments to vostro_service;

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- Nostros (reconciliation)

-- The bank's accounts at settlement banks. `prefunding`: what was there before the first statement.
create table nostros (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 140),
  account text not null unique check (account ~ '^[A-Z0-9]{1,34}$'),
  bic text not null check (bic ~ '^[A-Z0-9]{11}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  prefunding numeric not null check (abs(prefunding) < 1e15),
  actor text not null check (actor in ('operator', 'service')),
  actor_id uuid,
  created_at timestamptz(3) not null
);
grant select, insert on nostros to vostro_service;

-- Where each rail settles: one nostro for each currency.
create table nostro_rails (
  rail text not null,
  currency text not null,
  nostro_id uuid not null references nostros (id),
  primary key (rail, currency)
);
create index nostro_rails_by_nostro on nostro_rails (nostro_id);
grant select, insert on nostro_rails to vostro_service;

-- The statements that were applied, in their order. `sequence`: the number that the other bank gave it. `until`: the end of what it covers.
-- `ended_at`: when the end of its day was carried out.
create table nostro_statements (
  nostro_id uuid not null references nostros (id),
  number int not null check (number > 0),
  id uuid not null unique,
  statement_id text not null,
  sequence bigint not null check (sequence >= 0),
  opening numeric not null,
  closing numeric not null,
  opened_on date not null,
  closed_on date not null check (closed_on >= opened_on),
  until timestamptz(3) not null,
  entries int not null check (entries >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  message_id uuid not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (nostro_id, number)
);
grant select, insert on nostro_statements to vostro_service;
grant update (ended_at) on nostro_statements to vostro_service;

-- What the other bank booked. An entry that was only notified (camt.054) has no statement yet. `amount` is positive if it came in.
create table nostro_entries (
  id uuid primary key,
  nostro_id uuid not null,
  number int,
  position int not null,
  amount numeric not null check (amount <> 0),
  booked_on date not null,
  value_on date not null,
  servicer_reference text,
  message_id text,
  tx_id text,
  end_to_end_id text,
  counterparty_name text,
  counterparty_iban text,
  transaction_code text,
  information text,
  state text not null check (state in ('NOTIFIED', 'MATCHED', 'BREAK', 'RESOLVED')),
  matched_by text check (matched_by in ('PACK', 'REFERENCE', 'LIKENESS', 'HAND')),
  created_at timestamptz(3) not null,
  check ((number is null) = (state = 'NOTIFIED')),
  foreign key (nostro_id, number) references nostro_statements (nostro_id, number)
);
create unique index nostro_entries_by_statement on nostro_entries (nostro_id, number, position) where number is not null;
create unique index nostro_entries_notified on nostro_entries (nostro_id, servicer_reference, position) where number is null;
create index nostro_entries_by_reference on nostro_entries (nostro_id, servicer_reference) where servicer_reference is not null;
grant select, insert, delete on nostro_entries to vostro_service;
grant update (state, matched_by) on nostro_entries to vostro_service;

-- Which payments an entry stands for: the payment of a pack by transfer and attempt, or what was booked for a message that came in, with attempt 0.
-- A payment is on a statement once.
create table nostro_matches (
  venture_id uuid not null,
  id uuid not null,
  attempt int not null check (attempt >= 0),
  entry_id uuid not null references nostro_entries (id),
  amount numeric not null check (amount <> 0),
  created_at timestamptz(3) not null,
  primary key (venture_id, id, attempt)
);
create index nostro_matches_by_entry on nostro_matches (entry_id);
grant select, insert, delete on nostro_matches to vostro_service;
grant update (entry_id) on nostro_matches to vostro_service;

-- A statement names the transaction alone, without its sender. What has neither reference is found among the payments of a few days.
create index inbound_claims_by_tx on inbound_claims (tx_id);
create index inbound_claims_by_time on inbound_claims using brin (created_at);
create index rail_payments_by_time on rail_payments using brin (created_at);

-- What another bank says about a payment that has ended otherwise is a break. LATE_SETTLEMENT: it was settled although the client has the money
-- back. CONTRADICTED: it was rejected although it had been settled; nothing is booked until somebody knows where the money is.
-- Breaks of the reconciliation: the statement entry or the payment that they are about, and by how much the statement differs from the books.
-- `counter_id`: the break that cancels this one.
alter table breaks drop constraint breaks_status_check, drop constraint breaks_kind_check;
alter table breaks
  alter column account_venture_id drop not null,
  alter column account_id drop not null,
  alter column client_id drop not null,
  add column nostro_id uuid,
  add column entry_id uuid,
  add column row_venture_id uuid,
  add column row_id uuid,
  add column row_attempt int,
  add column pack_id uuid,
  add column difference numeric,
  add column counter_id uuid,
  add constraint breaks_status_check check (status in ('OPEN', 'WRITTEN_OFF', 'COLLECTED', 'MATCHED', 'OFFSET', 'FUNDED')),
  add constraint breaks_kind_check check (
    kind in ('FORCED_DEBIT', 'LATE_SETTLEMENT', 'CONTRADICTED', 'UNKNOWN', 'UNBOOKED', 'MISSING', 'OTHER_AMOUNT', 'DUPLICATE', 'LATE')),
  add constraint breaks_subject_check check (
    case when kind in ('UNKNOWN', 'UNBOOKED', 'MISSING', 'OTHER_AMOUNT', 'DUPLICATE', 'LATE')
      then num_nulls(nostro_id, difference, rail) = 0 and num_nulls(entry_id, row_id) <= 1 and (kind = 'MISSING') = (entry_id is null)
      else num_nulls(account_venture_id, account_id, client_id) = 0 and num_nonnulls(nostro_id, entry_id, difference) = 0 end),
  add constraint breaks_row_check check (num_nulls(row_venture_id, row_id, row_attempt) in (0, 3)),
  add constraint breaks_difference_check check (abs(difference) = amount),
  add constraint breaks_offset_check check ((status = 'OFFSET') = (counter_id is not null));
create index breaks_by_nostro on breaks (venture_id, nostro_id, status) where nostro_id is not null;
create index breaks_by_row on breaks (venture_id, row_venture_id, row_id) where row_id is not null;
grant update (counter_id) on breaks to vostro_service;

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- The simulated bank (sandbox)

-- Each transaction of the bank takes 100,000 numbers, for the ids of messages, the order of files, and entries.
create sequence sandbox_bank_numbers as bigint increment by 100000 maxvalue 999999900001;
grant usage on sequence sandbox_bank_numbers to vostro_service;

-- Files in both directions. The bank answers a message once it has it, so the file and what follows from it are written together.
create table sandbox_bank_files (
  direction text not null check (direction in ('TO_BANK', 'FROM_BANK')),
  name text not null,
  number bigint not null,
  sha256 text not null,
  body bytea not null,
  type text,
  -- Of a file to the bank: the id of the message. Of a file from the bank: the id of the message that it answers.
  message_id text,
  -- TO_BANK: RECEIVED; REPEATED if its message id had been there before; REFUSED if it is no valid message. FROM_BANK: WAITING, TAKEN, FAILED.
  state text not null check (state in ('RECEIVED', 'REPEATED', 'REFUSED', 'WAITING', 'TAKEN', 'FAILED')),
  detail text,
  created_at timestamptz(3) not null,
  primary key (direction, name),
  check ((direction = 'TO_BANK') = (state in ('RECEIVED', 'REPEATED', 'REFUSED')))
);
create unique index sandbox_bank_files_once on sandbox_bank_files (message_id) where state = 'RECEIVED';
create index sandbox_bank_files_waiting on sandbox_bank_files (number) where state = 'WAITING';
create index sandbox_bank_files_answers on sandbox_bank_files (message_id, number) where direction = 'FROM_BANK';
grant select, insert on sandbox_bank_files to vostro_service;
grant update (state) on sandbox_bank_files to vostro_service;

-- Every transaction of every message, in both directions. One that our bank sends in two messages is here twice.
create table sandbox_bank_payments (
  message_id text not null,
  position int not null,
  number bigint not null,
  message_count int not null,
  direction text not null check (direction in ('OUT', 'IN')),
  kind text not null check (kind in ('CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN')),
  rail text not null check (rail in ('SEPA', 'INST', 'SDD')),
  tx_id text not null,
  end_to_end_id text not null,
  original_tx_id text,
  amount numeric not null check (amount > 0),
  currency text not null,
  effect numeric not null check (abs(effect) = amount),
  debtor text,
  debtor_iban text,
  creditor text,
  creditor_iban text,
  remittance text,
  due_on date,
  state text not null check (state in ('WAITING', 'SETTLED', 'REJECTED', 'RETURNED', 'REFUSED')),
  reason text,
  settled_on date,
  next text check (next in ('SETTLE', 'RETURN', 'ANSWER')),
  next_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (message_id, position),
  check ((next is null) = (next_at is null))
);
create index sandbox_bank_payments_by_tx on sandbox_bank_payments (tx_id);
create index sandbox_bank_payments_by_original on sandbox_bank_payments (original_tx_id) where original_tx_id is not null;
create index sandbox_bank_payments_next on sandbox_bank_payments (next_at) where next is not null;
create index sandbox_bank_payments_newest on sandbox_bank_payments (number, position);
grant select, insert on sandbox_bank_payments to vostro_service;
grant update (state, reason, settled_on, next, next_at) on sandbox_bank_payments to vostro_service;

-- The lines of the account that our bank has with the simulated one, as its statements show them.
create table sandbox_bank_entries (
  number bigint primary key,
  booked_on date not null,
  amount numeric not null,
  currency text not null,
  family text not null,
  subfamily text not null,
  message_id text not null,
  count int,
  tx_id text,
  end_to_end_id text,
  debtor text,
  debtor_iban text,
  creditor text,
  creditor_iban text,
  remittance text,
  reason text,
  -- The statement that shows it.
  statement int
);
create index sandbox_bank_entries_unstated on sandbox_bank_entries (number) where statement is null;
grant select, insert on sandbox_bank_entries to vostro_service;
grant update (statement) on sandbox_bank_entries to vostro_service;

create table sandbox_bank_statements (
  sequence int primary key,
  date date not null,
  opening numeric not null,
  closing numeric not null,
  entry_count int not null,
  file text not null,
  created_at timestamptz(3) not null
);
grant select, insert on sandbox_bank_statements to vostro_service;

-- Requests to give a payment back, by the direction of the payment.
create table sandbox_bank_recalls (
  cancellation_id text primary key,
  direction text not null check (direction in ('OUT', 'IN')),
  tx_id text not null,
  reason text not null,
  state text not null check (state in ('REQUESTED', 'ACCEPTED', 'REFUSED')),
  created_at timestamptz(3) not null
);
create index sandbox_bank_recalls_by_tx on sandbox_bank_recalls (tx_id);
grant select, insert on sandbox_bank_recalls to vostro_service;
grant update (state) on sandbox_bank_recalls to vostro_service;

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- Mandates (mandates) and the test clock (platform)

-- What debtors have agreed to. Whether a mandate has expired depends on the day and is not stored.
create table mandates (
  venture_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  reference text not null check (char_length(reference) between 1 and 35),
  creditor_id text not null,
  scheme text not null check (scheme in ('CORE', 'B2B')),
  sequence_type text not null check (sequence_type in ('RCUR', 'OOFF')),
  debtor_name text not null,
  debtor_iban text not null,
  signed_on date not null,
  last_used_on date,
  cancelled boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null check (sequence > 0),
  primary key (venture_id, id),
  unique (venture_id, creditor_id, reference),
  foreign key (venture_id, account_id) references accounts (venture_id, id)
);
create index mandates_by_account on mandates (venture_id, account_id, id);
grant select, insert on mandates to vostro_service;
grant update (last_used_on, cancelled, updated_at, sequence) on mandates to vostro_service;

-- The mandate that a collection names.
alter table transfers add column mandate_id uuid, add foreign key (venture_id, mandate_id) references mandates (venture_id, id);
create index transfers_by_mandate on transfers (venture_id, mandate_id) where mandate_id is not null;

-- How far the clock of the service is ahead of the real time. Only the sandbox moves it.
create table test_clock (
  one boolean primary key default true check (one),
  ahead_s int not null check (ahead_s >= 0)
);
insert into test_clock (ahead_s) values (0);
grant select on test_clock to vostro_service;
grant update (ahead_s) on test_clock to vostro_service;

-- The time of the bank, for statements about tables that stay on the coordinator.
create function bank_now() returns timestamptz language sql stable
  return now() + (select ahead_s from test_clock) * interval '1 second';

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- What is on its way (processing)

-- Payments that were sent before there were rails are in no message, so no message will answer them. Each is settled by the exchange that has it.
insert into jobs (id, kind, venture_id, payload, created_at, due_at)
select id, 'settle-sent-earlier', venture_id, json_build_object('venture_id', venture_id, 'id', id), updated_at, updated_at from transfers
where managed and sent and not on_us and method in ('SEPA', 'INST', 'SDD') and status in ('SENT_TO_CLEAR', 'ACCEPTED', 'TO_CANCEL');
