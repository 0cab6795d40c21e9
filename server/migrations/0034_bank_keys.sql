-- Keys of the bank, with one scope each: a connector does one thing with one. Only the SHA-256 of a key is kept. Keys stay after they were revoked: the
-- audit log names them.
create table bank_keys (
  id uuid primary key,
  key_hash text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
  name text not null check (char_length(name) between 1 and 140),
  prefix text not null check (char_length(prefix) = 12),
  scope text not null check (scope in ('payees', 'lists', 'metrics')),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null
);

grant select, insert on bank_keys to vostro_service;
grant update (revoked_at, last_used_at) on bank_keys to vostro_service;
