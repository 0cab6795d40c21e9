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
  -- When the version was activated last.
  activated_at timestamptz(3),
  unique (watchlist_id, sha256),
  unique (watchlist_id, id)
);
alter table watchlists add foreign key (id, active_version_id) references watchlist_versions (watchlist_id, id);
grant select, insert on watchlist_versions to vostro_service;
grant update (activated_at) on watchlist_versions to vostro_service;

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
create trigger watchlist_entries_are_kept before update or delete or truncate on watchlist_entries
  for each statement execute function refuse_change();
grant select, insert on watchlist_entries to vostro_service;

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

-- Payments that a new version of a list may still stop.
create index transfers_unfinished on transfers (venture_id, id)
  where managed and status not in ('COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED');
