import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotOnShard, Shard } from './database.placed.ts'
import { type Read, read, type Write, write } from './sql.ts'

const tables = ['transfers', 'accounts', 'clients', 'ventures', 'event_era', 'policies', 'idempotency_keys', 'account_activity']
const shard = new Shard('102008', new Map(tables.map((table) => [table, `${table}_102008`])))

const placed = (query: Read<unknown> | Write<unknown>): string => shard.place(query).text
const refused = (query: Read<unknown> | Write<unknown>) => assert.throws(() => shard.place(query), NotOnShard)

test('the tables of a statement become those of the shard, and keep the names that the statement knows them by', () => {
  const statements: [Read<unknown> | Write<unknown>, string][] = [
    [read`select id from transfers`, 'select id from public.transfers_102008 as transfers'],
    [read`select id from transfers where id = ${'a'}`, 'select id from public.transfers_102008 as transfers where id = $1'],
    [
      read`select transfers.id from\n  transfers\n  order by id`,
      'select transfers.id from public.transfers_102008 as transfers\n  order by id',
    ],
    [read`select t.id from transfers t`, 'select t.id from public.transfers_102008 t'],
    [read`select t.id from transfers as t where true`, 'select t.id from public.transfers_102008 as t where true'],
    [
      read`select 1 from accounts account join clients client on client.id = account.client_id left join ventures on true`,
      'select 1 from public.accounts_102008 account join public.clients_102008 client on client.id = account.client_id left join public.ventures_102008 as ventures on true',
    ],
    [
      read`select id from accounts order by id for no key update skip locked`,
      'select id from public.accounts_102008 as accounts order by id for no key update skip locked',
    ],
    [
      read`select 1 from accounts account join clients client on true for no key update of account skip locked for share of client skip locked`,
      'select 1 from public.accounts_102008 account join public.clients_102008 client on true for no key update of account skip locked for share of client skip locked',
    ],
    [read`select id from accounts for update`, 'select id from public.accounts_102008 as accounts for update'],
    [read`select id from accounts offset 1`, 'select id from public.accounts_102008 as accounts offset 1'],
    [
      read`select id from accounts union select id from clients except select id from transfers limit 1`,
      'select id from public.accounts_102008 as accounts union select id from public.clients_102008 as clients except select id from public.transfers_102008 as transfers limit 1',
    ],
    [
      read`select exists (select from transfers) or exists (select from accounts)`,
      'select exists (select from public.transfers_102008 as transfers) or exists (select from public.accounts_102008 as accounts)',
    ],
    [
      read`select id from transfers where (venture_id, id) in (select * from unnest(${['a']}::uuid[], ${['b']}::uuid[]))`,
      'select id from public.transfers_102008 as transfers where (venture_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))',
    ],
    [
      write`insert into transfers (id) select id from json_populate_recordset(null::transfers, ${'[]'})`,
      'insert into public.transfers_102008 as transfers (id) select id from json_populate_recordset(null::transfers, $1)',
    ],
    [
      write`insert into transfers (era) select (select era from event_era), * from unnest(${['a']}::uuid[])`,
      'insert into public.transfers_102008 as transfers (era) select (select era from public.event_era_102008 as event_era), * from unnest($1::uuid[])',
    ],
    [
      write`insert into account_activity (id, n) values (${'a'}, 1) on conflict (id) do update set n = account_activity.n + excluded.n`,
      'insert into public.account_activity_102008 as account_activity (id, n) values ($1, 1) on conflict (id) do update set n = account_activity.n + excluded.n',
    ],
    [
      write`insert into accounts select from clients`,
      'insert into public.accounts_102008 as accounts select from public.clients_102008 as clients',
    ],
    [write`insert into accounts default values`, 'insert into public.accounts_102008 as accounts default values'],
    [
      write`update transfers set status = new.status from json_to_recordset(${'[]'}) as new (id uuid, status text) where transfers.id = new.id`,
      'update public.transfers_102008 as transfers set status = new.status from json_to_recordset($1) as new (id uuid, status text) where transfers.id = new.id',
    ],
    [write`update accounts account set n = 1`, 'update public.accounts_102008 account set n = 1'],
    [
      write`delete from transfers t using accounts where t.id = accounts.id`,
      'delete from public.transfers_102008 t using public.accounts_102008 as accounts where t.id = accounts.id',
    ],
    [
      write`delete from transfers using unnest(${['a']}::uuid[]) as gone (id) where transfers.id = gone.id`,
      'delete from public.transfers_102008 as transfers using unnest($1::uuid[]) as gone (id) where transfers.id = gone.id',
    ],
    // A value, and not a table.
    [
      read`select id from clients where status is distinct from accounts and status is not distinct from transfers.status`,
      'select id from public.clients_102008 as clients where status is distinct from accounts and status is not distinct from transfers.status',
    ],
    [read`select extract(epoch from transfers.created_at)`, 'select extract(epoch from transfers.created_at)'],
  ]
  for (const [query, text] of statements) assert.equal(placed(query), text)
})

test('a statement that names nothing of the shard stays as it is', () => {
  const query = read`select 1 from unnest(${['a']}::text[]) as transfers`
  assert.equal(shard.place(query), query)
})

test('a statement for a shard has a name of its own, which the database does not cut off', () => {
  const query = read`select id from transfers where id = ${'a'}`
  const other = new Shard('102009', new Map([['transfers', 'transfers_102009']]))
  const names = [query, shard.place(query), other.place(query)].map(({ name = '' }) => name)
  assert.equal(new Set(names).size, 3)
  // Longer names are cut off, and could be those of other shards.
  const last = new Shard(String(2n ** 63n), new Map([['transfers', 'transfers_x']]))
  for (const name of [...names, last.place(query).name ?? '']) assert.ok(name.length > 0 && name.length < 64)
  assert.deepEqual(shard.place({ ...query, values: ['b'] }).values, ['b'])
  assert.equal(shard.place({ ...query, name: undefined }).name, undefined)
})

test('a statement about a table of the coordinator is refused each time, also one that names a table of the shard as well', () => {
  const queries = [
    read`select name from claims where name = ${'a'}`,
    write`insert into claims (name) values (${'a'})`,
    write`insert into jobs (id) values (${'a'})`,
    write`update approvals set state = ${'a'}`,
    write`delete from transfer_references where unique_reference = ${'a'}`,
    read`select 1 from transfers join cases on cases.resource_id = transfers.id`,
    read`select 1 from transfers where id in (select resource_id from cases)`,
  ]
  for (const query of [...queries, ...queries]) refused(query)
})

test('a statement that would change one copy of a table that is everywhere is refused, and one that reads it is not', () => {
  refused(write`update ventures set status = ${'DISABLED'}`)
  refused(write`insert into ventures (id) values (${'a'})`)
  refused(write`delete from event_era`)
  refused(write`delete  from ventures venture using accounts where accounts.venture_id = venture.id`)
  assert.equal(placed(read`select era from event_era`), 'select era from public.event_era_102008 as event_era')
})

test('a lock that others take on the coordinator is refused, and one with a table of the shard is taken there', () => {
  refused(read`select pg_advisory_xact_lock(${1})`)
  refused(read`select number from unnest(${[1]}::bigint[]) as number where pg_try_advisory_xact_lock(number)`)
  const here = read`select pg_try_advisory_xact_lock(${1}), (select count(*) from policies where venture_id = ${'a'}) as at_worker`
  assert.match(placed(here), /from public\.policies_102008 as policies where/)
})
