-- Ventures are the tenants. Only the SHA-256 of a key is kept; the prefix lets people recognise a key without having it.
create table ventures (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 140),
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  api_key_hash text not null unique check (api_key_hash ~ '^[0-9a-f]{64}$'),
  api_key_prefix text not null check (char_length(api_key_prefix) = 12),
  created_at timestamptz(3) not null
);

grant select, insert on ventures to vostro_service;
grant update (name, status, api_key_hash, api_key_prefix) on ventures to vostro_service;
