-- What a transfer has booked.
create index entries_by_cause on entries (venture_id, cause_id, id);

-- Deliveries of all endpoints of a venture that have not arrived. Those that have arrived are not in the index.
create index webhook_deliveries_undelivered on webhook_deliveries (venture_id, status, id) where status <> 'DELIVERED';

-- What people find things by: a reference, an IBAN, the beginning of a name.
create index beneficiaries_by_iban on beneficiaries (venture_id, iban) where iban is not null;
create index beneficiaries_by_name on beneficiaries (venture_id, lower(name) text_pattern_ops);
create index clients_by_last_name on clients (venture_id, lower(last_name) text_pattern_ops);
create index payments_by_order_ref on payments (venture_id, order_ref) where order_ref is not null;
create index mandates_by_reference on mandates (venture_id, reference);
