-- Events that have the id of a recorded event and another content. The recorded event stays in effect; these are kept for the operator.
-- The digest keeps repeated deliveries of the same bytes from growing the table.
create table kyc_event_conflicts (
  received_by uuid not null,
  id text not null,
  digest bytea not null,
  raw bytea not null,
  headers json not null,
  received_at timestamptz(3) not null,
  primary key (received_by, id, digest),
  foreign key (received_by, id) references kyc_events (received_by, id)
);

create index kyc_event_conflicts_by_time on kyc_event_conflicts (received_at);

grant select, insert on kyc_event_conflicts to vostro_service;
