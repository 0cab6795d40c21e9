-- Rows that decide who may do what, or who is paid, change, so that they cannot be sealed. Each change of one adds a line here, in the same statement:
-- SHA-256 over what decides in the row, or null if the row is gone. The newest line of a row has the greatest version. Which tables these are, and what decides in
-- them, is in database.states.ts.
create sequence row_state_versions;

create table row_states (
  venture_id uuid not null,
  version bigint not null check (version > 0),
  table_name text not null,
  row_id uuid not null,
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  primary key (venture_id, version)
);
create trigger row_states_are_kept before update or delete or truncate on row_states for each statement execute function refuse_change();
-- The steps of the admin key never change.
select begin_to_seal('row_states', 'admin_key_steps');
grant select, insert on row_states to vostro_service;
grant usage on sequence row_state_versions to vostro_service;

-- The first lines of the rows that are there when their table is added. `decides` is what decides in a row: as a text for each column, without those that
-- are null.
create function state_rows(name text, venture text, id text, decides text) returns void language plpgsql as $$
begin
  execute format('insert into row_states (era, xid, venture_id, version, table_name, row_id, hash)
    select (select era from event_era), pg_current_xact_id(), %s, nextval(''row_state_versions''), %L, %s,
      encode(sha256(convert_to(jsonb_strip_nulls(jsonb_build_object(%s))::text, ''UTF8'')), ''hex'') from %I', venture, name, id, decides, name);
end $$;
revoke all on function state_rows from public;
select state_rows('users', $$'00000000-0000-0000-0000-000000000000'::uuid$$, 'id', $$
  'email', email::text, 'name', name::text, 'password_hash', password_hash::text, 'status', status::text$$);
select state_rows('memberships', $$venture_id$$, 'user_id', $$
  'role', role::text, 'created_at', (extract(epoch from created_at) * 1000)::bigint::text$$);
select state_rows('passkeys', $$'00000000-0000-0000-0000-000000000000'::uuid$$, 'id', $$
  'credential_id', credential_id::text, 'user_id', user_id::text, 'public_key', encode(public_key, 'hex'),
  'created_at', (extract(epoch from created_at) * 1000)::bigint::text$$);
select state_rows('api_keys', $$venture_id$$, 'id', $$
  'key_hash', key_hash::text, 'name', name::text, 'prefix', prefix::text, 'scopes', scopes::text, 'seen_by_bank', seen_by_bank::text,
  'expires_at', (extract(epoch from expires_at) * 1000)::bigint::text, 'revoked_at', (extract(epoch from revoked_at) * 1000)::bigint::text$$);
select state_rows('bank_keys', $$'00000000-0000-0000-0000-000000000000'::uuid$$, 'id', $$
  'key_hash', key_hash::text, 'name', name::text, 'prefix', prefix::text, 'scope', scope::text,
  'expires_at', (extract(epoch from expires_at) * 1000)::bigint::text, 'revoked_at', (extract(epoch from revoked_at) * 1000)::bigint::text$$);
select state_rows('pair_clearings', $$venture_id$$, 'id', $$
  'one_id', one_id::text, 'other_id', other_id::text, 'ties', ties::text, 'reason', reason::text, 'cleared_by', cleared_by::text,
  'cleared_at', (extract(epoch from cleared_at) * 1000)::bigint::text, 'taken_back_by', taken_back_by::text,
  'taken_back_at', (extract(epoch from taken_back_at) * 1000)::bigint::text$$);
select state_rows('beneficiaries', $$venture_id$$, 'id', $$
  'client_id', client_id::text, 'name', name::text, 'beneficiary_type', beneficiary_type::text, 'display', display::text, 'iban', iban::text,
  'bic', bic::text, 'account_number', account_number::text, 'routing_number', routing_number::text, 'swift_code', swift_code::text,
  'bank_name', bank_name::text, 'bank_address', bank_address::text, 'address', address::text, 'city', city::text,
  'postal_code', postal_code::text, 'country_code', country_code::text$$);
select state_rows('approvals', $$venture_id$$, 'id', $$
  'action', action::text, 'resource_id', resource_id::text, 'payload', payload::text, 'payload_hash', payload_hash::text,
  'subject', subject::text, 'subject_hash', subject_hash::text, 'reference', reference::text, 'sequence', sequence::text,
  'maker_id', maker_id::text, 'checker_id', checker_id::text, 'state', state::text, 'reason', reason::text, 'reason_code', reason_code::text,
  'expires_at', (extract(epoch from expires_at) * 1000)::bigint::text, 'decided_at', (extract(epoch from decided_at) * 1000)::bigint::text$$);
