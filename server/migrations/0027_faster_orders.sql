-- What an order costs the database, and what it need not cost.

-- For a distributed database, where triggers have to be allowed.
select set_config('citus.enable_unsafe_triggers', 'on', true);

-- What searches of transfers look through: a row for the transfers that one batch has created of a venture, some dozens of them under load. `id` is one
-- of them, and `others` are the rest. `words` has each of their texts once, in lower case, on a line of its own. A sequence of three letters that many of
-- them have is then one entry of the index and not one for each: with the texts of each transfer in it, the index alone took a fifth of a create.
create table transfer_texts (
  venture_id uuid not null,
  id uuid not null,
  others uuid[],
  words text not null,
  primary key (venture_id, id)
);
create trigger transfer_texts_are_kept before update or delete or truncate on transfer_texts
  for each statement execute function refuse_change();
grant select, insert on transfer_texts to vostro_service;

insert into transfer_texts (venture_id, id, others, words)
select venture_id, (array_agg(distinct id))[1], (array_agg(distinct id))[2:], string_agg(distinct lower(line), E'\n')
from (select *, row_number() over (partition by venture_id order by id) / 32 as part from transfers) as transfer
  cross join lateral (values (unique_reference), (purpose), (cr_name), (dr_name)) as text (line)
where line is not null
group by venture_id, part;

create index transfer_texts_by_words on transfer_texts using gin (words gin_trgm_ops);
drop index transfers_by_words;

-- A batch has read, locked or written the rows that these keys named before it writes the rows that name them, and nobody can delete them. `verify` checks all
-- of them ("no row points across ventures").
alter table transfers
  drop constraint transfers_venture_id_account_id_fkey,
  drop constraint transfers_venture_id_receiver_account_id_fkey,
  drop constraint transfers_venture_id_beneficiary_id_fkey;
alter table transfer_moves drop constraint transfer_moves_venture_id_transfer_id_fkey;
alter table entries drop constraint entries_venture_id_account_id_fkey;
create trigger accounts_are_kept before delete or truncate on accounts for each statement execute function refuse_change();
create trigger beneficiaries_are_kept before delete or truncate on beneficiaries for each statement execute function refuse_change();
create trigger transfers_are_kept before delete or truncate on transfers for each statement execute function refuse_change();

-- The same rules as before. A pattern that counts takes PostgreSQL longer the further it counts, and every check of a row is made again when the row is
-- changed: 20 µs for a reference, 64 for a key, 12 for a hash and 7 for the number of an account, against 1 or 2.
alter table transfers
  drop constraint transfers_unique_reference_check,
  drop constraint transfers_signed_hash_check,
  add check (char_length(unique_reference) between 1 and 128 and unique_reference !~ '[^ -~]'),
  add check (char_length(signed_hash) = 64 and signed_hash !~ '[^0-9a-f]');
alter table accounts
  drop constraint accounts_account_number_check,
  add check (char_length(account_number) between 15 and 34 and account_number ~ '^[A-Z]{2}[0-9]{2}' and account_number !~ '[^A-Z0-9]');
alter table idempotency_keys
  drop constraint idempotency_keys_key_check,
  drop constraint idempotency_keys_request_hash_check,
  add check (char_length(key) between 1 and 255 and key !~ '[^ -~]'),
  add check (char_length(request_hash) = 64 and request_hash !~ '[^0-9a-f]');
