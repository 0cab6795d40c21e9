-- In a distributed database, rows that are sealed have the number of the worker that has them, and policies and screenings get theirs from now on. The numbers
-- of the workers may be smaller than those that rows have got elsewhere, so they begin an era. All instances are stopped while a version changes.
select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true);
do $$
declare
  name text;
begin
  if to_regclass('claims') is null then
    return;
  end if;
  foreach name in array array['policies', 'screenings', 'screening_hits'] loop
    execute format('create trigger %I before insert on %I for each row execute function number_row()', name || '_are_numbered', name);
  end loop;
  update event_era set era = era + 1;
end $$;

-- As before, but the rows that are kept are in their new partition before it becomes one of events: rows that get there later get a number of their own in a
-- distributed database.
create or replace function archive_event_month(month date, expected bigint, kept_kinds text[], bytes bigint, digest text, at timestamptz, audit_id uuid)
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
  execute format('create table public.%I (like public.events including all)', name);
  execute format('insert into public.%I select * from public.%I where split_part(type, ''.'', 1) = any($1)', name, old) using kept_kinds;
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  execute format('create trigger events_are_kept before update or delete or truncate on public.%I
    for each statement execute function public.refuse_change()', name);
  perform public.add_event_partition(name, starts, public.first_id_of((month + interval '1 month')::date));
  execute format('drop table public.%I', old);
  insert into public.event_archives (month, rows, kept, bytes, digest, archived_at) values (month, found - kept, kept, bytes, digest, at);
  insert into public.audit_log (era, xid, venture_id, id, at, actor, actor_id, action, resource, request_id, address, fields)
  values (current_era, pg_current_xact_id(), '00000000-0000-0000-0000-000000000000', audit_id, at, 'service', null,
    'archiveEvents', to_char(month, 'YYYY-MM') || ' sha256:' || digest, 'npm run archive', '', array['month']);
  return kept;
end $$;
