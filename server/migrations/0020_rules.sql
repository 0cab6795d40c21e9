-- How urgent a case is, and by when somebody should decide it.
alter table cases
  add column severity text not null default 'NORMAL' check (severity in ('NORMAL', 'URGENT')),
  add column due_at timestamptz(3);
update cases set due_at = created_at + interval '72 hours';
alter table cases alter column due_at set not null;

-- What the rules of transaction monitoring look at, for accounts whose transfers the bank processes: how many payments an account has made or
-- received, and how much they come to, by the day on which they settle. Payments that ended without COMPLETED do not count. The rows are written in the
-- transaction of the transfers, under the lock of the account.
create table account_activity (
  venture_id uuid not null,
  account_id uuid not null,
  direction text not null check (direction in ('INBOUND', 'OUTBOUND')),
  day date not null,
  times int not null check (times >= 0),
  amount numeric not null check (amount >= 0),
  primary key (venture_id, account_id, direction, day),
  foreign key (venture_id, account_id) references accounts (venture_id, id)
);
grant select, insert, update on account_activity to vostro_service;

insert into account_activity (venture_id, account_id, direction, day, times, amount)
select venture_id, account_id, direction, settlement_date, count(*),
  sum(case direction when 'OUTBOUND' then debit_amount else credit_amount end)
from transfers
where managed and transfer_type = 'PAYMENT' and method <> 'CARD'
  and status not in ('CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED')
group by venture_id, account_id, direction, settlement_date;

-- Whom an account has paid before: an IBAN, or an account number with the code of its bank.
create table account_payees (
  venture_id uuid not null,
  account_id uuid not null,
  payee text not null,
  primary key (venture_id, account_id, payee),
  foreign key (venture_id, account_id) references accounts (venture_id, id)
);
grant select, insert on account_payees to vostro_service;

insert into account_payees (venture_id, account_id, payee)
select distinct venture_id, account_id, coalesce(cr_iban, cr_account_id || ' ' || coalesce(cr_bank_bic, ''))
from transfers
where managed and transfer_type = 'PAYMENT' and method <> 'CARD' and direction = 'OUTBOUND' and status = 'COMPLETED'
  and coalesce(cr_iban, cr_account_id) is not null;

-- Finds payments of an account that are about the same amount.
create index transfers_by_settlement on transfers (venture_id, account_id, settlement_date)
  where managed and transfer_type = 'PAYMENT';
