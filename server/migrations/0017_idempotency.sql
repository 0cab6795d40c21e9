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
