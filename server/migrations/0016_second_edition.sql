-- What a transfer still counts against the limits, which is no longer always its whole amount: clearings count what they ask above the hold
-- of their authorisation, and take over what the authorisation counted, with its day. Null means what rows so far have: the whole amount if
-- `counted_on` is set.
alter table transfers add column counted_amount numeric check (counted_amount >= 0);
alter table transfers add column authorised_amount numeric not null default 0 check (authorised_amount >= 0);
alter table transfers add column authorised_on date;

-- The edition of the rules under which a transfer was created. Rows so far have the first one: the default says so without rewriting them,
-- and stays for an instance of the version before that still runs. `npm run verify` checks later rules for later rows only.
alter table transfers add column edition smallint not null default 1;

grant update (counted_amount, authorised_amount, authorised_on) on transfers to vostro_service;

-- Requests that carried an Idempotency-Key and were carried out. A row is written in the transaction of its effect and kept for a day, so
-- that a repeated request gets the first answer instead of a second effect. The zero id stands for the bank, whose operator registers ventures.
create table idempotency_keys (
  venture_id uuid not null,
  operation text not null,
  key text not null check (key ~ '^[ -~]{1,255}$'),
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  -- What the request created. The name of a refund is not a uuid.
  resource_id text not null check (char_length(resource_id) between 1 and 255),
  -- The answer. It is null if it holds a secret, and until a partner has answered.
  status smallint,
  location text,
  body text,
  created_at timestamptz(3) not null,
  primary key (venture_id, operation, key),
  check ((status is null) = (body is null))
);

create index idempotency_keys_by_age on idempotency_keys (venture_id, created_at);

grant select, insert, delete on idempotency_keys to vostro_service;
grant update (request_hash, resource_id, status, location, body, created_at) on idempotency_keys to vostro_service;

-- Workers take the jobs of all ventures in turn, so that a thousand jobs of one do not delay those of another. A job that belongs to no
-- venture has the nil UUID.
alter table jobs add column venture_id uuid not null default '00000000-0000-0000-0000-000000000000';
update jobs set venture_id = (payload ->> 'venture_id')::uuid
where payload ->> 'venture_id' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$';
create index jobs_by_venture on jobs (kind, venture_id, due_at) where state = 'READY';

-- Payers of a link that has no place left share a payment that nobody has paid yet; it then has the details of the last of them.
grant update (customer_name, customer_email, customer_phone) on payments to vostro_service;

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
