-- What happened, written in the transaction of its cause and never changed. `xid` orders events for those who must not miss
-- one: an event is shown to followers only when every transaction that began before its own has ended.
create table events (
  venture_id uuid not null,
  id uuid not null,
  type text not null check (type ~ '^[a-z_]+\.[a-z_]+$'),
  resource_id uuid not null,
  sequence int not null check (sequence > 0),
  timestamp timestamptz(3) not null,
  data json not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (venture_id, id),
  unique (venture_id, resource_id, sequence)
);

-- Rows that record what happened cannot be changed by anyone, the owner of the table included.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger events_are_kept before update or delete or truncate on events for each statement execute function refuse_change();

alter table ventures add column sequence int not null default 0;

grant select, insert on events to vostro_service;
grant update (sequence) on ventures to vostro_service;
