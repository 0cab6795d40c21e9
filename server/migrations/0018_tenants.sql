-- Workers take the jobs of all ventures in turn, so that a thousand jobs of one do not delay those of another. A job that belongs to no
-- venture has the nil UUID.
alter table jobs add column venture_id uuid not null default '00000000-0000-0000-0000-000000000000';
update jobs set venture_id = (payload ->> 'venture_id')::uuid
where payload ->> 'venture_id' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$';
create index jobs_by_venture on jobs (kind, venture_id, due_at) where state = 'READY';

-- Payers of a link that has no place left share a payment that nobody has paid yet; it then has the details of the last of them.
grant update (customer_name, customer_email, customer_phone) on payments to vostro_service;
