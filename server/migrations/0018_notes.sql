-- The bank keeps the blacklist of the ventures for which it processes. A hit of the verifier did not have the bank's mark so far.
update clients set blacklisted_by_bank = true
where is_blacklisted and not blacklisted_by_bank and venture_id in (select id from ventures where control = 'MANAGED');

-- How many of the changes that `sequence` counts decide nothing. They do not keep an approval from being carried out.
alter table transfers add column notes int not null default 0 check (notes >= 0);
grant update (notes) on transfers to vostro_service;
alter table accounts add column notes int not null default 0 check (notes >= 0);
grant update (notes) on accounts to vostro_service;

-- What money was taken back for: the external_refund_id of a refund, or the id of the payment that was to be cancelled (null so far). If the gateway
-- declines, the next payout pays the money out again, and `free_amount` is the part of a payout on which no fee is due a second time.
alter table payouts add column recovered_for text;
alter table payouts add column free_amount numeric not null default 0 check (free_amount >= 0 and free_amount <= greatest(amount, 0));

-- Two people of the bank now let anybody into a venture and give any higher role in it, not only that of an admin.
update approvals set action = 'invite-venture-user' where action = 'invite-venture-admin' and state = 'PENDING';
update approvals set action = 'promote-venture-user' where action = 'make-venture-admin' and state = 'PENDING';
