-- People of the bank who count as one cannot approve what the other asks for, until a third admin clears the pair. A clearing covers what related
-- the two by then (`ties`: the links and approvals), and nothing later. It is never changed, only taken back. The two are in the order of their ids.
create table pair_clearings (
  venture_id uuid not null,
  id uuid not null,
  one_id uuid not null,
  other_id uuid not null,
  ties uuid[] not null check (cardinality(ties) > 0),
  reason text not null check (char_length(reason) between 1 and 255),
  cleared_by uuid not null,
  cleared_at timestamptz(3) not null,
  taken_back_by uuid,
  taken_back_at timestamptz(3),
  primary key (venture_id, id),
  check (one_id < other_id),
  check (cleared_by not in (one_id, other_id)),
  check (taken_back_at is not null or taken_back_by is null)
);

create unique index pair_clearings_open on pair_clearings (venture_id, one_id, other_id) where taken_back_at is null;

grant select, insert on pair_clearings to vostro_service;
grant update (taken_back_by, taken_back_at) on pair_clearings to vostro_service;

-- What pairs have agreed on lately.
create index approvals_agreed on approvals (decided_at) where state = 'APPROVED';
