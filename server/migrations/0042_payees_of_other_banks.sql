-- For a distributed database, where triggers have to be allowed.
select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true);

-- The id of an organisation is verified apart from its name.
alter table payee_verifications
  add column identification jsonb check (jsonb_typeof(identification) = 'object'),
  add column id_result text check (id_result in ('MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  add constraint payee_verifications_id_has_result check ((identification is null) = (id_result is null));

-- What banks have asked each other about payees: this bank others for a venture (ASKED), or others this bank (ANSWERED), about an account that the house
-- stands for if it does not exist. The question itself is not kept, only its SHA-256. Rows never change and are deleted after some time.
create table vop_exchanges (
  venture_id uuid not null references ventures (id),
  id uuid not null,
  direction text not null check (direction in ('ASKED', 'ANSWERED')),
  request_id uuid not null,
  -- The other bank; null if the routing service had to find it.
  bic text check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$' and (bic is not null or direction = 'ASKED')),
  account_id uuid,
  asked_at timestamptz(3) not null,
  -- Null if there was no answer.
  answered_at timestamptz(3),
  result text check (result in ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  id_result text check (id_result in ('MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  question_hash text not null check (question_hash ~ '^[0-9a-f]{64}$'),
  primary key (venture_id, id),
  check ((answered_at is null) = (result is null and id_result is null))
);
create index vop_exchanges_by_account on vop_exchanges (venture_id, account_id, left(bic, 8), id) where account_id is not null;
create trigger vop_exchanges_are_kept before update or truncate on vop_exchanges for each statement execute function refuse_change();
grant select, insert, delete on vop_exchanges to vostro_service;

-- New ventures begin with the payee check `warn`. What has been agreed with those of today stays: a venture without a version gets one with the old values.
do $$
declare
  managed uuid;
begin
  for managed in select id from ventures where control = 'MANAGED' order by id loop
    if not exists (select from policies where venture_id = managed) then
      insert into policies (era, xid, venture_id, version, card_fee, payout_delay_days, rate_hold_s, signer, screen_threshold, block_threshold, screen_peps,
        payee_check, funds_wait_h, instant_timeout, rules, actor, created_at)
      values ((select era from event_era), pg_current_xact_id(), managed, 1, 0, 0, 60, 'any', 0.85, 0.97, false, 'off', 24, 'hold', '[]', 'service', bank_now());
    end if;
  end loop;
end $$;
