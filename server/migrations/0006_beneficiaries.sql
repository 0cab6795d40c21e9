-- Whom clients pay. Where the money goes is fixed at creation; only whether it is displayed may change.
create table beneficiaries (
  venture_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  name text not null check (char_length(name) between 1 and 140),
  beneficiary_type text not null check (beneficiary_type in ('PERSON', 'COMPANY')),
  display boolean not null,
  iban text check (iban ~ '^[A-Z0-9]{15,34}$'),
  bic text check (bic ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  account_number text check (account_number ~ '^[A-Z0-9]([A-Z0-9./ -]{0,32}[A-Z0-9])?$'),
  routing_number text check (routing_number ~ '^[0-9]{9}$'),
  swift_code text check (swift_code ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  bank_name text check (char_length(bank_name) between 1 and 140),
  bank_address text check (char_length(bank_address) between 1 and 255),
  address text check (char_length(address) between 1 and 255),
  city text check (char_length(city) between 1 and 255),
  postal_code text check (char_length(postal_code) between 1 and 255),
  country_code text check (country_code ~ '^[A-Z]{3}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null check (sequence > 0),
  primary key (venture_id, id),
  foreign key (venture_id, client_id) references clients (venture_id, id),
  check (iban is not null or account_number is not null)
);

-- Lists of one client.
create index beneficiaries_by_client on beneficiaries (venture_id, client_id, id);

grant select, insert on beneficiaries to vostro_service;
grant update (display, updated_at, sequence) on beneficiaries to vostro_service;
