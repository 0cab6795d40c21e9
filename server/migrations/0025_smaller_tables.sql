-- Tables that stay small. The data of events is stored in a shorter form from now on (events/events.packing.ts); rows from before stay as they are.

-- The rows of a resource have the same key, which PostgreSQL then stores once: 152 bytes for a transfer with eight moves, against 682 with the sequence
-- in the index and 804 with the id. They are few, so they are sorted after they are read. That no sequence is given twice is kept by the lock of the
-- resource, and checked by verify.
create index events_by_resource on events (venture_id, resource_id);
alter table events drop constraint events_venture_id_resource_id_sequence_key;
drop index transfer_moves_by_transfer;
create index transfer_moves_by_transfer on transfer_moves (venture_id, transfer_id);

drop index entries_by_cause;
create index entries_by_cause on entries (venture_id, cause_id);

-- Lists by a value that very many rows have find enough of them without an index. Where a venture has few of them, the list is read in pieces.
drop index events_by_type;
create index events_by_type on events (venture_id, type, id)
  where type not in ('transfer.created', 'transfer.status_changed', 'transfer.completed');
drop index transfers_by_type;
create index transfers_by_type on transfers (venture_id, transfer_type, id) where transfer_type <> 'PAYMENT';
drop index transfers_by_method;
create index transfers_by_method on transfers (venture_id, method, id) where method <> 'SEPA';
