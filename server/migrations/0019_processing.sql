-- Transfers that run by themselves: what the bank has agreed with a venture about them.
alter table policies
  -- Above this debit amount an order needs a signature, and a person at the bank looks at it; null means never.
  add column sign_above numeric check (sign_above >= 0),
  add column review_above numeric check (review_above >= 0),
  add column signer text not null default 'any' check (signer in ('any', 'other', 'user')),
  -- From this score on, a party that resembles an entry of a list is looked at, and from the other one on it should be frozen.
  add column screen_threshold numeric not null default 0.85 check (screen_threshold between 0.5 and 1),
  add column block_threshold numeric not null default 0.97 check (block_threshold between 0.5 and 1),
  -- The lists against which the parties are screened; null means all that are active.
  add column lists text[] check (cardinality(lists) > 0),
  add column screen_peps boolean not null default false,
  add column payee_check text not null default 'off' check (payee_check in ('off', 'warn', 'require')),
  -- How many hours an order waits for money.
  add column funds_wait_h int not null default 24 check (funds_wait_h between 0 and 720),
  add column instant_timeout text not null default 'hold' check (instant_timeout in ('hold', 'restore')),
  add column rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array'),
  add constraint policies_thresholds_in_order check (screen_threshold <= block_threshold);

-- When a transfer that waits is to be planned again, as long as it has this sequence. Most transfers never have a row here: their status is
-- the queue.
create table processing_delays (
  venture_id uuid not null references ventures (id),
  transfer_id uuid not null,
  sequence int not null,
  until timestamptz(3) not null,
  primary key (venture_id, transfer_id)
);
create index processing_delays_by_time on processing_delays (venture_id, until);
grant select, insert, update, delete on processing_delays to vostro_service;

-- The queue of the processing, and the payments that a new version of a watch list may still stop.
create index transfers_unfinished on transfers (venture_id, id)
  where managed and status not in ('COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED');

-- Watch lists of persons, organisations, vessels and aircraft under sanctions, and what the comparison with them came to.

-- `purpose`: a list of politically exposed persons counts only for ventures whose policy says so. `active_version_id`: the version that is compared
-- with; null until one was activated.
create table watchlists (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  format text not null check (format in ('OFAC', 'UN', 'EU', 'UK', 'OPENSANCTIONS')),
  purpose text not null check (purpose in ('SANCTIONS', 'PEPS')),
  active_version_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Counts the activations.
  sequence int not null check (sequence > 0)
);
grant select, insert on watchlists to vostro_service;
grant update (active_version_id, updated_at, sequence) on watchlists to vostro_service;

-- A list as it was published once. `sha256`: of the files, by which the same publication is recognised.
create table watchlist_versions (
  id uuid primary key,
  watchlist_id uuid not null references watchlists (id),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  entries int not null check (entries > 0),
  names int not null check (names >= entries),
  unknown_countries text[] not null,
  imported_at timestamptz(3) not null,
  imported_by text not null check (imported_by in ('venture', 'user', 'operator', 'service', 'connector')),
  imported_by_id uuid,
  -- When the version was activated last, and when another one replaced it.
  activated_at timestamptz(3),
  replaced_at timestamptz(3),
  -- When its entries were deleted, long after it was needed.
  deleted_at timestamptz(3),
  unique (watchlist_id, id)
);
create unique index watchlist_versions_by_sha256 on watchlist_versions (watchlist_id, sha256) where deleted_at is null;
-- Deferrable, so that rows of both tables can be copied into another database.
alter table watchlists add foreign key (id, active_version_id) references watchlist_versions (watchlist_id, id) deferrable;
grant select, insert on watchlist_versions to vostro_service;
grant update (activated_at, replaced_at, deleted_at) on watchlist_versions to vostro_service;

-- `hash`: of everything that is compared, so that a changed entry is recognised.
create table watchlist_entries (
  version_id uuid not null references watchlist_versions (id),
  entry_id text not null check (char_length(entry_id) between 1 and 255),
  kind text not null check (kind in ('person', 'organisation', 'vessel', 'aircraft', 'unknown')),
  topics text[] not null,
  names json not null,
  birth_dates text[] not null,
  countries text[] not null,
  identifiers text[] not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (version_id, entry_id)
);
create trigger watchlist_entries_are_kept before update or truncate on watchlist_entries for each statement execute function refuse_change();
create function refuse_to_delete_needed_entry() returns trigger language plpgsql as $$
begin
  if exists (select from watchlist_versions where id = old.version_id and deleted_at is null) then
    raise exception 'the entries of a version are kept until it is marked as deleted';
  end if;
  return old;
end $$;
create trigger watchlist_entries_are_kept_while_needed before delete on watchlist_entries
  for each row execute function refuse_to_delete_needed_entry();
grant select, insert, delete on watchlist_entries to vostro_service;

-- One comparison of a subject with the lists. `parties`: every name that was compared, and its best score. `versions`: of which lists, by the ids
-- of their versions. `cause`: why it was compared.
create table screenings (
  venture_id uuid not null references ventures (id),
  id uuid not null,
  subject_kind text not null check (subject_kind in ('transfer', 'client', 'beneficiary')),
  subject_id uuid not null,
  cause text not null check (cause in ('processing', 'created', 'changed', 'list', 'nightly')),
  parties json not null,
  versions uuid[] not null,
  algorithm text not null,
  policy_version int not null,
  screen_threshold double precision not null,
  block_threshold double precision not null,
  outcome text not null check (outcome in ('CLEAR', 'HIT', 'BLOCK')),
  best_score double precision check (best_score between 0 and 1),
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index screenings_by_subject on screenings (venture_id, subject_id, id);
create trigger screenings_are_kept before update or delete or truncate on screenings for each statement execute function refuse_change();
grant select, insert on screenings to vostro_service;

-- Entries that a party resembles. `reason`: the name of an entry, a name that could not be compared, or a country. Only a hit of the first
-- kind has an entry and an explanation. `party_hash`: of who the party is, of its name and of what else was compared, so that a cleared pair is
-- recognised. `state`: what a person has decided about it.
create table screening_hits (
  venture_id uuid not null,
  id uuid not null,
  screening_id uuid not null,
  party text not null,
  party_hash text not null check (party_hash ~ '^[0-9a-f]{64}$'),
  reason text not null check (reason in ('entry', 'unreadable', 'country')),
  watchlist_id uuid,
  version_id uuid,
  entry_id text,
  -- What has to change before the pair is raised again.
  entry_hash text not null check (entry_hash ~ '^[0-9a-f]{64}$'),
  score double precision check (score between 0 and 1),
  explanation json,
  state text not null check (state in ('OPEN', 'CLEARED', 'CONFIRMED')),
  decided_by uuid,
  decided_at timestamptz(3),
  primary key (venture_id, id),
  foreign key (venture_id, screening_id) references screenings (venture_id, id),
  check (num_nulls(watchlist_id, version_id, entry_id, score, explanation) = case reason when 'entry' then 0 else 5 end),
  check ((state = 'OPEN') = (decided_at is null))
);
create index screening_hits_by_screening on screening_hits (venture_id, screening_id, id);
grant select, insert on screening_hits to vostro_service;
grant update (state, decided_by, decided_at) on screening_hits to vostro_service;

-- Pairs of a party and an entry that people have cleared. The pair is raised again when the party or the entry changes, for then it has
-- another hash.
create table cleared_pairs (
  venture_id uuid not null references ventures (id),
  party_hash text not null,
  entry_hash text not null,
  hit_id uuid not null,
  cleared_by uuid,
  cleared_at timestamptz(3) not null,
  primary key (venture_id, party_hash, entry_hash),
  foreign key (venture_id, hit_id) references screening_hits (venture_id, id)
);
create trigger cleared_pairs_are_kept before update or delete or truncate on cleared_pairs
  for each statement execute function refuse_change();
grant select, insert on cleared_pairs to vostro_service;

-- How urgent a case is, and by when somebody should decide it.
alter table cases
  add column severity text not null default 'NORMAL' check (severity in ('NORMAL', 'URGENT')),
  add column due_at timestamptz(3);
update cases set due_at = created_at + interval '72 hours';
alter table cases alter column due_at set not null;
-- An open case can become urgent.
grant update (severity, due_at, payload) on cases to vostro_service;

-- What the rules of transaction monitoring look at, for accounts whose transfers the bank processes: how many payments an account has made or
-- received, and how much they come to, by the day on which they settle. Payments that ended without COMPLETED do not count. The rows are written in the
-- transaction of the transfers, under the lock of the account.
create table account_activity (
  venture_id uuid not null,
  account_id uuid not null,
  direction text not null check (direction in ('INBOUND', 'OUTBOUND')),
  day date not null,
  times int not null check (times >= 0),
  amount numeric not null check (amount >= 0),
  primary key (venture_id, account_id, direction, day),
  foreign key (venture_id, account_id) references accounts (venture_id, id)
);
grant select, insert, update on account_activity to vostro_service;

insert into account_activity (venture_id, account_id, direction, day, times, amount)
select venture_id, account_id, direction, settlement_date, count(*),
  sum(case direction when 'OUTBOUND' then debit_amount else credit_amount end)
from transfers
where managed and transfer_type = 'PAYMENT' and method <> 'CARD'
  and status not in ('CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED')
group by venture_id, account_id, direction, settlement_date;

-- Whom an account has paid before: an IBAN, or an account number with the code of its bank.
create table account_payees (
  venture_id uuid not null,
  account_id uuid not null,
  payee text not null,
  primary key (venture_id, account_id, payee),
  foreign key (venture_id, account_id) references accounts (venture_id, id)
);
grant select, insert on account_payees to vostro_service;

insert into account_payees (venture_id, account_id, payee)
select distinct venture_id, account_id, coalesce(cr_iban, cr_account_id || ' ' || coalesce(cr_bank_bic, ''))
from transfers
where managed and transfer_type = 'PAYMENT' and method <> 'CARD' and direction = 'OUTBOUND' and status = 'COMPLETED'
  and coalesce(cr_iban, cr_account_id) is not null;

-- Finds payments of an account that are about the same amount.
create index transfers_by_settlement on transfers (venture_id, account_id, settlement_date)
  where managed and transfer_type = 'PAYMENT';

-- Orders of ventures whose transfers the bank processes: signatures, verified payees, and payments that stay in the bank.
alter table transfers
  -- The key or the person that ordered it; null for the service, for rails and where the venture processes its transfers itself.
  add column ordered_by uuid,
  -- SHA-256 over what was signed.
  add column signed_hash text check (signed_hash ~ '^[0-9a-f]{64}$'),
  -- The verification of the payee that the order relied on.
  add column payee_verification_id uuid,
  -- Whether the other account is in this bank, too, so that the money does not leave it.
  add column on_us boolean not null default false,
  -- How often the bank has found something about it that its sequence does not count, because the venture must not learn of it.
  add column findings int not null default 0 check (findings >= 0);
grant update (signed_hash, findings) on transfers to vostro_service;

-- What waits for a signature already knows who ordered it.
update transfers transfer set ordered_by = move.actor_id
from transfer_moves move
where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id and move.from_status is null
  and transfer.managed and 'TO_SIGN' in (transfer.status, transfer.on_hold_from);

-- Answers to the question whether an account belongs to somebody. A transfer relies on one for a day.
create table payee_verifications (
  venture_id uuid not null references ventures (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 140),
  iban text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  result text not null check (result in ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  -- The name of the holder, which only a close match tells.
  matched_name text check ((matched_name is null) = (result <> 'CLOSE_MATCH')),
  -- Why it was not possible.
  reason text check ((reason is null) = (result <> 'NOT_POSSIBLE')),
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index payee_verifications_by_iban on payee_verifications (venture_id, iban, created_at desc);
grant select, insert, delete on payee_verifications to vostro_service;
