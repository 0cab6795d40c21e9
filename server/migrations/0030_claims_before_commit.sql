-- In a distributed database a transfer may be written by a transaction of a worker alone. Its reference is claimed on the coordinator before that is
-- committed: the number of the worker's transaction, with a random part behind it, says who has to be asked whether the transfer came to be. Null if
-- the claim was committed together with its transfer.
alter table transfer_references add column attempt text;
grant update (attempt) on transfer_references to vostro_service;
