-- What people add to cases: notes, files, links and questions to ventures. All of it is inserted once; only a question gets its answer later. The audit
-- log, which is sealed, names the SHA-256 of each text and file.
create table case_notes (
  venture_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  text text not null check (char_length(text) between 1 and 2000),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Null if it was the admin key.
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create index case_notes_by_case on case_notes (venture_id, case_id, id);
grant select, insert on case_notes to vostro_service;

-- The bytes are in stored_files, or in another store of files, under the same venture and id. A file that a venture sent names the question.
create table case_files (
  venture_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  question_id uuid,
  name text not null check (char_length(name) between 1 and 140),
  type text not null check (char_length(type) between 1 and 100),
  size int not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Null if it was the admin key, or a key or person of the venture.
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
create unique index case_files_by_content on case_files (venture_id, case_id, question_id, sha256) nulls not distinct;
grant select, insert on case_files to vostro_service;

-- Each of two linked cases has a row with the other, because they may belong to different ventures.
create table case_links (
  venture_id uuid not null,
  case_id uuid not null,
  other_case_id uuid not null check (other_case_id <> case_id),
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (venture_id, case_id, other_case_id)
);
grant select, insert on case_links to vostro_service;

-- The venture is the one that is asked, which sees the question and never the case.
create table case_questions (
  venture_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  text text not null check (char_length(text) between 1 and 2000),
  due_on date not null,
  state text not null check (state in ('OPEN', 'ANSWERED')),
  answer text check (char_length(answer) between 1 and 2000),
  file_ids uuid[] not null,
  asked_by uuid,
  answered_by uuid,
  created_at timestamptz(3) not null,
  answered_at timestamptz(3),
  primary key (venture_id, id),
  check ((state = 'ANSWERED') = (answer is not null)),
  check ((state = 'ANSWERED') = (answered_at is not null))
);
create index case_questions_by_case on case_questions (venture_id, case_id, id);
grant select, insert on case_questions to vostro_service;
grant update (state, answer, file_ids, answered_by, answered_at) on case_questions to vostro_service;

-- The bytes of files. They are compressed already, or small, and are only read as a whole.
create table stored_files (
  venture_id uuid not null,
  id uuid not null,
  bytes bytea not null,
  created_at timestamptz(3) not null,
  primary key (venture_id, id)
);
alter table stored_files alter column bytes set storage external;
create index stored_files_by_age on stored_files (venture_id, created_at, id);
grant select, insert, delete on stored_files to vostro_service;
