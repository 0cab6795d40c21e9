-- A verification can be started over the API: its row is there while it runs, says how far it is, and has what it found. Whoever runs it extends its
-- lease; a run whose lease has ended was abandoned.
alter table verification_runs
  alter column ended_at drop not null,
  add column status text not null default 'DONE' check (status in ('RUNNING', 'DONE', 'FAILED')),
  -- How many invariants have been checked, and which one is being checked now.
  add column done int not null default 0 check (done >= 0),
  add column step text,
  -- Why it failed.
  add column detail text,
  -- What was broken, with some of the rows. Runs of earlier versions have only the names.
  add column findings json,
  add column lease_until timestamptz,
  add check ((ended_at is null) = (status = 'RUNNING')),
  add check ((lease_until is null) = (status <> 'RUNNING')),
  add check ((detail is null) = (status <> 'FAILED'));
update verification_runs set done = invariants;

-- One at a time.
create unique index verification_runs_running on verification_runs (status) where status = 'RUNNING';

grant update (ended_at, status, invariants, broken, seal_number, seal_root, done, step, detail, findings, lease_until)
  on verification_runs to vostro_service;
-- What has been found stays.
create trigger ended_verifications_are_kept before update on verification_runs
  for each row when (old.status <> 'RUNNING') execute function refuse_change();

-- Events that somebody has sent again, for those who follow events over the API. A venture's numbers are given out one transaction after the other,
-- so whoever has seen a number has seen all before it.
create table event_resends (
  venture_id uuid not null,
  id uuid not null,
  number int not null check (number > 0),
  event_id uuid not null,
  resent_at timestamptz(3) not null,
  primary key (venture_id, id),
  unique (venture_id, number)
);
create index event_resends_by_event on event_resends (venture_id, event_id, id);

grant select, insert on event_resends to vostro_service;

-- The filling of an empty sandbox with the demo bank (sandbox/demo). One row for all instances: there is one demo bank at most. `beat_at` is the real
-- time at which its instance was last alive.
create table demo_run (
  one boolean primary key default true check (one),
  run_id uuid not null,
  seed int not null check (seed >= 0),
  status text not null check (status in ('RUNNING', 'DONE', 'FAILED')),
  done int not null check (done >= 0),
  total int not null check (total >= done),
  step text not null,
  digest text check ((digest is not null) = (status = 'DONE')),
  detail text check ((detail is not null) = (status = 'FAILED')),
  beat_at timestamptz(3) not null
);
grant select, insert on demo_run to vostro_service;
grant update (run_id, seed, status, done, total, step, digest, detail, beat_at) on demo_run to vostro_service;
