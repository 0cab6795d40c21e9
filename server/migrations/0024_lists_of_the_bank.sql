-- Messages, newest first: the ids of received ones are made from their files and say nothing about the time.
create index rail_messages_by_time on rail_messages (created_at, id);

-- The open cases of a person, and those of nobody.
create index cases_open_by_assignee on cases (assignee_id, id) where state = 'OPEN';

-- What a person has requested.
create index approvals_by_maker on approvals (maker_id, id);

-- Which transfer a transaction of a received message is about, and what was booked for it: a transfer, an unapplied payment or a break. Null for
-- transactions that were applied before.
alter table rail_applied add column transfer_id uuid, add column booked_id uuid;
grant update (transfer_id, booked_id) on rail_applied to vostro_service;
create index rail_applied_by_transfer on rail_applied (transfer_id) where transfer_id is not null;
create index rail_applied_by_booked on rail_applied (booked_id) where booked_id is not null;
