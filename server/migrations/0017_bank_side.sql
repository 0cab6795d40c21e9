-- Moves name who made them: besides a venture's key and the service, people of the venture and of the bank, and rails. `actor_id` is the key or
-- the person. Moves so far do not say which key it was.
alter table transfer_moves drop constraint transfer_moves_actor_check;
alter table transfer_moves add constraint transfer_moves_actor_check
  check (actor in ('venture', 'user', 'operator', 'service', 'connector'));
alter table transfer_moves add column actor_id uuid;

-- Several keys per venture, each with its own scopes, expiry and last use. The hash of a key is unique across ventures, so it is the primary key.
-- Keys stay after they were revoked: moves and events name them.
create table api_keys (
  key_hash text primary key check (key_hash ~ '^[0-9a-f]{64}$'),
  venture_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 140),
  prefix text not null check (char_length(prefix) = 12),
  scopes text[] not null check (
    cardinality(scopes) > 0 and scopes <@ array['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read']),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (venture_id, id)
);

create index api_keys_in_use on api_keys (venture_id, id) where revoked_at is null;

-- The key that each venture has is its first one, with all scopes. An id of version 7 has the time of its creation in front.
insert into api_keys (key_hash, venture_id, id, name, prefix, scopes, created_at)
select api_key_hash, id,
  overlay(gen_random_uuid()::text placing
    overlay(lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' placing '-' from 9 for 0) from 1 for 15)::uuid,
  'First key', api_key_prefix, array['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'], created_at
from ventures;

alter table ventures drop column api_key_hash, drop column api_key_prefix;

grant select, insert on api_keys to vostro_service;
grant update (name, revoked_at, last_used_at) on api_keys to vostro_service;

-- People. The password is an argon2id hash with its own parameters. A person without one has not set it yet.
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email) and char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 140),
  password_hash text not null check (password_hash like '$argon2id$%'),
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Counts the changes of the password, of the status and of the role at the bank.
  sequence int not null default 1
);

grant select, insert on users to vostro_service;
grant update (name, password_hash, status, updated_at, sequence) on users to vostro_service;

-- What a person may do in a venture, or at the bank, which has the nil UUID.
create table memberships (
  user_id uuid not null references users,
  venture_id uuid not null,
  role text not null,
  created_at timestamptz(3) not null,
  primary key (user_id, venture_id),
  check (case when venture_id = '00000000-0000-0000-0000-000000000000' then role in ('admin', 'operator', 'auditor')
    else role in ('admin', 'operator', 'viewer') end)
);

create index memberships_by_venture on memberships (venture_id, user_id);

grant select, insert, delete on memberships to vostro_service;
grant update (role) on memberships to vostro_service;

-- Signed-in browsers. Only the hash of a token is stored. `authenticated_at` is the last time that the person proved who they are, and `by_passkey`
-- says whether that, or the sign-in, was with a passkey.
create table sessions (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  id uuid not null unique,
  user_id uuid not null references users,
  by_passkey boolean not null,
  created_at timestamptz(3) not null,
  authenticated_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

grant select, insert, delete on sessions to vostro_service;
grant update (token_hash, by_passkey, authenticated_at, last_seen_at) on sessions to vostro_service;

-- Links that let somebody become a user, join a venture or the bank, or choose another password. Only the hash of the secret is stored. Used links
-- are kept: they say who let in whom.
create table links (
  id uuid primary key,
  secret_hash text not null unique check (secret_hash ~ '^[0-9a-f]{64}$'),
  kind text not null check (kind in ('SET_UP', 'INVITATION', 'RESET')),
  -- Where an invitation leads: a venture, or the bank.
  venture_id uuid,
  role text,
  email text check (email = lower(email)),
  -- Who may choose another password, or who was let in.
  user_id uuid references users,
  made_by text not null check (made_by in ('venture', 'user', 'operator', 'service')),
  made_by_id uuid,
  -- The second person who answers for the link. Such a link works only with the code of the first one, which is part of the hash.
  checker_id uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3),
  check ((kind = 'INVITATION') = (venture_id is not null and role is not null and email is not null)),
  check (kind <> 'RESET' or user_id is not null)
);

create index links_by_user on links (user_id) where user_id is not null;
create index links_by_venture on links (venture_id, id) where kind = 'INVITATION';

grant select, insert on links to vostro_service;
grant update (user_id, used_at, revoked_at) on links to vostro_service;

-- Failed sign-ins, to slow down whoever guesses. Addresses and emails are hashed: they are only compared.
create table sign_in_failures (
  id uuid primary key,
  email_hash text,
  address_hash text not null,
  failed_at timestamptz(3) not null
);

create index sign_in_failures_by_email on sign_in_failures (email_hash, failed_at) where email_hash is not null;
create index sign_in_failures_by_address on sign_in_failures (address_hash, failed_at);
create index sign_in_failures_by_age on sign_in_failures (failed_at);

grant select, insert, delete on sign_in_failures to vostro_service;

-- WebAuthn credentials.
create table passkeys (
  credential_id text primary key check (char_length(credential_id) <= 1400),
  id uuid not null unique,
  user_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 140),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_by_user on passkeys (user_id);

grant select, insert, delete on passkeys to vostro_service;
grant update (name, counter, last_used_at) on passkeys to vostro_service;

-- Challenges that a passkey has to sign, each once.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose text not null check (purpose in ('SIGN_IN', 'REGISTER')),
  user_id uuid references users,
  expires_at timestamptz(3) not null
);

create index passkey_challenges_by_end on passkey_challenges (expires_at);

grant select, insert, delete on passkey_challenges to vostro_service;

-- Events name who caused them. Events so far do not say it.
alter table events add column actor text check (actor in ('venture', 'user', 'operator', 'service', 'connector'));
alter table events add column actor_id uuid;

-- Who processes a venture's transfers: the venture itself (OPEN), or the bank (MANAGED). Ventures so far are OPEN.
alter table ventures add column control text not null default 'OPEN' check (control in ('OPEN', 'MANAGED'));
grant update (control) on ventures to vostro_service;

-- Accounts and transfers copy what their venture is. Every new transfer locks its account, so whoever changes `control` locks the accounts,
-- changes them too, and no transfer under way can be of the other kind.
alter table accounts add column managed boolean not null default false;
-- What the bank froze, only the bank activates again, also for the first time.
alter table accounts add column frozen_by_bank boolean not null default false
  check (not frozen_by_bank or status in ('PENDING', 'SUSPENDED', 'CLOSED'));
grant update (managed, frozen_by_bank) on accounts to vostro_service;

-- What the bank blocked or blacklisted, only the bank frees again.
alter table clients add column blocked_by_bank boolean not null default false check (blocked or not blocked_by_bank);
alter table clients add column blacklisted_by_bank boolean not null default false check (is_blacklisted or not blacklisted_by_bank);
grant update (blocked_by_bank, blacklisted_by_bank) on clients to vostro_service;

-- Whether the bank's side ordered the transfer, whether it put it ON_HOLD, and until when the bank's exchange rate holds.
alter table transfers add column managed boolean not null default false;
alter table transfers add column ordered_by_bank boolean not null default false;
alter table transfers add column on_hold_by_bank boolean not null default false;
alter table transfers add column rate_until timestamptz(3);
grant update (on_hold_by_bank) on transfers to vostro_service;

-- Card authorisations that the service may have to cancel.
create index transfers_open_authorisations on transfers (venture_id, id)
  where managed and transfer_type = 'CARD_AUTH'
    and status not in ('COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED');

-- The bank's exchange rates. Rows are added and never changed: of those that are valid at a moment, the one that was added last counts.
create table rates (
  id uuid primary key,
  from_currency text not null check (from_currency ~ '^[A-Z]{3}$'),
  to_currency text not null check (to_currency ~ '^[A-Z]{3}$' and to_currency <> from_currency),
  rate numeric not null check (rate > 0 and rate < 1e15),
  margin numeric not null check (margin >= 0 and margin < 1),
  valid_from timestamptz(3) not null,
  valid_until timestamptz(3) check (valid_until > valid_from),
  actor text not null check (actor in ('venture', 'user', 'operator', 'service', 'connector')),
  actor_id uuid,
  created_at timestamptz(3) not null
);
create index rates_by_pair on rates (from_currency, to_currency, created_at, id);
create trigger rates_are_kept before update or delete or truncate on rates for each statement execute function refuse_change();
grant select, insert on rates to vostro_service;

-- What the bank has agreed with a venture. Each change is a new version; the last one counts.
create table policies (
  venture_id uuid not null references ventures (id),
  version int not null check (version > 0),
  -- The bank's share of card money that it pays out, and the days that it waits before.
  card_fee numeric not null check (card_fee >= 0 and card_fee < 1),
  payout_delay_days int not null check (payout_delay_days between 0 and 365),
  -- How long an exchange rate holds for an order.
  rate_hold_s int not null check (rate_hold_s between 1 and 86400),
  actor text not null check (actor in ('venture', 'user', 'operator', 'service', 'connector')),
  actor_id uuid,
  created_at timestamptz(3) not null,
  primary key (venture_id, version)
);
create trigger policies_are_kept before update or delete or truncate on policies for each statement execute function refuse_change();
grant select, insert on policies to vostro_service;

-- Card money in the books: what the gateway took for a venture is payable to it, until it is paid out to an account of the venture.

-- The lists contain the kinds and accounts that other migrations of this time add, so that the order of these migrations does not matter.
alter table entries drop constraint entries_cause_kind_check;
alter table entries add constraint entries_cause_kind_check check (cause_kind in ('transfer', 'payment', 'payout', 'unapplied', 'break'));
alter table entries drop constraint entries_system_account_check;
alter table entries add constraint entries_system_account_check
  check (system_account ~ '^(settlement:[A-Z_]+|suspense|fees|fx|adjustments|payable|receivable):[A-Z]{3}$');

-- Payouts and refunds sum up what is payable to one venture. The index has all that they read.
create index entries_of_payable on entries (venture_id, currency) include (amount) where system_account like 'payable:%';

-- Books the payments that exist. The ids are UUIDv7 like all others: they begin with the time.
with booked as materialized (
  select venture_id, id, currency, case when status in ('PAID', 'REFUNDED') then amount else 0 end - refunded_amount as amount,
    lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' as prefix,
    replace(gen_random_uuid()::text, '-', '') as random
  from payments
)
insert into entries (venture_id, id, journal_id, cause_kind, cause_id, system_account, currency, amount, created_at)
select venture_id, (prefix || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, (prefix || substr(random, 14))::uuid, 'payment', id,
  side.account || ':' || currency, currency, side.sign * amount, now()
from booked cross join (values ('settlement:CARD', -1), ('payable', 1)) as side (account, sign)
where amount <> 0;

-- A venture that has named a payout account keeps its row, also when it names none any more. Payouts and refunds of the venture lock it.
-- `next_run_on`: the day of the next daily payout.
create table payout_settings (
  venture_id uuid not null,
  payout_account_id uuid,
  next_run_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venture_id),
  foreign key (venture_id, payout_account_id) references accounts (venture_id, id)
);

-- Card money that was paid out, by a transfer that the service records. The account got the amount without the fee. What was taken back from the
-- account, because a payment was refunded or cancelled after its money had been paid out, has an amount below zero and names the payment.
-- `run_on`: the day of the daily run that made the payout.
create table payouts (
  venture_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  transfer_id uuid not null,
  payment_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount numeric not null check (abs(amount) < 1e15),
  fee_amount numeric not null,
  description text check (char_length(description) between 1 and 140),
  run_on date,
  created_at timestamptz(3) not null,
  sequence int not null check (sequence > 0),
  primary key (venture_id, id),
  unique (venture_id, transfer_id),
  foreign key (venture_id, account_id) references accounts (venture_id, id),
  foreign key (venture_id, transfer_id) references transfers (venture_id, id),
  foreign key (venture_id, payment_id) references payments (venture_id, id),
  check (case when payment_id is null then fee_amount >= 0 and fee_amount < amount else fee_amount = 0 and amount < 0 end)
);

-- A daily run pays out once, however often it is tried.
create unique index payouts_by_day on payouts (venture_id, run_on) where run_on is not null;
create trigger payouts_are_kept before update or delete or truncate on payouts for each statement execute function refuse_change();

-- Money that is about to leave, and money that is too young to be paid out.
create index payment_refunds_pending on payment_refunds (venture_id) where status = 'PENDING';
create index payments_being_reversed on payments (venture_id) where cancel_requested and status = 'PAID';
create index payments_by_time_paid on payments (venture_id, paid_at) where status in ('PAID', 'REFUNDED');

grant select, insert on payouts to vostro_service;
grant select, insert on payout_settings to vostro_service;
grant update (payout_account_id, next_run_on, updated_at) on payout_settings to vostro_service;

-- Whose idempotency key it is: a person's, the venture's for its API keys, or the bank's for the admin key.
alter table idempotency_keys add column owner_id uuid;
update idempotency_keys set owner_id = venture_id;
alter table idempotency_keys alter column owner_id set not null;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add primary key (venture_id, owner_id, operation, key);

-- What `npm run verify` found, each time it was run, for the operator.
create table verification_runs (
  id uuid primary key,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  invariants int not null check (invariants > 0),
  -- The names of the invariants that were broken.
  broken text[] not null,
  -- The last seal at that time. A later run that does not find it names it.
  seal_number bigint,
  seal_root text
);

grant select, insert on verification_runs to vostro_service;

-- Who changed what: one row for each audited request, written in the transaction of the change. `fields` has the names of the fields that the
-- request sent, never their values. The zero id stands for the bank.
create table audit_log (
  venture_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  actor text not null check (actor in ('venture', 'user', 'operator', 'service', 'connector')),
  actor_id uuid,
  action text not null check (char_length(action) between 1 and 100),
  -- The name of a refund is not a uuid.
  resource text check (char_length(resource) between 1 and 255),
  request_id text not null check (char_length(request_id) between 1 and 128),
  address text not null,
  fields text[] not null,
  era int not null,
  xid xid8 not null,
  primary key (venture_id, id)
);

create index audit_log_by_id on audit_log (id);
create index audit_log_by_resource on audit_log (resource, id);
create index audit_log_in_order on audit_log (era, xid);
create trigger audit_log_is_kept before update or delete or truncate on audit_log for each statement execute function refuse_change();

-- Which clients a person of the bank has read today, so that the audit log gets one row for each person, client and day. The admin key has the
-- zero id.
create table client_reads (
  venture_id uuid not null,
  client_id uuid not null,
  reader_id uuid not null,
  day date not null,
  primary key (venture_id, client_id, reader_id, day)
);

create index client_reads_by_day on client_reads (day);

grant select, insert on audit_log to vostro_service;
grant select, insert, delete on client_reads to vostro_service;

-- The number of the transaction that wrote a row puts the rows that are sealed in an order which no late commit and no clock can disturb:
-- below the oldest running transaction nothing is added any more. Rows so far get the number of this migration as a constant default, without
-- being rewritten. A row that does not say its number counts as written before, so once those are sealed it is found as inserted.
do $$
declare
  current_era int := (select era from event_era);
  sealed text;
begin
  foreach sealed in array array['entries', 'transfer_moves'] loop
    execute format('alter table %I add column era int not null default %s, add column xid xid8 not null default %L',
      sealed, current_era, pg_current_xact_id());
    execute format('create index %I on %I (era, xid)', sealed || '_in_order', sealed);
  end loop;
end $$;
create index events_in_order on events (era, xid);

-- Seals: each covers the rows that followed the seal before it, and its root depends on all of them and on the root before. `ranges` says for
-- each table how many rows it covers and up to which place in the order (era, xid, venture_id, id). `list` has the ids of the rows and the first
-- 8 bytes of each row's hash, compressed, so that a row that was changed, removed or inserted can be named.
create table seals (
  number bigint primary key check (number >= 0),
  at timestamptz(3) not null,
  rows int not null check (rows >= 0),
  ranges json not null,
  root text not null unique check (root ~ '^[0-9a-f]{64}$'),
  previous_root text not null unique check (previous_root ~ '^[0-9a-f]{64}$'),
  list bytea not null
);

create trigger seals_are_kept before update or delete or truncate on seals for each statement execute function refuse_change();

-- The first seal covers no rows. Rows that existed before have the number of this transaction, and are sealed by their ids.
insert into seals (number, at, rows, ranges, root, previous_root, list)
select 0, at, 0, ranges::json,
  encode(sha256(convert_to(concat_ws(E'\n', none, 0, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0, ranges, ''), 'UTF8')), 'hex'),
  none, ''
from (
  select repeat('0', 64) as none, now()::timestamptz(3) as at, format(
    '{"entries":%1$s,"transfer_moves":%1$s,"events":%2$s,"audit_log":%2$s}',
    format('{"rows":0,"era":%s,"xid":"%s",%s}', era, pg_current_xact_id(), ids), format('{"rows":0,"era":0,"xid":"0",%s}', ids)) as ranges
  from event_era, (select format('"venture_id":"%1$s","id":"%1$s"', '00000000-0000-0000-0000-000000000000') as ids) as zero) as first;

grant select, insert on seals to vostro_service;

-- What needs two people: the maker asks, the checker decides. Decision and effect are one transaction. A resource has at most one open request,
-- whatever the action, so that two requests which were each harmless cannot be combined.
create table approvals (
  venture_id uuid not null,
  id uuid not null,
  action text not null check (char_length(action) between 1 and 100),
  resource_id uuid not null,
  payload json not null,
  payload_hash text not null check (payload_hash ~ '^[0-9a-f]{64}$'),
  -- The sequence of the resource when the maker asked: if it has changed, the checker would decide about something else.
  sequence int not null,
  maker_id uuid not null,
  checker_id uuid,
  state text not null check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'FAILED', 'EXPIRED')),
  reason text check (char_length(reason) <= 1000),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  primary key (venture_id, id),
  check (maker_id <> checker_id),
  check ((checker_id is not null) = (state in ('APPROVED', 'REJECTED', 'FAILED'))),
  check ((decided_at is not null) = (state not in ('PENDING', 'EXPIRED')))
);

create unique index approvals_by_id on approvals (id);
create unique index approvals_pending on approvals (venture_id, resource_id) where state = 'PENDING';
create index approvals_pending_by_maker on approvals (maker_id) where state = 'PENDING';

grant select, insert on approvals to vostro_service;
grant update (state, checker_id, reason, decided_at) on approvals to vostro_service;

-- The work queue of the bank: what waits for a person's decision. A resource has at most one open case of a kind.
create table cases (
  venture_id uuid not null,
  id uuid not null,
  kind text not null check (char_length(kind) between 1 and 100),
  resource_id uuid not null,
  payload json not null,
  state text not null check (state in ('OPEN', 'DECIDED')),
  assignee_id uuid,
  decision text check (char_length(decision) between 1 and 100),
  comment text check (char_length(comment) <= 255),
  -- Null if the admin key decided.
  decided_by uuid,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null,
  primary key (venture_id, id),
  check ((state = 'DECIDED') = (decision is not null)),
  check ((state = 'DECIDED') = (decided_at is not null))
);

create unique index cases_by_id on cases (id);
create unique index cases_open on cases (venture_id, resource_id, kind) where state = 'OPEN';

grant select, insert on cases to vostro_service;
grant update (state, assignee_id, decision, comment, decided_by, decided_at, updated_at, sequence) on cases to vostro_service;

-- What the scheme has already done cannot be refused. A forced debit of the bank's side may take an account below zero: `debt` is then what is
-- missing, and the check says exactly that. The service records the debt itself, so a command that is not forced and takes too much fails here.
alter table accounts add column debt numeric not null default 0;
alter table accounts drop constraint accounts_check;
alter table accounts add constraint accounts_check check (debt = greatest(0, reserved_balance - current_balance));
create index accounts_in_debt on accounts (venture_id, id) where debt > 0;
grant update (debt) on accounts to vostro_service;

-- Which transfers book what has already happened, so that no block of the client stops them.
alter table transfers add column exempt boolean not null default false,
  add constraint transfers_exempt_check check (not exempt or managed);

-- What each move made of the debt of the transfer's account. It grows in forced commands only, and a venture's key can never force. The sum of
-- the changes is the debt, which `npm run verify` compares.
alter table transfer_moves add column forced boolean not null default false,
  add column debt_change numeric not null default 0,
  add constraint transfer_moves_forced_check check (not forced or actor in ('operator', 'connector', 'service')),
  add constraint transfer_moves_debt_check check (forced or debt_change <= 0);

-- The bank's own books hold what belongs to nobody yet. The house has no key, no accounts and no transfers.
insert into ventures (id, name, status, control, created_at)
values ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'House', 'ACTIVE', 'OPEN', now());

-- Every door by which the scheme reports something claims its message, so that it is booked once, whichever door it comes through. `id` is what
-- was booked for it.
create table inbound_claims (
  sender text not null check (sender ~ '^[A-Z0-9]{11}$'),
  kind text not null check (char_length(kind) between 1 and 35),
  tx_id text not null check (char_length(tx_id) between 1 and 128 and tx_id = btrim(tx_id)),
  id uuid not null,
  venture_id uuid not null,
  booked_as text not null check (booked_as in ('transfer', 'unapplied', 'break', 'collection')),
  created_at timestamptz(3) not null,
  primary key (sender, kind, tx_id)
);
create index inbound_claims_by_id on inbound_claims (id);

-- Money that has arrived and that no account can take. It is in the suspense account of the house until somebody decides.
create table unapplied_payments (
  venture_id uuid not null check (venture_id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
  id uuid not null,
  status text not null check (status in ('OPEN', 'APPLIED', 'RETURNING', 'PAID_OUT')),
  reason text not null check (reason in ('ACCOUNT_UNKNOWN', 'ACCOUNT_CLOSED', 'CURRENCY_MISMATCH')),
  rail text not null,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  iban text not null,
  purpose text,
  dr_name text,
  dr_iban text,
  dr_bank_bic text,
  dr_address text,
  dr_city text,
  dr_country_code text,
  dr_postal_code text,
  -- The client whose money it certainly is: that of the closed account to which a payment came back, and that payment.
  client_venture_id uuid,
  client_id uuid,
  parent_transaction_id uuid,
  -- What was decided: the transfer that credits the money, or where it was paid out to.
  applied_venture_id uuid,
  transfer_id uuid,
  payout_name text,
  payout_iban text,
  actor text check (actor in ('operator', 'connector', 'service')),
  actor_id uuid,
  created_at timestamptz(3) not null,
  decided_at timestamptz(3),
  primary key (venture_id, id),
  check ((client_id is null) = (client_venture_id is null) and (client_id is null) = (parent_transaction_id is null)),
  check ((status = 'OPEN') = (decided_at is null) and (status = 'OPEN') = (actor is null)),
  check ((status = 'APPLIED') = (transfer_id is not null) and (status = 'APPLIED') = (applied_venture_id is not null)),
  check ((status = 'PAID_OUT') = (payout_iban is not null) and (status = 'PAID_OUT') = (payout_name is not null))
);
create index unapplied_payments_by_status on unapplied_payments (venture_id, status, id);

-- What does not add up and waits for a decision: a debit that the scheme has carried out on a closed account is a claim of the house.
create table breaks (
  venture_id uuid not null check (venture_id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
  id uuid not null,
  status text not null check (status in ('OPEN', 'WRITTEN_OFF', 'COLLECTED')),
  kind text not null check (kind in ('FORCED_DEBIT')),
  -- The rail over which the scheme took the money; none for a booking of the bank's own.
  rail text,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  account_venture_id uuid not null,
  account_id uuid not null,
  client_id uuid not null,
  explanation text,
  -- What was decided: the transfer that collects the money from another account of the client, or the rail over which it came.
  transfer_id uuid,
  collected_over text,
  -- The claim on the message of what came over the rail.
  collection_id uuid,
  actor text check (actor in ('operator', 'connector', 'service')),
  actor_id uuid,
  created_at timestamptz(3) not null,
  decided_at timestamptz(3),
  primary key (venture_id, id),
  check ((status = 'OPEN') = (decided_at is null) and (status = 'OPEN') = (actor is null)),
  check ((status = 'COLLECTED') = (transfer_id is not null or collected_over is not null)),
  check ((collected_over is null) = (collection_id is null))
);
create index breaks_by_status on breaks (venture_id, status, id);

grant select, insert on inbound_claims, unapplied_payments, breaks to vostro_service;
grant update (status, applied_venture_id, transfer_id, payout_name, payout_iban, actor, actor_id, decided_at) on unapplied_payments
  to vostro_service;
grant update (status, transfer_id, collected_over, collection_id, actor, actor_id, decided_at) on breaks to vostro_service;
