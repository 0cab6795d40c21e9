create extension if not exists pg_trgm;

-- Transfers, as the API shows them, with the facts that the guards ask for.
create table transfers (
  venture_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  unique_reference text not null check (unique_reference ~ '^[ -~]{1,128}$'),
  direction text not null check (direction in ('INBOUND', 'OUTBOUND')),
  method text not null check (method in ('SEPA', 'INTERNAL', 'SDD', 'SDD_INTERNAL', 'INST', 'CARD', 'SWIFT', 'DOMESTIC')),
  transfer_type text not null check (transfer_type in ('FEE', 'PAYMENT', 'PAYMENT_CANCELLATION', 'PAYMENT_RETURN', 'FEE_CANCELLATION',
    'CCY_EXCHANGE', 'ADJUSTMENT', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_REVERSAL', 'CARD_AUTH', 'CARD_ADVICE', 'CARD_REVERSAL',
    'FX_POSITION_CLOSING', 'CARD_CLEARING')),
  status text not null check (status in ('CREATED', 'SIGNED', 'REVIEW', 'READY_TO_CLEAR', 'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR',
    'COMPLETED', 'SOME_PROBLEMS', 'CANCELLED', 'REJECTED', 'INVALID', 'ACCEPTED', 'TO_SIGN', 'RESERVED', 'TO_RESERVE', 'RECEIVED', 'DROPPED',
    'ON_HOLD', 'READY_FOR_SCREENING', 'AML_APPROVED', 'AML_REJECTED', 'MANUAL_ACTION', 'CREDIT_TECH_BALANCE', 'TO_RESEND',
    'MANUAL_REJECTED', 'TO_CANCEL', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'TO_RETURN')),
  is_instant boolean not null,
  purpose text check (char_length(purpose) <= 140),
  settlement_date date not null,
  credit_amount numeric not null check (credit_amount > 0 and credit_amount < 1e15),
  debit_amount numeric not null check (debit_amount > 0 and debit_amount < 1e15),
  credit_currency text not null check (credit_currency ~ '^[A-Z]{3}$'),
  debit_currency text not null check (debit_currency ~ '^[A-Z]{3}$'),
  exchange_rate numeric check (exchange_rate > 0 and exchange_rate < 1e15),
  fx_fee_amount numeric check (fx_fee_amount >= 0 and fx_fee_amount < 1e15),
  cr_name text,
  cr_iban text,
  cr_bank_bic text,
  cr_account_id text,
  cr_address text,
  cr_bank_name text,
  cr_city text,
  cr_country_code text,
  cr_postal_code text,
  dr_name text,
  dr_iban text,
  dr_bank_bic text,
  dr_account_id text,
  dr_address text,
  dr_bank_name text,
  dr_city text,
  dr_country_code text,
  dr_postal_code text,
  beneficiary_id uuid,
  parent_transaction_id uuid,
  category_purpose_code text,
  purpose_code text,
  structured_reference text,
  structured_reference_issuer text,
  bank_partner_id text,
  bank_partner_trx_id bigint,
  signed_at timestamptz(3),
  status_reason text,
  status_reason_code text,
  third_party_status text,
  third_party_status_code text,
  third_party_status_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null,
  on_hold_from text,
  scanned boolean not null,
  screened boolean not null,
  held boolean not null,
  sent boolean not null,
  received boolean not null,
  -- What it holds of the account's money now, what of it lies in suspense, and the day on which it counted against the limits.
  hold numeric not null check (hold >= 0),
  suspended numeric not null check (suspended >= 0),
  counted_on date,
  -- The account of this venture that an INTERNAL transfer credits.
  receiver_account_id uuid,
  primary key (venture_id, id),
  foreign key (venture_id, account_id) references accounts (venture_id, id),
  foreign key (venture_id, beneficiary_id) references beneficiaries (venture_id, id),
  foreign key (venture_id, parent_transaction_id) references transfers (venture_id, id),
  foreign key (venture_id, receiver_account_id) references accounts (venture_id, id),
  check (hold = 0 or status not in ('COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED'))
);

create index transfers_by_account on transfers (venture_id, account_id, id);
create index transfers_by_status on transfers (venture_id, status, id);
create index transfers_by_method on transfers (venture_id, method, id);
create index transfers_by_type on transfers (venture_id, transfer_type, id);
create index transfers_by_beneficiary on transfers (venture_id, beneficiary_id, id) where beneficiary_id is not null;
create index transfers_by_parent on transfers (venture_id, parent_transaction_id) where parent_transaction_id is not null;
create index transfers_by_debit_currency on transfers (venture_id, debit_currency, id);
create index transfers_by_credit_currency on transfers (venture_id, credit_currency, id) where credit_currency <> debit_currency;

-- What a search looks through; a line break, which no search can contain, keeps the fields apart. The index is over all ventures:
-- with the venture in it, every search would read the list of all transfers of the venture as well.
create function transfer_words(unique_reference text, purpose text, cr_name text, dr_name text) returns text
  language sql immutable parallel safe
  return lower(unique_reference || E'\n' || coalesce(purpose, '') || E'\n' || coalesce(cr_name, '') || E'\n' || coalesce(dr_name, ''));
create index transfers_by_words on transfers
  using gin (transfer_words(unique_reference, purpose, cr_name, dr_name) gin_trgm_ops);

-- A reference belongs to one transfer over all ventures. It is claimed here, so that the table of transfers can be split by venture.
create table transfer_references (
  unique_reference text primary key,
  venture_id uuid not null,
  transfer_id uuid not null
);

-- Every move of every transfer, with who made it and why.
create table transfer_moves (
  venture_id uuid not null,
  id uuid not null,
  transfer_id uuid not null,
  from_status text,
  to_status text not null,
  actor text not null check (actor in ('venture', 'service')),
  reason text,
  reason_code text,
  third_party_status text,
  created_at timestamptz(3) not null,
  primary key (venture_id, id),
  foreign key (venture_id, transfer_id) references transfers (venture_id, id)
);

create index transfer_moves_by_transfer on transfer_moves (venture_id, transfer_id, id);
create trigger transfer_moves_are_kept before update or delete or truncate on transfer_moves
  for each statement execute function refuse_change();

-- The ledger: every movement of money is one journal, whose entries sum to zero in each currency. One side is a client's
-- account, the other one of the venture's system accounts, which have no row of their own: their balance is the sum of their entries.
create table entries (
  venture_id uuid not null,
  id uuid not null,
  journal_id uuid not null,
  transfer_id uuid not null,
  account_id uuid,
  system_account text check (system_account ~ '^(settlement:[A-Z_]+|suspense|fees|fx|adjustments):[A-Z]{3}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount numeric not null check (amount <> 0 and abs(amount) < 1e16),
  -- What the account had after this entry.
  balance numeric,
  created_at timestamptz(3) not null,
  primary key (venture_id, id),
  foreign key (venture_id, transfer_id) references transfers (venture_id, id),
  foreign key (venture_id, account_id) references accounts (venture_id, id),
  check ((account_id is null) <> (system_account is null)),
  check ((account_id is null) = (balance is null))
);

create index entries_by_account on entries (venture_id, account_id, id) where account_id is not null;
create index entries_by_system_account on entries (venture_id, system_account) where system_account is not null;

-- One INSERT carries whole journals, so they can be checked statement by statement: 2.6 ms for 256 journals against 10.2 ms
-- with a deferred trigger for each row.
create function require_balance() returns trigger language plpgsql as $$
begin
  if exists (select from new_entries group by venture_id, journal_id, currency having sum(amount) <> 0) then
    raise exception 'a journal does not balance' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger entries_balance after insert on entries referencing new table as new_entries
  for each statement execute function require_balance();
create trigger entries_are_kept before update or delete or truncate on entries for each statement execute function refuse_change();

grant select, insert on transfers, transfer_moves, entries to vostro_service;
grant select, insert, delete on transfer_references to vostro_service;
grant update (status, bank_partner_id, bank_partner_trx_id, signed_at, status_reason, status_reason_code, third_party_status,
  third_party_status_code, third_party_status_reason, updated_at, sequence, on_hold_from, scanned, screened, held, sent, received, hold,
  suspended, counted_on) on transfers to vostro_service;
