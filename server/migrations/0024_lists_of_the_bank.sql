-- Messages, newest first: the ids of received ones are made from their files and say nothing about the time.
create index rail_messages_by_time on rail_messages (created_at, id);

-- The open cases of a person, and those of nobody.
create index cases_open_by_assignee on cases (assignee_id, id) where state = 'OPEN';

-- What a person has requested.
create index approvals_by_maker on approvals (maker_id, id);
