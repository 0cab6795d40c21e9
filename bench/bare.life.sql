-- The whole life of an INTERNAL transfer as a service without batches would write it: six transactions with the same rows as the
-- service writes, including the receiver's record and the journal.
\set n :n + 1
\set account (:n * 7919 + :client_id * 31) % :accounts
\set to (:account + 1) % :accounts
begin;
insert into transfer_references select 'life-' || :run || '-' || :client_id || '-' || :n, venture_id, bare_id(:run, :n, :client_id) from bench_accounts where number = :account;
select accounts.* from accounts join bench_accounts on accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id where number = :account for no key update of accounts;
select clients.* from clients join bench_accounts on clients.venture_id = bench_accounts.venture_id and clients.id = client_id where number = :account for share of clients;
select beneficiaries.* from beneficiaries join bench_accounts on beneficiaries.venture_id = bench_accounts.venture_id and beneficiaries.id = beneficiary_id where number = :account;
insert into transfers (id, unique_reference, {columns}) select bare_id(:run, :n, :client_id), 'life-' || :run || '-' || :client_id || '-' || :n, {columns} from bench_transfers where number = :account;
insert into transfer_texts (venture_id, id, words) select venture_id, bare_id(:run, :n, :client_id), lower(concat_ws(chr(10), 'life-' || :run || '-' || :client_id || '-' || :n, purpose, cr_name, dr_name)) from bench_transfers where number = :account;
insert into transfer_moves select venture_id, bare_id(:run, :n * 16, :client_id), bare_id(:run, :n, :client_id), null, 'CREATED', 'venture', null, null, null, now() from bench_accounts where number = :account;
insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data) select 1, venture_id, bare_id(:run, :n * 16, :client_id), 'transfer.created', bare_id(:run, :n, :client_id), 1, now(), event from bench_accounts where number = :account;
commit;
begin;
select accounts.* from accounts join bench_accounts on accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id where number = :account for no key update of accounts;
select transfers.* from transfers join bench_accounts using (venture_id) where number = :account and id = bare_id(:run, :n, :client_id) for no key update of transfers;
update transfers set status = 'RESERVED', held = true, hold = 1, sequence = 2, updated_at = now() from bench_accounts where number = :account and transfers.venture_id = bench_accounts.venture_id and id = bare_id(:run, :n, :client_id);
update accounts set reserved_balance = reserved_balance + 1, used_on = current_date, used_day = used_day + 1, used_month = used_month + 1, used_year = used_year + 1 from bench_accounts where accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id and number = :account;
insert into transfer_moves select venture_id, bare_id(:run, :n * 16 + 1, :client_id), bare_id(:run, :n, :client_id), 'CREATED', 'RESERVED', 'venture', null, null, null, now() from bench_accounts where number = :account;
insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data) select 1, venture_id, bare_id(:run, :n * 16 + 1, :client_id), 'transfer.status_changed', bare_id(:run, :n, :client_id), 2, now(), event from bench_accounts where number = :account;
commit;
{moves}
begin;
select accounts.* from accounts join bench_accounts on accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id where number in (:account, :to) order by accounts.id for no key update of accounts;
select transfers.* from transfers join bench_accounts using (venture_id) where number = :account and id = bare_id(:run, :n, :client_id) for no key update of transfers;
insert into transfer_references select 'life-' || :run || '-' || :client_id || '-' || :n || '-in', venture_id, bare_id(:run, :n * 16 + 6, :client_id + 1000) from bench_accounts where number = :to;
insert into transfers (id, unique_reference, {columns}) select bare_id(:run, :n * 16 + 6, :client_id + 1000), 'life-' || :run || '-' || :client_id || '-' || :n || '-in', {columns} from bench_transfers where number = :to;
insert into transfer_texts (venture_id, id, words) select venture_id, bare_id(:run, :n * 16 + 6, :client_id + 1000), lower(concat_ws(chr(10), 'life-' || :run || '-' || :client_id || '-' || :n || '-in', purpose, cr_name, dr_name)) from bench_transfers where number = :to;
update transfers set status = 'COMPLETED', hold = 0, sequence = 6, updated_at = now() from bench_accounts where number = :account and transfers.venture_id = bench_accounts.venture_id and id = bare_id(:run, :n, :client_id);
update accounts set reserved_balance = reserved_balance - 1, current_balance = current_balance - 1, last_activity_date = now() from bench_accounts where accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id and number = :account;
update accounts set current_balance = current_balance + 1, last_activity_date = now() from bench_accounts where accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id and number = :to;
insert into transfer_moves select venture_id, bare_id(:run, :n * 16 + 5, :client_id), bare_id(:run, :n, :client_id), 'AML_APPROVED', 'COMPLETED', 'venture', null, null, null, now() from bench_accounts where number = :account union all select venture_id, bare_id(:run, :n * 16 + 6, :client_id), bare_id(:run, :n * 16 + 6, :client_id + 1000), null, 'COMPLETED', 'service', null, null, null, now() from bench_accounts where number = :to;
insert into entries select venture_id, bare_id(:run, :n * 16 + (case when number = :account then 7 else 8 end), :client_id), bare_id(:run, :n, :client_id), bare_id(:run, :n, :client_id), account_id, null, 'EUR', case when number = :account then -1 else 1 end, 1, now(), 'transfer' from bench_accounts where number in (:account, :to);
insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data) select 1, venture_id, bare_id(:run, :n * 16 + 5, :client_id), 'transfer.completed', bare_id(:run, :n, :client_id), 6, now(), event from bench_accounts where number = :account union all select 1, venture_id, bare_id(:run, :n * 16 + 7, :client_id), 'transfer.created', bare_id(:run, :n * 16 + 6, :client_id + 1000), 1, now(), event from bench_accounts where number = :to union all select 1, venture_id, bare_id(:run, :n * 16 + 8, :client_id), 'transfer.completed', bare_id(:run, :n * 16 + 6, :client_id + 1000), 2, now(), event from bench_accounts where number = :to;
commit;
