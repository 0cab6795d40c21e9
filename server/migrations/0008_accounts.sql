-- Accounts hold a client's money. What is available is always current minus reserved, so it is not kept.
-- Amounts are numeric without a fixed scale: they keep exactly the decimals of their currency, with which they are written.
create table accounts (
  venture_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  account_name text not null check (char_length(account_name) between 1 and 140),
  account_number text not null unique check (account_number ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  account_type text not null check (account_type in ('CURRENT', 'SAVINGS', 'ESCROW')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  current_balance numeric not null check (current_balance < 1e19),
  reserved_balance numeric not null check (reserved_balance >= 0),
  status text not null check (status in ('PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED')),
  opened_date timestamptz(3) not null,
  closed_date timestamptz(3),
  last_activity_date timestamptz(3),
  daily_limit numeric check (daily_limit >= 0 and daily_limit < 1e15),
  monthly_limit numeric check (monthly_limit >= 0 and monthly_limit < 1e15),
  yearly_limit numeric check (yearly_limit >= 0 and yearly_limit < 1e15),
  description text check (char_length(description) <= 255),
  external_account_id text check (char_length(external_account_id) <= 255),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null,
  -- What counts against the limits: the day on which something last counted, and the sums of its day, month and year.
  used_on date not null,
  used_day numeric not null check (used_day >= 0),
  used_month numeric not null check (used_month >= 0),
  used_year numeric not null check (used_year >= 0),
  primary key (venture_id, id),
  foreign key (venture_id, client_id) references clients (venture_id, id),
  check (current_balance - reserved_balance >= 0),
  check ((status = 'CLOSED') = (closed_date is not null)),
  check (status <> 'CLOSED' or (current_balance = 0 and reserved_balance = 0))
);

create index accounts_by_client on accounts (venture_id, client_id, id);

grant select, insert on accounts to vostro_service;
grant update (account_name, description, current_balance, reserved_balance, status, closed_date, last_activity_date, daily_limit,
  monthly_limit, yearly_limit, updated_at, sequence, used_on, used_day, used_month, used_year) on accounts to vostro_service;
