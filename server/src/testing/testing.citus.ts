// Simulates on a single PostgreSQL what Citus reports about unsettled transactions.
import type { Client } from 'pg'

/** `prepared` has the transactions that the worker has prepared, `pg_dist_transaction` those that the coordinator has committed. */
export async function standInForCitus(owner: Client): Promise<void> {
  const parts = [
    'create table prepared (gid text)',
    'create table pg_dist_transaction (groupid int, gid text)',
    'create table pg_dist_placement as select 7 as shardid, 1 as groupid',
    `create table pg_dist_node as select 1 as groupid, 'worker' as nodename, 5432 as nodeport, 'primary' as noderole`,
    'create function get_shard_id_for_distribution_column(text, uuid) returns int language sql as $$ select 7 $$',
    `create function master_run_on_worker(text[], int[], text[], boolean) returns table (success boolean, result text) language sql as
      $$ select $1 = '{worker}' and $2 = '{5432}' and $3[1] like '%from pg_prepared_xacts%', coalesce(json_agg(gid), '[]')::text from prepared $$`,
    'grant select on prepared, pg_dist_transaction, pg_dist_placement, pg_dist_node to public',
  ]
  for (const part of parts) await owner.query(part)
}
