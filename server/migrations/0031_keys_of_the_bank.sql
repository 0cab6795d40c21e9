-- The bank sees the keys that it makes for a venture. In a MANAGED venture such a key orders no money. Keys from before stay as they are.
alter table api_keys add column seen_by_bank boolean not null default false;

-- What the admin key may still do, for ever: from two admins with a passkey on it lets in only the third one, from three on it may do nothing. A step is
-- kept when a passkey is lost, so that nobody brings the key back by removing one. `admins` are those who had a passkey then.
create table admin_key_steps (
  step text primary key check (step in ('THIRD_ADMIN', 'NOTHING')),
  admins uuid[] not null,
  at timestamptz(3) not null
);

create trigger admin_key_steps_are_kept before update or delete or truncate on admin_key_steps for each statement execute function refuse_change();

grant select, insert on admin_key_steps to vostro_service;
