-- The stand-in for the identity verifier: the applications that it was asked for. Empty outside the sandbox.
create table sandbox_applications (
  id uuid primary key,
  client_id text not null unique,
  name text not null,
  token text not null unique,
  events_sent int not null default 0,
  decision text check (decision in ('APPROVED', 'DECLINED', 'REVIEW', 'ABORTED')),
  created_at timestamptz(3) not null default now()
);

grant select, insert, update on sandbox_applications to vostro_service;
