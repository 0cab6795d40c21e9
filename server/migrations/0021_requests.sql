-- The request log (requests): which operation was requested, by whom, and what became of it; never a path, a query, a body or an address. One
-- partition for each day, by the time in the id. `venture_id`: whose log it is; the zero id stands for the bank.
create table requests (
  venture_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  method text not null,
  route text,
  status smallint not null,
  code text,
  duration_ms real not null,
  actor text check (actor in ('venture', 'user', 'operator', 'service', 'connector')),
  key_prefix text check (char_length(key_prefix) = 12),
  request_id text not null check (char_length(request_id) between 1 and 128),
  primary key (venture_id, id)
) partition by range (id);
create index requests_by_id on requests (id);
-- Callers choose it, so it repeats.
create index requests_by_request_id on requests (request_id, id);

create trigger requests_are_kept before update or delete or truncate on requests for each statement execute function refuse_change();

-- Of partitions the service needs no rights: it reads and writes them through the table.
grant select, insert on requests to vostro_service;

-- The smallest id (UUIDv7) of a day.
create function first_id_of(day date) returns uuid language sql immutable
  return (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || '70008000000000000000')::uuid;

-- The service owns no table, so these functions of the owner make and drop partitions for it. They take no parameters: the clock decides which. The
-- search path is fixed, so that nobody can put another function in place of one that they call.

-- Makes the partitions from yesterday to three days ahead, and returns the last day that has one. The triggers of a table do not fire for
-- statements about one of its partitions, so each has its own.
create function make_request_days() returns date language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := (public.bank_now() at time zone 'UTC')::date;
  day date := today - 1;
  name text;
begin
  -- Instances take turns. The lock does not hold up those who read and write the table.
  lock table public.requests in share update exclusive mode;
  while day <= today + 3 loop
    name := 'requests_' || to_char(day, 'YYYY_MM_DD');
    if to_regclass('public.' || name) is null then
      -- Its rows never change, and it is dropped as a whole: vacuuming it would be in vain.
      execute format('create table public.%I (like public.requests including constraints) with (autovacuum_enabled = false)', name);
      execute format('create trigger requests_are_kept before update or delete or truncate on public.%I
        for each statement execute function public.refuse_change()', name);
      execute format('alter table public.requests attach partition public.%I for values from (%L) to (%L)',
        name, public.first_id_of(day), public.first_id_of(day + 1));
    end if;
    day := day + 1;
  end loop;
  return day - 1;
end $$;

-- Drops the oldest partition if all of its rows are older than seven days, and returns whether there was one. Its lock holds up everybody, so it does
-- not wait long for it.
create function drop_request_day() returns boolean language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  today constant date := (public.bank_now() at time zone 'UTC')::date;
  oldest text;
begin
  select min(relname) into oldest from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'public.requests'::regclass and relname < 'requests_' || to_char(today - 7, 'YYYY_MM_DD');
  if oldest is null then
    return false;
  end if;
  lock table public.requests in access exclusive mode;
  -- Another instance may have been faster.
  if to_regclass('public.' || oldest) is not null then
    execute format('alter table public.requests detach partition public.%I', oldest);
    execute format('drop table public.%I', oldest);
  end if;
  return true;
end $$;

revoke execute on function make_request_days(), drop_request_day() from public;
grant execute on function make_request_days(), drop_request_day() to vostro_service;
