-- What the message of a payment says besides the fields of a transfer: references, ultimate parties, the mandate of a direct debit. Few transfers have any, and
-- it never changes, so it is in a table of its own. `detailed` of a transfer says whether there is a row, so that nothing is read for the others.

-- For a distributed database, where triggers have to be allowed.
select set_config('citus.enable_unsafe_triggers', 'on', true), set_config('citus.multi_shard_modify_mode', 'sequential', true);

alter table transfers add column detailed boolean not null default false;

create table transfer_details (
  venture_id uuid not null,
  transfer_id uuid not null,
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  primary key (venture_id, transfer_id)
);
create index transfer_details_by_end_to_end_id on transfer_details (venture_id, (content ->> 'end_to_end_id'))
  where content ->> 'end_to_end_id' is not null;
create index transfer_details_by_uetr on transfer_details (venture_id, (content ->> 'uetr')) where content ->> 'uetr' is not null;
create index transfer_details_by_transaction_id on transfer_details (venture_id, (content ->> 'transaction_id'))
  where content ->> 'transaction_id' is not null;
create trigger transfer_details_are_kept before update or delete or truncate on transfer_details
  for each statement execute function refuse_change();
select begin_to_seal('transfer_details');
grant select, insert on transfer_details to vostro_service;

-- In a distributed database, rows that are sealed have the number of the worker that has them.
do $$
begin
  if to_regclass('claims') is not null then
    create trigger transfer_details_are_numbered before insert on transfer_details for each row execute function number_row();
  end if;
end $$;

-- Money that no account can take is applied later, with what its message said.
alter table unapplied_payments add column said jsonb;
