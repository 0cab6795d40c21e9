-- Events by month: each has a partition, so that a month can be archived and leave the database as a whole. Partitions are named after the last month
-- that they have, and each begins where the one before ends: the first has everything so far, and the last, `events_later`, everything to come, so that
-- no event ever lacks one.

do $$
declare
  newest uuid := (select id from events order by id desc limit 1);
  -- A clock that was ahead may have written ids of later months.
  month constant date := greatest(date_trunc('month', bank_now() at time zone 'UTC'),
    date_trunc('month', to_timestamp(('x' || left(replace(newest::text, '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone 'UTC'));
  past constant text := 'events_' || to_char(month, 'YYYY_MM');
begin
  execute format('alter table events rename to %I', past);
  execute format('alter table %I rename constraint events_pkey to %I', past, past || '_pkey');
  execute format('alter index events_by_resource rename to %I', past || '_by_resource');
  execute format('alter index events_by_type rename to %I', past || '_by_type');
  execute format('alter index events_in_eras rename to %I', past || '_in_eras');
  execute format('alter index events_in_order rename to %I', past || '_in_order');
  execute format('create table events (like %I including defaults including constraints including storage) partition by range (id)', past);
  alter table events add primary key (venture_id, id);
  create index events_by_resource on events (venture_id, resource_id);
  create index events_by_type on events (venture_id, type, id)
    where type not in ('transfer.created', 'transfer.status_changed', 'transfer.completed');
  create index events_in_eras on events (venture_id, era, xid, id);
  create index events_in_order on events (era, xid);
  -- It has the same indexes, which become parts of these.
  execute format('alter table events attach partition %I for values from (minvalue) to (%L)', past, first_id_of((month + interval '1 month')::date));
  execute format('create table events_later partition of events for values from (%L) to (maxvalue)', first_id_of((month + interval '1 month')::date));
  -- Of partitions the service needs no rights: it reads and writes them through the table.
  execute format('revoke all on %I from vostro_service', past);
end $$;

create trigger events_are_kept before update or delete or truncate on events for each statement execute function refuse_change();
-- The triggers of a table do not fire for statements about one of its partitions, so each has its own.
create trigger events_are_kept before update or delete or truncate on events_later for each statement execute function refuse_change();
grant select, insert on events to vostro_service;

-- The last month of the newest partition that has an end.
create function last_event_month() returns date language sql stable set search_path = pg_catalog, pg_temp
  return (select max(to_date(substr(relname, 8), 'YYYY_MM')) from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'public.events'::regclass and relname ~ '^events_\d{4}_\d\d$');

-- Adds a partition to events, from the end of the one before it, with its own trigger. For the functions below.
create function add_event_partition(name text, starts uuid, ends uuid) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- For a distributed database, where triggers have to be allowed.
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  if to_regclass('public.' || name) is null then
    execute format('create table public.%I (like public.events including all)', name);
    execute format('create trigger events_are_kept before update or delete or truncate on public.%I
      for each statement execute function public.refuse_change()', name);
  end if;
  execute format('alter table public.events attach partition public.%I for values from (%s) to (%s)',
    name, coalesce(quote_literal(starts), 'minvalue'), coalesce(quote_literal(ends), 'maxvalue'));
end $$;

-- Makes the partitions of this month and the next, out of what was to come later, and returns the last month that has one. It has the clock decide,
-- and a fixed search path, because the service, which owns no table, runs it with the rights of the owner. Its lock holds up everybody, so it does not
-- wait long for it; until it gets the lock, events go where everything to come goes.
create function make_event_months() returns date language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  next constant date := date_trunc('month', public.bank_now() at time zone 'UTC') + interval '1 month';
  last date := public.last_event_month();
  filled text;
begin
  if last >= next then
    return last;
  end if;
  lock table public.events in access exclusive mode;
  -- Another instance may have been faster.
  last := public.last_event_month();
  if last >= next then
    return last;
  end if;
  alter table public.events detach partition public.events_later;
  select to_char(greatest(
      date_trunc('month', to_timestamp(('x' || left(replace(max(id::text), '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone 'UTC'),
      next - interval '1 month'), 'YYYY_MM')
    into filled from public.events_later having count(*) > 0;
  if filled is not null then
    -- Nobody made months in time: what has been written since the last one becomes one partition.
    execute format('alter table public.events_later rename to %I', 'events_' || filled);
    perform public.add_event_partition('events_' || filled, public.first_id_of((last + interval '1 month')::date),
      public.first_id_of((to_date(filled, 'YYYY_MM') + interval '1 month')::date));
    last := to_date(filled, 'YYYY_MM');
  end if;
  while last < next loop
    perform public.add_event_partition('events_' || to_char(last + interval '1 month', 'YYYY_MM'),
      public.first_id_of((last + interval '1 month')::date), public.first_id_of((last + interval '2 months')::date));
    last := last + interval '1 month';
  end loop;
  perform public.add_event_partition('events_later', public.first_id_of((last + interval '1 month')::date), null);
  return last;
end $$;

-- Months whose events were archived (npm run archive), oldest first. `month`: the first day of the last month of the partition. `kept`: how many of its
-- rows the database still has, because answers are made of them. `digest`: the SHA-256 of the file, which the audit log has as well, and so the seals.
create table event_archives (
  month date primary key check (extract(day from month) = 1),
  rows bigint not null check (rows >= 0),
  kept bigint not null check (kept >= 0),
  bytes bigint not null check (bytes > 0),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  archived_at timestamptz(3) not null
);

create trigger event_archives_are_kept before update or delete or truncate on event_archives for each statement execute function refuse_change();
grant select on event_archives to vostro_service;

-- Ends the archiving of a month whose file has been written: a partition with the rows that are kept takes the place of the one with all of them, which
-- is dropped. Only the owner may. `expected`: how many rows the file has.
create function archive_event_month(month date, expected bigint, kept_kinds text[], bytes bigint, digest text, at timestamptz, audit_id uuid)
  returns bigint language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  name constant text := 'events_' || to_char(month, 'YYYY_MM');
  old constant text := name || '_archived';
  starts uuid;
  found bigint;
  kept bigint;
  current_era int;
begin
  -- Counting takes long, and nobody waits for it: a month that is over is read and not written.
  execute format('lock table public.%I in share mode', name);
  execute format('select count(*), count(*) filter (where split_part(type, ''.'', 1) = any($1)) from public.%I', name) into found, kept using kept_kinds;
  if found <> expected then
    raise exception 'the month has % events, and the file has %', found, expected;
  end if;
  -- As every transaction that reads the era.
  perform pg_advisory_xact_lock_shared(5648768);
  select era into current_era from public.event_era;
  lock table public.events in access exclusive mode;
  select public.first_id_of((max(archive.month) + interval '1 month')::date) into starts from public.event_archives archive;
  execute format('alter table public.events detach partition public.%I', name);
  execute format('alter table public.%I rename to %I', name, old);
  perform public.add_event_partition(name, starts, public.first_id_of((month + interval '1 month')::date));
  execute format('insert into public.%I select * from public.%I where split_part(type, ''.'', 1) = any($1)', name, old) using kept_kinds;
  execute format('drop table public.%I', old);
  insert into public.event_archives (month, rows, kept, bytes, digest, archived_at) values (month, found - kept, kept, bytes, digest, at);
  insert into public.audit_log (era, xid, venture_id, id, at, actor, actor_id, action, resource, request_id, address, fields)
  values (current_era, pg_current_xact_id(), '00000000-0000-0000-0000-000000000000', audit_id, at, 'service', null,
    'archiveEvents', to_char(month, 'YYYY-MM') || ' sha256:' || digest, 'npm run archive', '', array['month']);
  return kept;
end $$;

revoke execute on function add_event_partition(text, uuid, uuid), make_event_months(),
  archive_event_month(date, bigint, text[], bigint, text, timestamptz, uuid) from public;
grant execute on function make_event_months() to vostro_service;

select make_event_months();
