-- How this bank takes part in each scheme, in versions that never change. The newest version whose time has come is in force; a suspension is in force at
-- once. A rail is the name of a participation.
create table participations (
  id uuid not null,
  rail text not null,
  version int not null check (version > 0),
  profile text not null,
  currency text not null,
  state text not null check (state in ('ACTIVE', 'SUSPENDED', 'ENDED')),
  calendar text not null,
  -- For cut-offs only.
  zone text not null,
  cut_offs text[] not null,
  lead_days int not null check (lead_days between 0 and 10),
  -- Null: as the setting of the service says.
  answer_hours int check (answer_hours between 1 and 240),
  smallest numeric check (smallest > 0),
  largest numeric check (largest > 0),
  prefers int not null check (prefers >= 0),
  envelope json not null,
  effective_at timestamptz(3) not null,
  actor text not null,
  actor_id uuid,
  created_at timestamptz(3) not null,
  primary key (rail, version)
);
create trigger participations_are_kept before update or delete or truncate on participations for each statement execute function refuse_change();
grant select, insert on participations to vostro_service;

-- The closed days of a calendar, year by year. TARGET, FED and ALWAYS are rules of the service and have no rows.
create table calendar_years (
  id uuid not null,
  calendar text not null,
  year int not null check (year between 2000 and 2999),
  version int not null check (version > 0),
  weekend int[] not null,
  closed text[] not null,
  actor text not null,
  actor_id uuid,
  created_at timestamptz(3) not null,
  primary key (calendar, year, version)
);
create trigger calendar_years_are_kept before update or delete or truncate on calendar_years for each statement execute function refuse_change();
grant select, insert on calendar_years to vostro_service;

select begin_to_seal('participations', 'calendar_years');

-- The rails as they were until now: their cut-offs were in UTC and on TARGET days, and instant payments left on every day.
insert into participations (
  era, xid, id, rail, version, profile, currency, state, calendar, zone, cut_offs, lead_days, answer_hours, smallest, largest, prefers, envelope, effective_at,
  actor, actor_id, created_at)
select (select era from event_era), pg_current_xact_id(), gen_random_uuid(), rail, 1, profile, 'EUR', 'ACTIVE', calendar, 'UTC',
  array(select to_char(cut_off, 'HH24:MI') from rail_cycles cycle where cycle.rail = first.rail order by cut_off), lead_days, null, null, 999999999.99,
  prefers, '{"clearing_code":null,"clearing_system":null,"instructed_bic":null,"header":null}', '2000-01-01T00:00:00Z', 'service', null, now()
from (values
  ('SEPA', 'sct', 'TARGET', 1, 10),
  ('INST', 'inst', 'ALWAYS', 0, 20),
  ('SDD', 'sdd', 'TARGET', 1, 10)) as first (rail, profile, calendar, lead_days, prefers);

drop table rail_cycles;

-- The version of the participation by which a pack was made. Its message is written by it, whatever is in force then.
alter table rail_packs add column participation int not null default 1 check (participation > 0);
