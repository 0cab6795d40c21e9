-- Makes a table one whose rows are sealed from now on. Rows so far get the number of this migration as a constant default, without being rewritten, and are
-- sealed by their ids. A row that does not say its number counts as written before, so once those are sealed it is found as inserted. The seal that this
-- writes covers no rows: it says where those of the table begin.
create function begin_to_seal(variadic names text[]) returns void language plpgsql as $$
declare
  current_era int := (select era from event_era);
  name text;
  last record;
  next_number bigint;
  beginnings text;
begin
  foreach name in array names loop
    execute format('alter table %I add column era int not null default %s, add column xid xid8 not null default %L',
      name, current_era, pg_current_xact_id());
    execute format('create index %I on %I (era, xid)', name || '_in_order', name);
  end loop;
  select number, ranges, root into last from seals order by number desc limit 1;
  next_number := last.number + 1;
  beginnings := (
    select jsonb_object_agg(key, value || '{"rows": 0}') || (
      select jsonb_object_agg(added, jsonb_build_object('rows', 0, 'era', current_era, 'xid', pg_current_xact_id()::text,
        'venture_id', '00000000-0000-0000-0000-000000000000', 'id', '00000000-0000-0000-0000-000000000000'))
      from unnest(names) as added)
    from jsonb_each(last.ranges::jsonb))::text;
  insert into seals (number, at, rows, ranges, root, previous_root, list)
  select next_number, at, 0, beginnings::json, encode(sha256(convert_to(concat_ws(E'\n', last.root, next_number,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0, beginnings, ''), 'UTF8')), 'hex'), last.root, ''
  from (select now()::timestamptz(3) as at) as made;
end $$;
revoke all on function begin_to_seal from public;

-- For a distributed database, where triggers have to be allowed.
select set_config('citus.enable_unsafe_triggers', 'on', true);

-- What the bank has agreed with a venture, what a comparison with the lists has found, and the bytes of messages never change.
select begin_to_seal('policies', 'screenings', 'screening_hits', 'rail_messages');

-- The seals that say where the rows of tables begin.
create index seals_that_begin on seals (number) where rows = 0;
