-- A full run compares everyone of a venture with all lists. `kind`, `after`: the last subject that was compared, so that an interrupted run continues there.
create table if not exists screening_runs (
  venture_id uuid not null references ventures (id),
  id uuid not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  compared int not null check (compared >= 0),
  primary key (venture_id, id)
);
alter table screening_runs
  add column if not exists kind text not null default 'transfer' check (kind in ('transfer', 'client', 'beneficiary')),
  add column if not exists after uuid not null default '00000000-0000-0000-0000-000000000000';
create index if not exists screening_runs_by_end on screening_runs (venture_id, ended_at);
grant select, insert on screening_runs to vostro_service;
grant update (kind, after, compared, ended_at) on screening_runs to vostro_service;

-- A payment that does not say who pays is held like one whose payer is listed.
alter table screening_hits drop constraint screening_hits_reason_check;
alter table screening_hits add constraint screening_hits_reason_check
  check (reason in ('entry', 'unreadable', 'country', 'payer_account', 'payer_name', 'payer_address'));
