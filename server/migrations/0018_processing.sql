-- Transfers that run by themselves: what the bank has agreed with a venture about them.
alter table policies
  -- Above this debit amount an order needs a signature, and a person at the bank looks at it; null means never.
  add column sign_above numeric check (sign_above >= 0),
  add column review_above numeric check (review_above >= 0),
  add column signer text not null default 'any' check (signer in ('any', 'other', 'user')),
  -- From this score on, a party that resembles an entry of a list is looked at, and from the other one on it should be frozen.
  add column screen_threshold numeric not null default 0.85 check (screen_threshold between 0.5 and 1),
  add column block_threshold numeric not null default 0.97 check (block_threshold between 0.5 and 1),
  -- The lists against which the parties are screened; null means all that are active.
  add column lists text[] check (cardinality(lists) > 0),
  add column screen_peps boolean not null default false,
  add column payee_check text not null default 'off' check (payee_check in ('off', 'warn', 'require')),
  -- How many hours an order waits for money.
  add column funds_wait_h int not null default 24 check (funds_wait_h between 0 and 720),
  add column instant_timeout text not null default 'hold' check (instant_timeout in ('hold', 'restore')),
  add column rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array'),
  add constraint policies_thresholds_in_order check (screen_threshold <= block_threshold);

-- When a transfer that waits is to be planned again, as long as it has this sequence. Most transfers never have a row here: their status is
-- the queue.
create table processing_delays (
  venture_id uuid not null references ventures (id),
  transfer_id uuid not null,
  sequence int not null,
  until timestamptz(3) not null,
  primary key (venture_id, transfer_id)
);
create index processing_delays_by_time on processing_delays (until);
grant select, insert, update, delete on processing_delays to vostro_service;

-- The queue of the processing: what the bank has to take further, and what other banks have to answer.
create index transfers_to_process on transfers (id)
  where managed and status in ('CREATED', 'SIGNED', 'TO_RESERVE', 'RESERVED', 'RECEIVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING',
    'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'TO_RESEND', 'TO_CANCEL', 'ON_HOLD', 'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR', 'ACCEPTED');
