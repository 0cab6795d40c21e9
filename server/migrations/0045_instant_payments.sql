-- Instant payments of other banks: our answer to each, and what the clearing system has said about it since. `id`: the transfer, or an id of its own for what
-- we have refused, which is the house's.
create table rail_instants (
  venture_id uuid not null,
  id uuid not null,
  -- The bank that sent it, as in inbound_claims, and the ids of its message.
  sender text not null,
  message_type text not null,
  message_id text not null,
  tx_id text not null,
  end_to_end_id text not null,
  creditor_iban text not null,
  amount numeric not null check (amount > 0 and amount < 1e15),
  currency text not null,
  -- The id of our message that answers it; null for payments of earlier versions.
  answer_id text,
  -- Why we refused it, as a code of the scheme.
  code text,
  -- AWAITED: accepted, and not confirmed by the clearing system. REJECTED: by the clearing system, after our yes.
  state text not null check (state in ('AWAITED', 'CONFIRMED', 'REJECTED', 'REFUSED') and (state = 'REFUSED') = (code is not null)),
  -- Our message that asks what has become of it.
  question_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index rail_instants_by_tx on rail_instants (tx_id);
create index rail_instants_by_message on rail_instants (message_id);
create index rail_instants_by_answer on rail_instants (answer_id);
create index rail_instants_silent on rail_instants (created_at) where state = 'AWAITED' and question_id is null;
grant select, insert on rail_instants to vostro_service;
grant update (state, question_id, updated_at) on rail_instants to vostro_service;

-- Earlier versions took our answer for the end.
insert into rail_instants (venture_id, id, sender, message_type, message_id, tx_id, end_to_end_id, creditor_iban, amount, currency, state, created_at, updated_at)
select venture_id, id, sender, message_type, message_id, tx_id, end_to_end_id, coalesce(original ->> 'creditor_iban', 'UNKNOWN'), amount, currency,
  'CONFIRMED', created_at, created_at
from rail_received where rail = 'INST' and message_type like 'pacs.008%';

-- Runs in which all clients of a venture are compared with all lists.
create table if not exists screening_runs (
  venture_id uuid not null,
  id uuid not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  compared integer not null,
  primary key (venture_id, id)
);
grant select on screening_runs to vostro_service;

-- A list outside Art. 5d of Regulation 260/2012 may be compared during an instant payment.
alter table watchlists add column outside_art_5d boolean not null default false;

alter table screenings drop constraint screenings_cause_check;
alter table screenings add constraint screenings_cause_check
  check (cause in ('processing', 'created', 'changed', 'list', 'nightly', 'art_5d'));

-- What is compared during an instant payment.
alter table policies add column instant_screening text not null default 'clients' check (instant_screening in ('clients', 'transactions'));

-- New ventures get the money of an unanswered instant payment back at once. Those that exist and have no policy of their own keep what they had.
do $$
declare
  venture uuid;
begin
  for venture in select id from ventures where control = 'MANAGED' loop
    if not exists (select from policies where venture_id = venture) then
      insert into policies (era, xid, venture_id, version, card_fee, payout_delay_days, rate_hold_s, actor, created_at)
      values ((select era from event_era), pg_current_xact_id(), venture, 1, 0, 0, 60, 'service', now());
    end if;
  end loop;
end $$;
