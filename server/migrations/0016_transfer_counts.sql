-- What a transfer still counts against the limits, which is no longer always its whole amount: clearings count what they ask above the hold
-- of their authorisation, and take over what the authorisation counted, with its day. Null means what rows so far have: the whole amount if
-- `counted_on` is set.
alter table transfers add column counted_amount numeric check (counted_amount >= 0);
alter table transfers add column authorised_amount numeric not null default 0 check (authorised_amount >= 0);
alter table transfers add column authorised_on date;

-- The edition of the rules under which a transfer was created. Rows so far have the first one: the default says so without rewriting them,
-- and stays for an instance of the version before that still runs. `npm run verify` checks later rules for later rows only.
alter table transfers add column edition smallint not null default 1;

grant update (counted_amount, authorised_amount, authorised_on) on transfers to vostro_service;
