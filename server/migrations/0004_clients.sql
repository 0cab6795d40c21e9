-- Clients are persons; the profile and the state of their verification are one row. Ventures are never deleted, so no foreign
-- key to them: it would cost a look-up and a shared lock of the same few rows for every client and event.
create table clients (
  venture_id uuid not null,
  id uuid not null,
  first_name text not null check (char_length(first_name) between 1 and 140),
  middle_name text check (char_length(middle_name) between 1 and 140),
  last_name text not null check (char_length(last_name) between 1 and 140),
  date_of_birth date not null,
  gender text check (gender in ('male', 'female')),
  nationality text not null check (nationality ~ '^[A-Z]{3}$'),
  birth_country text not null check (birth_country ~ '^[A-Z]{3}$'),
  country_of_tax_residence text not null check (country_of_tax_residence ~ '^[A-Z]{3}$'),
  country_code text not null check (country_code ~ '^[A-Z]{3}$'),
  address text not null check (char_length(address) between 1 and 255),
  city text not null check (char_length(city) between 1 and 255),
  postcode text not null check (char_length(postcode) between 1 and 255),
  state_province text check (char_length(state_province) <= 255),
  email text not null check (char_length(email) <= 254),
  second_email text check (char_length(second_email) <= 254),
  mobile_phone_number text check (mobile_phone_number ~ '^\+[0-9]{3,15}$'),
  second_mobile_phone_number text check (second_mobile_phone_number ~ '^\+[0-9]{3,15}$'),
  organization_id int not null,
  external_client_code text check (char_length(external_client_code) <= 255),
  planned_income text check (char_length(planned_income) <= 255),
  planned_expenditure text check (char_length(planned_expenditure) <= 255),
  kyc_level text not null check (kyc_level in ('FULL_KYC', 'DOC_ONLY', 'NOT_REQUIRED')),
  kyc_status text not null check (kyc_status in ('NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'VALIDATED', 'DECLINED')),
  kyc_note text check (char_length(kyc_note) <= 255),
  risk_level text not null check (risk_level in ('Low', 'Medium', 'High')),
  blocked boolean not null,
  is_blacklisted boolean not null,
  blacklisted_comment text check (char_length(blacklisted_comment) <= 255),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null,
  primary key (venture_id, id)
);

-- Events of the verifier may know a client only by its id. Hashed, so that no list is tempted to walk it through other ventures' rows.
create index clients_by_id on clients using hash (id);

-- Lists filtered by status.
create index clients_by_kyc_status on clients (venture_id, kyc_status, id);

-- An email belongs to one client over all ventures. It is claimed here, so that the table of clients can be split by venture.
create table client_emails (
  email text primary key check (email = lower(email)),
  venture_id uuid not null,
  client_id uuid not null
);

grant select, insert on clients to vostro_service;
grant update (address, city, postcode, state_province, country_code, email, second_email, mobile_phone_number, second_mobile_phone_number,
  external_client_code, planned_income, planned_expenditure, kyc_status, kyc_note, risk_level, blocked, is_blacklisted, blacklisted_comment,
  updated_at, sequence) on clients to vostro_service;
grant select, insert, delete on client_emails to vostro_service;
