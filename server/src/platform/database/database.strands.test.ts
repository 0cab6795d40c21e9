// Which rows have one order: those of a table on one PostgreSQL. On several servers those of a shard: npm run cluster -- --only seals.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { notOnCluster } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { isOfStrand, type Question, type Strand, Strands, type Stretch } from './database.strands.ts'
import { Fragment, type Read, read } from './sql.ts'

const bank = await openBank()
const run = async <Row extends object>({ text, values }: Read<Row>) => (await bank.owner.query<Row>(text, values)).rows

/** The ventures that have policies of a strand, as bytes. */
const venturesOf = (strand: Strand): Question => ({
  strand,
  ask: ({ relation, within }) => read<Stretch>`
    select '0' as xmin, string_agg(uuid_send(venture_id), '' order by venture_id) as bytes from ${new Fragment([relation], [])} where ${within}`,
})

test('on one server a table is one strand', { skip: notOnCluster('citus') }, async () => {
  const strands = await Strands.find(run, ['entries', 'policies'])
  assert.deepEqual(
    strands.all.map(({ name, table, sources }) => ({ name, table, relations: sources.map(({ relation }) => relation) })),
    [
      { name: 'entries', table: 'entries', relations: ['entries'] },
      { name: 'policies', table: 'policies', relations: ['policies'] },
    ],
  )
})

test('rows that were those of a shard are found on one server, by the hash of their venture', { skip: notOnCluster('citus') }, async () => {
  for (let count = 0; count < 12; count++) {
    const { venture } = await bank.registerVenture()
    await bank.admin.put(`/ventures/${venture.id}/policy`, { card_fee: '0.1' })
  }
  const strands = await Strands.find(run, ['policies'])
  const names = ['policies', 'policies/-2147483648..-1', 'policies/0..2147483647']
  const found = await strands.read(names.map((name) => venturesOf(strands.named(name))))
  const [all = '', lower = '', upper = ''] = found.map(([stretch]) => stretch?.bytes?.toString('hex') ?? '')
  const split = (text: string) => text.match(/.{32}/g) ?? []
  assert.equal(split(all).length, 12)
  assert.deepEqual([...split(lower), ...split(upper)].sort(), split(all).sort())
  const { rows } = await bank.owner.query<{ id: string; hash: number }>(
    'select distinct venture_id as id, uuid_hash(venture_id) as hash from policies',
  )
  const inLower = rows.filter(({ hash }) => isOfStrand('policies/-2147483648..-1', hash)).map(({ id }) => id.replaceAll('-', ''))
  assert.deepEqual(inLower.sort(), split(lower).sort())
  assert.ok(rows.every(({ hash }) => isOfStrand('policies', hash)))
})

test('a table that nobody knows is an error', { skip: notOnCluster('citus') }, async () => {
  const strands = await Strands.find(run, ['policies'])
  await assert.rejects(strands.read([venturesOf(strands.named(`t${randomUUID().slice(0, 8)}`))]), /relation "t[0-9a-f]+" does not exist/)
})
