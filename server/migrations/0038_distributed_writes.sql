-- A reference is claimed by the transaction that writes its transfer. Earlier versions claimed it before that in a distributed database, and a claim whose
-- transfer did not come to be was left behind. All instances are stopped while a version changes, so no such transaction runs.
-- Citus compares them with the ids of all transfers, which may be many.
set local citus.max_intermediate_result_size to -1;
delete from transfer_references where attempt is not null and (venture_id, transfer_id) not in (select venture_id, id from transfers);
alter table transfer_references drop column attempt;

-- For statements that change a table of the coordinator: Citus refuses those that read a table which it has distributed, as event_era is, beside it.
create function current_era() returns int language plpgsql stable as $$ begin return (select era from event_era); end $$;
