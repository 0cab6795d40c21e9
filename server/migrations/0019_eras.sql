-- The order of events is (era, xid, id). Transaction numbers start over when a database is restored from a logical dump into another
-- cluster, so the service then begins another era. Numbers are compared within an era only, and all events of earlier eras are visible.
create table event_era (
  only_row boolean primary key default true check (only_row),
  era int not null check (era > 0)
);
insert into event_era (era) values (1);

-- Rows of events are never updated. The constant default gives the existing rows their era without rewriting them, and is dropped
-- so that whoever writes an event has to say its era.
alter table events add column era int not null default 1;
alter table events alter column era drop default;

create index events_in_eras on events (venture_id, era, xid, id);
drop index events_in_order;

-- The place of an endpoint has an era too. `since` is a snapshot of the era in which the endpoint was created.
alter table webhook_progress add column era int not null default 1, add column since_era int not null default 1;
alter table webhook_progress alter column era drop default, alter column since_era drop default;

grant select on event_era to vostro_service;
grant update (era) on event_era to vostro_service;
