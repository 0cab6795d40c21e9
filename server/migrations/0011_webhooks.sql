-- Followers and couriers read events in the order of their transactions; lists filter them by type.
create index events_in_order on events (venture_id, xid, id);
create index events_by_type on events (venture_id, type, id);

-- Where a venture wants to hear about its events. The secret is kept readable, because every delivery is signed with it.
create table webhook_endpoints (
  venture_id uuid not null,
  id uuid not null,
  url text not null check (char_length(url) between 1 and 2048),
  description text check (char_length(description) between 1 and 255),
  -- Null: all of them.
  event_types text[] check (cardinality(event_types) > 0),
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  disabled_reason text check (char_length(disabled_reason) between 1 and 255),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Counts its events, of which most endpoints have none.
  sequence int not null check (sequence >= 0),
  primary key (venture_id, id),
  check ((status = 'DISABLED') = (disabled_reason is not null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);

-- How far each endpoint has come, apart from the resource because it changes with every round of deliveries. Everything up to the event
-- at (xid, event_id) has been handed over; what was already visible in `since`, when the endpoint was made, is not for it.
create table webhook_progress (
  venture_id uuid not null,
  endpoint_id uuid not null,
  xid xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  event_id uuid not null default '00000000-0000-0000-0000-000000000000',
  since pg_snapshot not null default pg_current_snapshot(),
  -- When the next delivery is due that was tried before or has to wait; null when there is none.
  next_due_at timestamptz(3),
  -- Since when every attempt has failed, when the last one did, and whether a success after that is still to wake those that wait for
  -- their next attempt.
  failing_since timestamptz(3),
  failed_at timestamptz(3),
  waking boolean not null default false,
  -- Whoever delivers to it now holds the lease of this name; who dies loses it when it runs out, and who was too slow when it is gone.
  lease uuid,
  lease_until timestamptz not null default now(),
  primary key (venture_id, endpoint_id),
  foreign key (venture_id, endpoint_id) references webhook_endpoints (venture_id, id) on delete cascade
) with (fillfactor = 50);

-- One row for each event and endpoint, written when the first attempt has been made or has to wait. The event is not a foreign key:
-- events are never deleted, and rows are written here only from events that were read.
create table webhook_deliveries (
  venture_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  resource_id uuid not null,
  sequence int not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  -- What was tried, oldest first; `tries` counts those since it was last sent on its way.
  attempts json not null,
  tries int not null check (tries >= 0),
  -- How often it was sent on its way: a round that began before the last time does not overrule it.
  begun int not null default 1,
  -- Null while PENDING: an earlier event of the same resource has to be delivered first.
  next_attempt_at timestamptz(3),
  -- When the schedule has the next attempt, and whether it was woken before that. One that is woken and fails goes back to its time, as
  -- if it had not been tried, and is not woken again until then.
  planned_at timestamptz(3),
  woken boolean not null default false,
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  primary key (venture_id, id),
  check (next_attempt_at is null or status = 'PENDING'),
  check ((delivered_at is not null) = (status = 'DELIVERED'))
);

create index webhook_deliveries_by_endpoint on webhook_deliveries (venture_id, endpoint_id, id);
-- An event goes to an endpoint once; by hand it is sent again, not anew.
create unique index webhook_deliveries_by_event on webhook_deliveries (venture_id, endpoint_id, event_id);
create index webhook_deliveries_open on webhook_deliveries (venture_id, endpoint_id, status, id) where status <> 'DELIVERED';
create index webhook_deliveries_due on webhook_deliveries (venture_id, endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (venture_id, endpoint_id, resource_id, sequence) where status = 'PENDING';

grant select, insert, delete on webhook_endpoints to vostro_service;
grant update (url, description, event_types, status, disabled_reason, secret, previous_secret, previous_secret_until, updated_at, sequence)
  on webhook_endpoints to vostro_service;
grant select, insert, update, delete on webhook_progress to vostro_service;
grant select, insert, delete on webhook_deliveries to vostro_service;
grant update (status, attempts, tries, begun, next_attempt_at, planned_at, woken, delivered_at) on webhook_deliveries to vostro_service;
