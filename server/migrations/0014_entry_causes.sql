-- An entry names what it was booked for by kind and id, so that more than transfers can be booked. No foreign key can point to a table
-- that depends on the kind: `npm run verify` asks whether every cause exists and is the same venture's.
alter table entries drop constraint entries_venture_id_transfer_id_fkey;
alter table entries rename column transfer_id to cause_id;

-- Rows of entries are never updated. The default is a constant, which tells what the rows so far have without rewriting them, and goes
-- again so that whoever writes an entry has to say.
alter table entries add column cause_kind text not null default 'transfer' check (cause_kind in ('transfer'));
alter table entries alter column cause_kind drop default;
