-- What PostgreSQL is told to count, and how often.

-- Analysing a table takes as long for a hundred thousand rows as for many millions. By default it is done again whenever a tenth of the rows is new, which
-- a busy bank that is still small reaches every few seconds: that took a third of the processors. Tables that grow with every transfer are analysed
-- when they have doubled, because more rows of the same kind change no plan.
alter table transfers set (autovacuum_analyze_scale_factor = 1);
alter table transfer_moves set (autovacuum_analyze_scale_factor = 1);
alter table transfer_references set (autovacuum_analyze_scale_factor = 1);
alter table transfer_texts set (autovacuum_analyze_scale_factor = 1);
alter table entries set (autovacuum_analyze_scale_factor = 1);

-- A search uses the index of words however common they are. Counting them took longer than all other tables.
alter index transfer_texts_by_words alter column 2 set statistics 0;

-- A partition takes no such setting from its parent, so each gets its own. The rest is as it was.
create or replace function add_event_partition(name text, starts uuid, ends uuid) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- For a distributed database, where triggers have to be allowed.
  perform set_config('citus.enable_unsafe_triggers', 'on', true);
  if to_regclass('public.' || name) is null then
    execute format('create table public.%I (like public.events including all) with (autovacuum_analyze_scale_factor = 1)', name);
    execute format('create trigger events_are_kept before update or delete or truncate on public.%I
      for each statement execute function public.refuse_change()', name);
  end if;
  execute format('alter table public.events attach partition public.%I for values from (%s) to (%s)',
    name, coalesce(quote_literal(starts), 'minvalue'), coalesce(quote_literal(ends), 'maxvalue'));
end $$;
do $$
declare
  partition regclass;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'events'::regclass loop
    execute format('alter table %s set (autovacuum_analyze_scale_factor = 1)', partition);
  end loop;
end $$;
