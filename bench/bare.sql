-- One transfer as a service without batches would write it: the same rows in one transaction. Run by pgbench, or by a
-- plain client if pgbench is missing; :n is a counter, :client_id and :accounts identify the clients and the accounts.
\set n :n + 1
\set account (:n * 7919 + :client_id * 31) % :accounts
begin;
insert into transfer_references select 'bare-' || :run || '-' || :client_id || '-' || :n, venture_id, bare_id(:run, :n, :client_id) from bench_accounts where number = :account;
select accounts.* from accounts join bench_accounts on accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id where number = :account for no key update of accounts;
select clients.* from clients join bench_accounts on clients.venture_id = bench_accounts.venture_id and clients.id = client_id where number = :account for share of clients;
select beneficiaries.* from beneficiaries join bench_accounts on beneficiaries.venture_id = bench_accounts.venture_id and beneficiaries.id = beneficiary_id where number = :account;
insert into transfers (id, unique_reference, {columns}) select bare_id(:run, :n, :client_id), 'bare-' || :run || '-' || :client_id || '-' || :n, {columns} from bench_transfers where number = :account;
insert into transfer_texts (venture_id, id, words) select venture_id, bare_id(:run, :n, :client_id), lower(concat_ws(chr(10), 'bare-' || :run || '-' || :client_id || '-' || :n, purpose, cr_name, dr_name)) from bench_transfers where number = :account;
insert into transfer_moves select venture_id, bare_id(:run, :n, :client_id), bare_id(:run, :n, :client_id), null, 'CREATED', 'venture', null, null, null, now() from bench_accounts where number = :account;
insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data) select 1, venture_id, bare_id(:run, :n, :client_id), 'transfer.created', bare_id(:run, :n, :client_id), 1, now(), event from bench_accounts where number = :account;
update accounts set used_on = current_date, used_day = used_day + 1, used_month = used_month + 1, used_year = used_year + 1, current_balance = current_balance from bench_accounts where accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id and number = :account;
commit;
