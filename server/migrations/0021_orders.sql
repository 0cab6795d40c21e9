-- Orders of ventures whose transfers the bank processes: signatures, verified payees, and payments that stay in the bank.
alter table transfers
  -- The key or the person that ordered it; null for the service, for rails and where the venture processes its transfers itself.
  add column ordered_by uuid,
  -- SHA-256 over what was signed.
  add column signed_hash text check (signed_hash ~ '^[0-9a-f]{64}$'),
  -- The verification of the payee that the order relied on.
  add column payee_verification_id uuid,
  -- Whether the other account is in this bank, too, so that the money does not leave it.
  add column on_us boolean not null default false;
grant update (signed_hash) on transfers to vostro_service;

-- What waits for a signature already knows who ordered it.
update transfers transfer set ordered_by = move.actor_id
from transfer_moves move
where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id and move.from_status is null
  and transfer.managed and 'TO_SIGN' in (transfer.status, transfer.on_hold_from);

-- Answers to the question whether an account belongs to somebody. A transfer relies on one for a day.
create table payee_verifications (
  venture_id uuid not null references ventures (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 140),
  iban text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  result text not null check (result in ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  -- The name of the holder, which only a close match tells.
  matched_name text check ((matched_name is null) = (result <> 'CLOSE_MATCH')),
  -- Why it was not possible.
  reason text check ((reason is null) = (result <> 'NOT_POSSIBLE')),
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index payee_verifications_by_iban on payee_verifications (venture_id, iban, created_at desc);
grant select, insert on payee_verifications to vostro_service;
