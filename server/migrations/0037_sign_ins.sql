-- What has happened to the sign-in of each person: sign-ins, failures, proofs, sign-outs and changes of factors, with the address that they came from. An
-- attempt is written as a failure before the password is checked, and becomes a success with the session. Old rows are deleted.
create table sign_ins (
  id uuid primary key,
  user_id uuid not null references users,
  what text not null check (what in (
    'SIGNED_IN', 'SIGN_IN_FAILED', 'SIGN_IN_THROTTLED', 'PROVED', 'PROOF_FAILED', 'SIGNED_OUT', 'SESSION_ENDED', 'SESSIONS_ENDED',
    'PASSWORD_CHANGED', 'PASSWORD_RESET', 'PASSKEY_ADDED', 'PASSKEY_REMOVED'
  )),
  factor text check (factor in ('PASSWORD', 'PASSKEY')),
  -- Null if somebody else did it.
  address text,
  -- Not a reference: sessions are deleted when they have ended.
  session_id uuid,
  created_at timestamptz(3) not null
);

create index sign_ins_by_user on sign_ins (user_id, id);
create index sign_ins_by_age on sign_ins (created_at);

grant select, insert, delete on sign_ins to vostro_service;
grant update (what, session_id) on sign_ins to vostro_service;
