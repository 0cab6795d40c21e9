-- Whether an account may be closed is asked of the few of its transfers whose money is in suspense, and not of all it ever had.
create index transfers_in_suspense on transfers (venture_id, account_id) where suspended > 0;
