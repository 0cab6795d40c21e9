-- Links that a venture gives to its payers: each visit may start a payment.
create table payment_links (
  venture_id uuid not null,
  id uuid not null,
  -- What the public address holds instead of the id: whoever has it may pay.
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{22}$'),
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  description text check (char_length(description) between 1 and 255),
  language text not null check (language in ('FR', 'EN', 'AR')),
  success_url text check (char_length(success_url) between 1 and 2048),
  fail_url text check (char_length(fail_url) between 1 and 2048),
  ask_name boolean not null,
  ask_email boolean not null,
  ask_phone boolean not null,
  max_uses int check (max_uses > 0),
  expires_at timestamptz(3),
  active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null check (sequence > 0),
  primary key (venture_id, id)
);

-- Card payments. What the gateway says about them is kept as it says it; of a card number only the first six and the last four digits.
create table payments (
  venture_id uuid not null,
  id uuid not null unique,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  language text not null check (language in ('FR', 'EN', 'AR')),
  status text not null check (status in ('PENDING', 'PAID', 'FAILED', 'REFUSED', 'CANCELED', 'REFUNDED', 'EXPIRED')),
  success_url text not null check (char_length(success_url) between 1 and 2048),
  fail_url text not null check (char_length(fail_url) between 1 and 2048),
  gateway_order_number text not null unique check (gateway_order_number ~ '^[A-Z0-9]{10}$'),
  gateway_order_id text unique check (char_length(gateway_order_id) between 1 and 255),
  gateway_order_status int,
  gateway_error_code text check (char_length(gateway_error_code) between 1 and 255),
  action_code text check (char_length(action_code) between 1 and 255),
  action_code_description text check (char_length(action_code_description) between 1 and 255),
  approval_code text check (char_length(approval_code) between 1 and 255),
  resp_code text check (char_length(resp_code) between 1 and 255),
  resp_code_desc text check (char_length(resp_code_desc) between 1 and 255),
  card_brand text check (char_length(card_brand) between 1 and 255),
  masked_pan text check (masked_pan ~ '^[0-9]{6}\*{2,9}[0-9]{4}$'),
  order_ref text check (char_length(order_ref) between 1 and 255),
  description text check (char_length(description) between 1 and 255),
  form_url text check (char_length(form_url) between 1 and 2048),
  customer_name text check (char_length(customer_name) between 1 and 140),
  customer_email text check (char_length(customer_email) between 1 and 254),
  customer_phone text check (char_length(customer_phone) between 1 and 255),
  payment_link_id uuid,
  refunded_amount numeric not null check (refunded_amount >= 0 and refunded_amount <= amount),
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null check (sequence > 0),
  -- Until when the gateway lets the payer try, and whether we have asked it to let nobody try any more.
  session_until timestamptz(3) not null,
  cancel_requested boolean not null,
  primary key (venture_id, id),
  foreign key (venture_id, payment_link_id) references payment_links (venture_id, id),
  check ((gateway_order_id is null) = (form_url is null)),
  check (status not in ('PAID', 'REFUNDED') or (gateway_order_id is not null and paid_at is not null)),
  check (payment_link_id is not null or (customer_name is null and customer_email is null and customer_phone is null)),
  check ((status = 'REFUNDED') = (refunded_amount = amount))
);

create index payments_by_status on payments (venture_id, status, id);
create index payments_by_link on payments (venture_id, payment_link_id, id) where payment_link_id is not null;
-- What counts as a use of a link.
create index payments_by_use on payments (venture_id, payment_link_id)
  where payment_link_id is not null and status in ('PENDING', 'PAID', 'REFUNDED');

-- Money on its way back. The reference goes to the gateway with the refund, so that asking twice gives it back once.
create table payment_refunds (
  venture_id uuid not null,
  payment_id uuid not null,
  external_refund_id text not null check (external_refund_id ~ '^[A-Za-z0-9_-]{1,32}$'),
  amount numeric not null check (amount > 0 and amount < 1e15),
  status text not null check (status in ('PENDING', 'DONE', 'FAILED')),
  gateway_error_code text check (char_length(gateway_error_code) between 1 and 255),
  -- Who asks the gateway for it has it to himself until then, because not every gateway knows a refund again that it is asked for twice
  -- (null: nobody has asked yet); and how often the gateway has said no without telling what that means.
  asked_until timestamptz(3),
  refusals int not null default 0 check (refusals >= 0),
  created_at timestamptz(3) not null,
  primary key (venture_id, payment_id, external_refund_id),
  foreign key (venture_id, payment_id) references payments (venture_id, id)
);

grant select, insert on payment_links to vostro_service;
grant update (active, description, max_uses, expires_at, updated_at, sequence) on payment_links to vostro_service;
grant select, insert on payments to vostro_service;
grant update (status, gateway_order_number, gateway_order_id, gateway_order_status, gateway_error_code, action_code, action_code_description,
  approval_code, resp_code, resp_code_desc, card_brand, masked_pan, form_url, refunded_amount, paid_at, updated_at, sequence, session_until,
  cancel_requested) on payments to vostro_service;
grant select, insert on payment_refunds to vostro_service;
grant update (status, gateway_error_code, asked_until, refusals) on payment_refunds to vostro_service;
