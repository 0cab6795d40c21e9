-- The stand-in for the card gateway: the orders that it was asked for, and what went back of them. Empty outside the sandbox.
-- Amounts are in the currency's smallest unit and currencies are numbers, as on the gateway's wire.
create table sandbox_orders (
  id uuid primary key,
  order_number text not null unique check (char_length(order_number) between 1 and 32),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[0-9]{3}$'),
  description text not null check (char_length(description) <= 512),
  language text not null check (language in ('fr', 'en', 'ar')),
  return_url text not null check (char_length(return_url) <= 2048),
  fail_url text not null check (char_length(fail_url) <= 2048),
  -- Registered, paid, cancelled, at the card's bank, declined. What only time makes of an order is not written down.
  order_status int not null default 0 check (order_status in (0, 2, 3, 5, 6)),
  action_code int not null default -100,
  -- The first six and the last four digits: a whole card number does not fit.
  masked_pan text check (masked_pan ~ '^[0-9]{6}\*\*[0-9]{4}$'),
  payment_system text check (payment_system in ('VISA', 'MASTERCARD')),
  approval_code text check (approval_code ~ '^[0-9]{6}$'),
  -- The gateway no longer answers questions about this order.
  silent boolean not null default false,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz not null,
  -- May lie ahead: a late success.
  paid_at timestamptz,
  check (order_status <> 2 or (paid_at is not null and approval_code is not null))
);

create table sandbox_refunds (
  id uuid primary key,
  order_id uuid not null references sandbox_orders (id),
  external_refund_id text check (char_length(external_refund_id) between 1 and 32),
  amount bigint not null check (amount > 0),
  created_at timestamptz(3) not null default now(),
  unique (order_id, external_refund_id)
);

grant select, insert on sandbox_orders, sandbox_refunds to vostro_service;
grant update (order_status, action_code, masked_pan, payment_system, approval_code, silent, paid_at) on sandbox_orders to vostro_service;
