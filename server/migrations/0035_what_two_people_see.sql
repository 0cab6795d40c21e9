-- What a second person decides about: who gets how much from which account, or what changes. It is noted by a rehearsal, and compared when the approval
-- is carried out. A create that waits is recognised by its reference when it is repeated.
alter table approvals
  add column subject json,
  add column subject_hash text check (subject_hash ~ '^[0-9a-f]{64}$'),
  add column reference text check (char_length(reference) between 1 and 300),
  add column reason_code text check (char_length(reason_code) between 1 and 100),
  add check ((subject is null) = (subject_hash is null));

create unique index approvals_pending_by_reference on approvals (venture_id, action, reference) where state = 'PENDING' and reference is not null;

grant update (reason_code) on approvals to vostro_service;

-- An order of the bank's side is authenticated by two people, where four eyes are on: the approval says by whom.
alter table transfers
  add column authentication text check (authentication in ('BANK')),
  add column approval_id uuid;
