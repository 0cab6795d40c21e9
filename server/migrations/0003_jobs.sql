-- Work to be done outside the transaction that caused it: rows written with their cause, taken by any worker of any instance.
-- A taken job is merely due later (its lease); a worker that dies gives it back by not deleting it in time.
create table jobs (
  id uuid primary key,
  kind text not null check (char_length(kind) between 1 and 100),
  payload json not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  state text not null default 'READY' check (state in ('READY', 'DEAD')),
  last_error text check (char_length(last_error) <= 1000),
  created_at timestamptz(3) not null default now()
);

create index jobs_due on jobs (kind, due_at) where state = 'READY';

grant select, insert, update, delete on jobs to vostro_service;
