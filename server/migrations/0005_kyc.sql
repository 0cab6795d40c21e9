-- What a client said about money and work, once; and the application that the verifier opened because of it.
create table onboarding_details (
  venture_id uuid not null,
  client_id uuid not null,
  id uuid not null,
  account_purposes text[] not null,
  expected_monthly_incoming_volume text not null,
  expected_monthly_outgoing_volume text not null,
  occupation text not null,
  occupation_sector text not null,
  source_of_funds text not null,
  is_us_person boolean not null,
  funds_origin_country_id int,
  other_occupation text check (char_length(other_occupation) <= 255),
  other_source_of_funds text check (char_length(other_source_of_funds) <= 255),
  tax_identification_number text check (char_length(tax_identification_number) <= 255),
  kyc_application_id uuid,
  kyc_link text check (char_length(kyc_link) <= 2048),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  sequence int not null,
  primary key (venture_id, client_id),
  foreign key (venture_id, client_id) references clients (venture_id, id)
);

create index onboarding_by_application on onboarding_details using hash (kyc_application_id);

-- Events of the verifier, as they arrived: the exact bytes, what was understood, and whom they concern. Whoever brought an event
-- (a venture, or the verifier's relay: the zero id) has its own names for events, so nobody can use up another's.
create table kyc_events (
  received_by uuid not null,
  id text not null check (char_length(id) between 1 and 255),
  type text not null,
  sequence bigint,
  created_at timestamptz(3) not null,
  application_id text,
  subject_id text,
  data json not null,
  raw bytea not null,
  headers json not null,
  received_at timestamptz(3) not null,
  verdict text not null check (verdict in ('APPLIED', 'IGNORED', 'UNMATCHED')),
  venture_id uuid,
  client_id uuid,
  primary key (received_by, id),
  foreign key (venture_id, client_id) references clients (venture_id, id),
  check ((verdict = 'APPLIED') = (client_id is not null)),
  check ((venture_id is null) = (client_id is null))
);

create index kyc_events_by_client on kyc_events (venture_id, client_id) where client_id is not null;
create index kyc_events_unmatched on kyc_events (received_at) where verdict = 'UNMATCHED';
create index kyc_events_waiting on kyc_events (application_id) where verdict = 'UNMATCHED';

-- What the events so far come to, so that a later word of the venture is not overruled by an old event.
create table kyc_conclusions (
  venture_id uuid not null,
  client_id uuid not null,
  risk_level text,
  note text,
  primary key (venture_id, client_id),
  foreign key (venture_id, client_id) references clients (venture_id, id)
);

grant select, insert on onboarding_details, kyc_events, kyc_conclusions to vostro_service;
grant update (kyc_application_id, kyc_link, updated_at, sequence) on onboarding_details to vostro_service;
grant update (verdict, venture_id, client_id) on kyc_events to vostro_service;
grant update (risk_level, note) on kyc_conclusions to vostro_service;
