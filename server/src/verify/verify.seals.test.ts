// Seals: whatever is done to a sealed row, even by the owner of the tables with all triggers off, is found and reported.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keepEra } from '../events/events.ts'
import { Strands } from '../platform/database/database.strands.ts'
import { kindOf, numberedTables } from '../platform/database/database.tables.ts'
import { Database } from '../platform/database/database.ts'
import { write } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { createLog } from '../platform/log.ts'
import { openRails } from '../testing/testing.rails.ts'
import { findTestServer, notOnCluster, turnTriggersOff, urlOf } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { findMisfits, type Misfit, rowsOf } from './verify.chain.ts'
import { Sealing } from './verify.sealing.ts'
import {
  type KnownRanges,
  leafOf,
  listedBy,
  listOf,
  type Ranges,
  rootOf,
  rowsBetween,
  rowsOfTable,
  type SealedTable,
  sealedColumns,
  sealedFromTheFuture,
  sealedTables,
  unsealedColumns,
} from './verify.seals.ts'
import { checkSeals, recordRun, reportOf, verifyDatabase } from './verify.ts'

const ofSeals = { skip: notOnCluster('seals') }

/** Columns that identify a row in a seal: with another value, it is another row. */
const named_by: Partial<Record<SealedTable, readonly string[]>> = {
  policies: ['version'],
  row_states: ['version'],
  admin_key_steps: ['step'],
  transfer_details: ['transfer_id'],
}
/** Tables without ventures, whose rows have ids. */
const ofTheBank: readonly SealedTable[] = ['rail_messages', 'participations', 'calendar_years']
/** The ids of rows with the version 1000, and the step ANOTHER. */
const idsOfAnother: Readonly<Record<string, string>> = {
  version: '00000000-0000-0000-0000-0000000003e8',
  step: 'abcd7632-3459-1e04-a952-0ea0d0e29b43',
}

const rails = await openRails()
const { bank } = rails
const venture = await bank.registerVenture()
const account = await venture.openAccount({ balance: '100.00' })
await bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Sealed' })
await bank.admin.put(`/ventures/${venture.venture.id}/policy`, { card_fee: '0.1' })
await rails.sent(await rails.payer(), { details: { end_to_end_id: 'INVOICE-7' } })
await bank.admin.put('/operator/calendars/LOCAL/2027', { closed: ['2027-01-01'] })
// A party on the sandbox's list.
await bank.lists.refresh()
await rails.venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
await bank.runJobs()
// An action of the third admin with a passkey.
await bank.owner.query(
  `insert into admin_key_steps (era, xid, step, admins, at)
   select era, pg_current_xact_id(), step, array[gen_random_uuid()], now() from event_era, unnest(array['THIRD_ADMIN', 'NOTHING']) as step`,
)
await bank.seal()

async function misfits(): Promise<Misfit[]> {
  const found: Misfit[] = []
  for await (const misfit of findMisfits(bank.owner)) found.push(misfit)
  return found
}

/** Changes the database as its owner, without triggers, and undoes the change after `look`. */
async function damaged<Seen>(statement: string, values: unknown[], look: () => Promise<Seen>, first = ''): Promise<Seen> {
  await bank.owner.query('begin isolation level repeatable read')
  try {
    await turnTriggersOff(bank.owner)
    await bank.owner.query(first)
    const { rowCount } = await bank.owner.query(statement, values)
    assert.ok((rowCount ?? 0) > 0, statement)
    return await look()
  } finally {
    await bank.owner.query('rollback')
  }
}

/** Statements that drop the checks of a table, as an owner could. */
async function withoutChecks(table: SealedTable): Promise<string> {
  const { rows } = await bank.owner.query(`select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c'`)
  return rows.map(({ conname }) => `alter table ${table} drop constraint "${conname}"`).join(';')
}

async function someRow(table: SealedTable): Promise<{ venture_id: string; id: string }> {
  const { rows } = await bank.owner.query(`select venture_id, id from ${rowsOfTable(table)} order by random() limit 1`)
  return rows[0] ?? assert.fail(table)
}

/** The row that $1 and $2 identify in a seal. */
function thatRow(table: SealedTable): string {
  if (named_by[table]?.includes('version')) return `venture_id = $1 and lpad(to_hex(version), 32, '0')::uuid = $2`
  if (ofTheBank.includes(table)) return '$1::uuid is not null and id = $2'
  if (table === 'transfer_details') return 'venture_id = $1 and transfer_id = $2'
  if (table === 'admin_key_steps') return '$1::uuid is not null and md5(step)::uuid = $2'
  return 'venture_id = $1 and id = $2'
}

const named = (all: readonly Misfit[]) => all.map(({ table, was, venture_id, id }) => ({ table, was, venture_id, id }))

test('what nobody has touched fits', ofSeals, async () => {
  for (const table of sealedTables) assert.ok((await bank.count(table)) > 0, table)
  assert.deepEqual(await misfits(), [])
  const { rows } = await bank.owner.query('select number::int, rows, ranges::text, list from seals order by number')
  const sealed = rows.reduce(
    (sum, { ranges }) => sum + sealedTables.reduce((all, table) => all + ((JSON.parse(ranges) as KnownRanges)[table]?.rows ?? 0), 0),
    0,
  )
  const counts = await Promise.all(sealedTables.map((table) => bank.count(table)))
  assert.equal(
    sealed,
    counts.reduce((sum, count) => sum + count),
  )
  assert.equal(
    rows.reduce((sum, row) => sum + Object.values(listedBy(row) ?? {}).flat().length, 0),
    sealed,
  )
})

/** A change of each column. */
const changes: Record<SealedTable, Record<string, string>> = {
  entries: {
    journal_id: 'gen_random_uuid()',
    cause_kind: `'payment'`,
    cause_id: 'gen_random_uuid()',
    account_id: 'gen_random_uuid()',
    system_account: `'fees:EUR'`,
    currency: `'USD'`,
    amount: 'amount + 0.01',
    balance: 'coalesce(balance, 0) + 0.01',
    created_at: `created_at + interval '1 millisecond'`,
  },
  transfer_moves: {
    transfer_id: 'gen_random_uuid()',
    from_status: `case from_status when 'PACKED' then 'CREATED' else 'PACKED' end`,
    to_status: `'DROPPED'`,
    actor: `case actor when 'connector' then 'service' else 'connector' end`,
    actor_id: 'gen_random_uuid()',
    reason: `'because'`,
    reason_code: `'AC04'`,
    third_party_status: `'RJCT'`,
    created_at: `created_at - interval '1 millisecond'`,
    // A venture's move cannot be forced.
    forced: `true, actor = 'connector'`,
    debt_change: '-1',
  },
  events: {
    type: `'transfer.forged'`,
    resource_id: 'gen_random_uuid()',
    sequence: 'sequence + 1000',
    timestamp: `timestamp + interval '1 hour'`,
    data: `'{}'`,
    actor: `case actor when 'connector' then 'service' else 'connector' end`,
    actor_id: 'gen_random_uuid()',
  },
  audit_log: {
    at: `at + interval '1 day'`,
    actor: `case actor when 'service' then 'venture' else 'service' end`,
    actor_id: 'gen_random_uuid()',
    action: `'nothing'`,
    resource: `'something else'`,
    request_id: `'another'`,
    address: `'10.0.0.1'`,
    fields: `array[array_to_string(fields, ',') || ',']`,
  },
  policies: {
    card_fee: 'card_fee + 0.01',
    payout_delay_days: 'payout_delay_days + 1',
    rate_hold_s: 'rate_hold_s + 1',
    actor: `case actor when 'connector' then 'service' else 'connector' end`,
    actor_id: 'gen_random_uuid()',
    created_at: `created_at + interval '1 millisecond'`,
    sign_above: 'coalesce(sign_above, 0) + 1',
    review_above: 'coalesce(review_above, 0) + 1',
    signer: `'nobody'`,
    screen_threshold: 'screen_threshold + 0.01',
    block_threshold: 'block_threshold + 0.01',
    lists: `array['another']`,
    screen_peps: 'not screen_peps',
    payee_check: `'never'`,
    funds_wait_h: 'funds_wait_h + 1',
    instant_timeout: `'never'`,
    instant_screening: `'never'`,
    rules: `'{"a": 1}'`,
  },
  screenings: {
    subject_kind: `case subject_kind when 'transfer' then 'client' else 'transfer' end`,
    subject_id: 'gen_random_uuid()',
    cause: `'nightly'`,
    parties: `'[]'`,
    versions: 'versions || gen_random_uuid()',
    algorithm: `'another'`,
    policy_version: 'policy_version + 1',
    screen_threshold: 'screen_threshold + 0.01',
    block_threshold: 'block_threshold + 0.01',
    outcome: `case outcome when 'CLEAR' then 'HIT' else 'CLEAR' end`,
    best_score: 'coalesce(best_score, 0) / 2 + 0.01',
    created_at: `created_at + interval '1 millisecond'`,
  },
  screening_hits: {
    screening_id: 'gen_random_uuid()',
    party: `'somebody'`,
    party_hash: `repeat('a', 64)`,
    reason: `'country'`,
    watchlist_id: 'gen_random_uuid()',
    version_id: 'gen_random_uuid()',
    entry_id: `'another'`,
    entry_hash: `repeat('b', 64)`,
    score: 'score / 2',
    explanation: `'{}'`,
  },
  rail_messages: {
    direction: `case direction when 'IN' then 'OUT' else 'IN' end`,
    file: `'another'`,
    pack_id: 'gen_random_uuid()',
    sha256: `repeat('c', 64)`,
    created_at: `created_at + interval '1 millisecond'`,
  },
  row_states: {
    table_name: `'nothing'`,
    row_id: 'gen_random_uuid()',
    hash: `repeat('d', 64)`,
  },
  admin_key_steps: {
    admins: 'admins || gen_random_uuid()',
    at: `at + interval '1 millisecond'`,
  },
  transfer_details: {
    content: `content || '{"end_to_end_id": "another"}'`,
  },
  participations: {
    rail: `'ELSEWHERE'`,
    version: '1001',
    profile: `'other'`,
    currency: `'USD'`,
    state: `'ENDED'`,
    calendar: `'ALWAYS'`,
    zone: `'Asia/Tokyo'`,
    cut_offs: `'{23:59}'`,
    lead_days: '9',
    answer_hours: '7',
    smallest: '12.34',
    largest: '56.78',
    prefers: '99',
    envelope: `'{}'`,
    effective_at: `effective_at + interval '1 ms'`,
    actor: `'venture'`,
    actor_id: 'gen_random_uuid()',
    created_at: `created_at + interval '1 ms'`,
  },
  calendar_years: {
    calendar: `'ELSEWHERE'`,
    year: '2099',
    version: '1001',
    weekend: `'{1}'`,
    closed: `'{2027-12-31}'`,
    actor: `'venture'`,
    actor_id: 'gen_random_uuid()',
    created_at: `created_at + interval '1 ms'`,
  },
}

for (const table of sealedTables) {
  test(`${table}: a changed row is named, whatever was changed`, ofSeals, async () => {
    const unchecked = await withoutChecks(table)
    for (const [column, value] of Object.entries(changes[table])) {
      const key = await someRow(table)
      const change = `update ${table} set "${column}" = ${value} where ${thatRow(table)}`
      const found = await damaged(change, [key.venture_id, key.id], misfits, unchecked)
      assert.deepEqual(named(found), [{ table, was: 'changed', ...key }], column)
    }
  })

  test(`${table}: a removed row is named`, ofSeals, async () => {
    const key = await someRow(table)
    const found = await damaged(`delete from ${table} where ${thatRow(table)}`, [key.venture_id, key.id], misfits)
    assert.deepEqual(named(found), [{ table, was: 'removed', ...key }])
  })

  test(`${table}: an inserted row is named, wherever it claims to stand`, ofSeals, async () => {
    const venture_id = [...ofTheBank, 'admin_key_steps'].includes(table) ? bankId : venture.venture.id
    const unchecked = await withoutChecks(table)
    const places = {
      'beside a sealed row': '{}',
      'before the first seal': '{"era": -1}',
      'after the transactions that have begun': '{"xid": "9000000000000000000"}',
      'in an era to come': '{"era": 99}',
    }
    for (const [where, place] of Object.entries(places)) {
      const id = idsOfAnother[named_by[table]?.[0] ?? ''] ?? randomUUID()
      const found = await damaged(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(
           'id', $2::text, 'venture_id', $3::text, 'message_id', $2::text, 'sequence', 1000, 'version', 1000, 'step', 'ANOTHER', 'transfer_id', $2::text) || $1::jsonb)).*
         from (select * from ${table} order by era, xid limit 1) as one`,
        [place, id, venture_id],
        misfits,
        unchecked,
      )
      assert.deepEqual(named(found), [{ table, was: 'inserted', venture_id, id }], where)
    }
  })

  test(`${table}: every column is sealed`, ofSeals, async () => {
    const { rows } = await bank.owner.query('select column_name as name from information_schema.columns where table_name = $1', [table])
    const sealed = [...sealedColumns(table)].sort()
    const known = new Set(['venture_id', 'id', ...rows.map(({ name }) => name)])
    for (const column of unsealedColumns[table] ?? []) assert.ok(known.delete(column), column)
    assert.deepEqual(sealed, [...known].sort())
    const changed = [...Object.keys(changes[table]), ...(named_by[table] ?? [])]
    assert.deepEqual(sealed, ['venture_id', 'id', 'era', 'xid', ...changed].sort(), 'a column has no change in this test')
  })
}

test('a row that is moved in the order is named', ofSeals, async () => {
  const key = await someRow('events')
  const found = await damaged(`update events set xid = '4' where venture_id = $1 and id = $2`, [key.venture_id, key.id], misfits)
  assert.deepEqual(named(found), [{ table: 'events', was: 'changed', ...key }])
})

test('a seal that was changed, removed or rewritten is named', ofSeals, async () => {
  await venture.deposit(account.id, '1.00')
  await bank.seal()
  const { rows } = await bank.owner.query('select max(number)::int as last from seals')
  const { last } = rows[0]
  assert.ok(last >= 2)
  const seals = async (statement: string, values: unknown[] = []) =>
    (await damaged(statement, values, misfits)).filter(({ table }) => table === 'seals').map(({ was, seal }) => `${was} ${seal}`)
  assert.deepEqual(await seals("update seals set root = repeat('a', 64) where number = $1", [last]), [`changed ${last}`])
  assert.deepEqual(await seals("update seals set root = repeat('a', 64) where number = 1"), ['changed 1', 'changed 2'])
  assert.deepEqual(await seals("update seals set previous_root = repeat('b', 64) where number = $1", [last]), [
    `changed ${last}`,
    `changed ${last}`,
  ])
  assert.deepEqual(await seals('delete from seals where number = 1'), ['removed 1'])
  assert.deepEqual(await seals('delete from seals'), ['removed 0'])
  for (const list of ['', 'nonsense']) {
    assert.deepEqual(await seals('update seals set list = $2 where number = $1', [last, Buffer.from(list)]), [`changed ${last}`])
  }
  assert.deepEqual(await seals('update seals set list = (select list from seals where number = 1) where number = $1', [last]), [
    `changed ${last}`,
  ])
  assert.deepEqual(await seals(`update seals set ranges = replace(ranges::text, '"rows":0', '"rows": 0')::json where number = 0`), [
    'changed 0',
  ])
})

test('a seal is named whatever was made of it, and many missing seals once', ofSeals, async () => {
  for (let more = 0; more < 3; more++) {
    await venture.deposit(account.id, '1.00')
    await bank.seal()
  }
  const { rows } = await bank.owner.query('select max(number)::int as last from seals')
  const { last } = rows[0]
  const named = async (change: string, first = '') => {
    const found = await damaged(`update seals set ${change}`, [], misfits, first)
    return found.filter(({ table }) => table === 'seals').map(({ was, seal, upto }) => [was, seal, ...(upto === undefined ? [] : [upto])])
  }
  const one = `where number = ${last - 1}`
  const ranges = {
    'no object': `'null'`,
    'no tables': `'{}'`,
    'a list': `'[1, 2]'`,
    'no number of a transaction': `replace(ranges::text, '"xid":"', '"xid":"x')::json`,
    'a number of a transaction that is too large': `replace(ranges::text, '"xid":"', '"xid":"99999999999999999999')::json`,
    'no uuid': `replace(ranges::text, '"id":"', '"id":"x')::json`,
    'a fraction of a row': `replace(ranges::text, '"rows":', '"rows":0.5')::json`,
    'fewer rows than none': `replace(ranges::text, '"rows":', '"rows":-1')::json`,
    'very many rows': `replace(ranges::text, '"rows":', '"rows":2000000')::json`,
    'an era beyond all': `replace(ranges::text, '"era":', '"era":99999999999')::json`,
  }
  for (const [what, value] of Object.entries(ranges))
    assert.deepEqual(await named(`ranges = ${value} ${one}`), [['changed', last - 1]], what)
  assert.deepEqual(await named(`ranges = '{}' where number = 0`), [['changed', 0]])
  assert.deepEqual(await named(`ranges = null ${one}`, 'alter table seals alter ranges drop not null'), [['changed', last - 1]])
  assert.deepEqual(await named(`list = null ${one}`, 'alter table seals alter list drop not null'), [['changed', last - 1]])
  for (const change of [`at = at - interval '1 year'`, `at = 'infinity'`, 'rows = rows + 1'])
    assert.deepEqual(await named(`${change} ${one}`), [['changed', last - 1]], change)
  assert.deepEqual(await named(`number = 3000000 where number = ${last}`), [
    ['removed', last, 2_999_999],
    ['changed', 3_000_000],
  ])
  for (const number of ['9000000000', '9223372036854775807'])
    assert.deepEqual(await named(`number = ${number} where number = ${last}`), [['inserted', Number(number)]])
  assert.deepEqual(await named(`number = -1 ${one}`, 'alter table seals drop constraint seals_number_check'), [
    ['removed', last - 1],
    ['inserted', -1],
  ])
})

test('a seal that says nothing about a table any more is named, also if its root fits', ofSeals, async () => {
  const { rows } = await bank.owner.query('select number::int + 1 as number, ranges, root from seals order by number desc limit 1')
  const { number, ranges, root: previous_root } = rows[0]
  const nothing = Object.fromEntries(sealedTables.map((table) => [table, Buffer.alloc(0)])) as Parameters<typeof rootOf>[1]
  for (const table of ['policies', 'rail_messages']) {
    const others = Object.entries(ranges as Ranges).filter(([name]) => name !== table)
    const forged = {
      number,
      at: '2026-11-16T08:00:00.000Z',
      rows: 0,
      ranges: JSON.stringify(Object.fromEntries(others.map(([name, range]) => [name, { ...range, rows: 0 }]))),
      previous_root,
    }
    const found = await damaged(
      `insert into seals (number, at, rows, ranges, root, previous_root, list) values ($1, $2, $3, $4, $5, $6, '')`,
      [forged.number, forged.at, forged.rows, forged.ranges, rootOf(forged, nothing), previous_root],
      misfits,
    )
    assert.deepEqual(found, [{ table: 'seals', was: 'changed', seal: number }], table)
  }
})

test('a row that claims to be older than what has been sealed is named, also in a table that was quiet since', ofSeals, async () => {
  const { rows } = await bank.owner.query('select xid::text as xid from audit_log order by era desc, audit_log.xid desc limit 1')
  await venture.deposit(account.id, '1.00')
  const { rows: later } = await bank.owner.query('select xid::text as xid from events order by era desc, events.xid desc limit 1')
  assert.ok(BigInt(later[0].xid) > BigInt(rows[0].xid), 'nothing was audited meanwhile')
  await bank.seal()
  for (const xid of [later[0].xid, (BigInt(rows[0].xid) + 1n).toString()]) {
    const id = randomUUID()
    const found = await damaged(
      `insert into audit_log (era, xid, venture_id, id, at, actor, action, resource, request_id, address, fields)
       select era, $2::text::xid8, venture_id, $1, at, 'operator', 'approveApproval', resource, 'forged', '10.0.0.1', '{}' from audit_log limit 1`,
      [id, xid],
      misfits,
    )
    assert.deepEqual(
      found.map(({ table, was, id: row }) => ({ table, was, row })),
      [{ table: 'audit_log', was: 'inserted', row: id }],
    )
  }
})

test('a run of verify remembers the last seal: removing it, or sealing again without a row, is found', ofSeals, async () => {
  const cut = await openBank()
  const owner = await cut.registerVenture()
  await cut.seal()
  await owner.openAccount({ balance: '1.00' })
  await cut.seal()
  const url = urlOf(findTestServer().serviceUrl, cut.owner.database ?? '')
  const sealsNamed = async () => {
    const { examples } = (await verifyDatabase(url)).find(({ name }) => name === 'seals fit') ?? assert.fail()
    return examples.map((text) => JSON.parse(text)).filter(({ table }) => table === 'seals')
  }
  await recordRun(url, new Date(), await verifyDatabase(url))
  const { rows } = await cut.owner.query('select seal_number::int as number, seal_root as root from verification_runs')
  const { number, root } = (await cut.admin.get('/operator/seals/latest')).body
  assert.deepEqual(rows, [{ number, root }])
  await cut.owner.query('begin')
  await turnTriggersOff(cut.owner)
  await cut.owner.query('delete from seals where number = $1', [number])
  await cut.owner.query('delete from events where (era, xid) = (select era, xid from events order by era desc, xid desc limit 1)')
  await cut.owner.query('commit')
  assert.deepEqual(await sealsNamed(), [{ table: 'seals', was: 'removed', seal: number }])
  await cut.seal()
  assert.deepEqual(await sealsNamed(), [{ table: 'seals', was: 'changed', seal: number }])
  // A later run does not hide it.
  await recordRun(url, new Date(), await verifyDatabase(url))
  assert.deepEqual(await sealsNamed(), [{ table: 'seals', was: 'changed', seal: number }])
})

test('changing a row and its place in the list breaks the root', ofSeals, async () => {
  const key = await someRow('entries')
  const found = await damaged(
    'update entries set amount = amount * 2 where venture_id = $1 and id = $2',
    [key.venture_id, key.id],
    async () => {
      // The forger computes the leaf like the service, and writes it to the list of the seal.
      const all = await misfits()
      const [{ seal }] = all as [Misfit]
      const forged = await forgedList(seal ?? 0)
      await bank.owner.query('update seals set list = $2 where number = $1', [seal, forged])
      return misfits()
    },
  )
  assert.deepEqual(
    found.map(({ table, was }) => [table, was]),
    [['seals', 'changed']],
  )
})

async function forgedList(number: number): Promise<Buffer> {
  const { rows } = await bank.owner.query('select ranges from seals where number in ($1::bigint, $1::bigint - 1) order by number', [number])
  const [from, to] = rows.map(({ ranges }) => ranges as Ranges) as [Ranges, Ranges]
  const strands = await Strands.find((query) => rowsOf(bank.owner, query), sealedTables)
  const found = await strands.read(sealedTables.map((table) => rowsBetween(strands.named(table), from[table], to[table])))
  return listOf(Object.fromEntries(sealedTables.map((table, index) => [table, found[index]?.[0]?.bytes ?? Buffer.alloc(0)])))
}

test('a leaf depends on what a row says: plain code computes the same', ofSeals, async () => {
  await bank.owner.query(
    `insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data)
     select era, $1, gen_random_uuid(), 'venture.updated', gen_random_uuid(), 1, '1999-12-31T23:59:59.999Z', $2 from event_era`,
    [venture.venture.id, '{"b": "Grüße 🙂", "a": 1.50,\n "a\\u0301": null}'],
  )
  await bank.owner.query(
    `insert into audit_log (era, xid, venture_id, id, at, actor, action, resource, request_id, address, fields)
     select era, pg_current_xact_id(), $1, gen_random_uuid(), now(), 'service', 'naïve', null, 'r', '::1', '{"a b", "", ä, NULL}' from event_era`,
    [venture.venture.id],
  )
  await bank.seal()
  const times = ['at', 'timestamp', 'created_at']
  const textOf = (value: unknown) => (value === null ? null : value instanceof Date ? value.toISOString() : String(value))
  const compared = new Set<string>()
  const { rows: seals } = await bank.owner.query('select ranges::text, list from seals order by number')
  for (const seal of seals) {
    for (const [table, listed] of Object.entries(listedBy(seal) ?? {}) as [
      SealedTable,
      { id: string; venture_id: string; leaf: string }[],
    ][]) {
      for (const { venture_id, id, leaf } of listed) {
        const columns = sealedColumns(table).map((column) => (times.includes(column) ? `"${column}"` : `"${column}"::text`))
        const { rows } = await bank.owner.query(
          `select ${columns} from (select * from ${rowsOfTable(table)}) as sealed where venture_id = $1 and id = $2`,
          [venture_id, id],
        )
        const fields = Object.fromEntries(Object.entries(rows[0]).map(([column, value]) => [column, textOf(value)]))
        assert.equal(leafOf(table, fields).toString('hex').slice(0, 16), leaf, table)
        compared.add(`${table} ${venture_id} ${id}`)
      }
    }
  }
  const counts = await Promise.all(sealedTables.map((table) => bank.count(table)))
  assert.equal(
    compared.size,
    counts.reduce((sum, count) => sum + count),
  )
})

test('values that mean the same but are written differently are told apart', ofSeals, async () => {
  const changes: [SealedTable, string, string][] = [
    ['entries', 'amount = amount::numeric(20, 6)', 'amount <> 0'],
    ['transfer_moves', `reason = ''`, 'reason is null'],
    ['transfer_moves', 'actor_id = null', 'actor_id is not null'],
    ['events', `data = replace(data::text, ':', ': ')::json`, `data::text like '{%'`],
    ['events', `data = replace(data::text, ',', ', ')::json`, `data::text like '[-%'`],
    ['events', `data = '{"a": 1.50, "b": "Grüße 🙂"}'`, `data::text like '%1.50%'`],
    ['audit_log', `resource = ''`, 'resource is null'],
    ['audit_log', `fields = array[array_to_string(fields, ',')]`, 'cardinality(fields) > 1'],
  ]
  for (const [table, change, condition] of changes) {
    const { rows } = await bank.owner.query(`select venture_id, id from ${table} where ${condition} limit 1`)
    const { venture_id, id } = rows[0] ?? assert.fail(`${table} has no row where ${condition}`)
    const update = `update ${table} set ${change} where venture_id = $1 and id = $2`
    const found = await damaged(update, [venture_id, id], misfits, await withoutChecks(table))
    assert.deepEqual(named(found), [{ table, was: 'changed', venture_id, id }], change)
  }
})

test('a transaction that commits late is sealed late, and nothing is missed', ofSeals, async () => {
  const late = new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? '') })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const id = randomUUID()
  const running = late.transaction(async (tx) => {
    // An old id, as a wrong clock would create it.
    await tx.run(write`
      insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data)
      select era, ${venture.venture.id}, ${id}, 'venture.updated', ${randomUUID()}, 1, '1999-01-01', '{}' from event_era`)
    begin()
    await released
  })
  await begun
  await venture.deposit(account.id, '2.00')
  // Does not wait for the running transaction, as bank.seal() would.
  const sealing = new Sealing({ database: bank.database, log: createLog('silent'), every_ms: 60_000, most: 3 })
  await sealing.runDue()
  release()
  await running
  await late.close()
  assert.deepEqual(await misfits(), [])
  await bank.seal()
  assert.deepEqual(await misfits(), [])
  const found = await damaged('delete from events where id = $1', [id], misfits)
  assert.deepEqual(named(found), [{ table: 'events', was: 'removed', venture_id: venture.venture.id, id }])
})

test('many instances that seal at once write one chain, in pieces as small as you like', ofSeals, async () => {
  const databases = Array.from({ length: 4 }, () => new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? '') }))
  const instances = databases.map(
    (database, index) => new Sealing({ database, log: createLog('silent'), every_ms: 60_000, most: 1 + index }),
  )
  const traffic = Promise.all(Array.from({ length: 10 }, () => venture.deposit(account.id, '1.00')))
  for (let round = 0; round < 5; round++) await Promise.all(instances.map((instance) => instance.runDue()))
  await traffic
  await bank.othersEnded()
  await Promise.all(instances.map((instance) => instance.runDue()))
  await bank.seal()
  await Promise.all(databases.map((database) => database.close()))
  assert.deepEqual(await misfits(), [])
  const { rows } = await bank.owner.query('select count(*)::int as seals, max(number)::int as last, sum(rows)::int as rows from seals')
  assert.equal(rows[0].seals, rows[0].last + 1)
  const counts = await Promise.all(sealedTables.map((table) => bank.count(table)))
  assert.equal(
    rows[0].rows,
    counts.reduce((sum, count) => sum + count),
  )
})

test('rows that existed before the seals are sealed by their ids, in pieces', ofSeals, async () => {
  // As after the migration: all rows have its number.
  const { rows } = await bank.owner.query('select ranges::text from seals where number = 0')
  const { era, xid } = (JSON.parse(rows[0].ranges) as Ranges).entries
  const old = await openBank()
  const other = await old.registerVenture()
  await other.openAccount({ balance: '1.00' })
  await other.openAccount({ balance: '1.00' })
  for (const card_fee of ['0.1', '0.2', '0.3']) await old.admin.put(`/ventures/${other.venture.id}/policy`, { card_fee })
  await old.owner.query('begin')
  await turnTriggersOff(old.owner)
  for (const table of ['entries', 'transfer_moves']) await old.owner.query(`update ${table} set era = $1, xid = $2::text::xid8`, [era, xid])
  await old.owner.query('update policies set era = default, xid = default')
  await old.owner.query(
    `insert into rail_messages (id, direction, file, sha256, body, state, created_at, updated_at)
     select gen_random_uuid(), 'IN', 'old', repeat('0', 64), '', 'APPLIED', now(), now() from generate_series(1, 5)`,
  )
  await old.owner.query('commit')
  await old.othersEnded()
  await new Sealing({ database: old.database, log: createLog('silent'), every_ms: 60_000, most: 2 }).runDue()
  const misfit: Misfit[] = []
  for await (const one of findMisfits(old.owner)) misfit.push(one)
  assert.deepEqual(misfit, [])
  const { rows: sums } = await old.owner.query('select sum(rows)::int as rows from seals')
  const counts = await Promise.all(sealedTables.map((table) => old.count(table)))
  assert.equal(
    sums[0].rows,
    counts.reduce((sum, count) => sum + count),
  )
})

test(
  'after a restore into another cluster, whose numbers start over, rows are sealed in a new era and nothing is missed',
  ofSeals,
  async () => {
    const restored = await openBank()
    await restored.registerVenture()
    await restored.seal()
    // As if a cluster that was far ahead had written the audit entries. They are the only rows of this database.
    await restored.owner.query('begin')
    await turnTriggersOff(restored.owner)
    await restored.owner.query(`update audit_log set xid = '8000000000000'`)
    await restored.owner.query(`delete from seals where rows > 0`)
    await restored.owner.query('commit')
    assert.equal(await keepEra(restored.database, { numbers: sealedFromTheFuture }), 2)
    assert.equal(await keepEra(restored.database, { numbers: sealedFromTheFuture }), undefined)
    await restored.registerVenture()
    await restored.seal()
    await (await restored.registerVenture()).openAccount({ balance: '1.00' })
    await restored.seal()
    const found: Misfit[] = []
    for await (const misfit of findMisfits(restored.owner)) found.push(misfit)
    assert.deepEqual(found, [])
    const { rows } = await restored.owner.query('select sum(rows)::int as rows from seals')
    const counts = await Promise.all(sealedTables.map((table) => restored.count(table)))
    assert.equal(
      rows[0].rows,
      counts.reduce((sum, count) => sum + count),
    )
  },
)

test('numbers that start over begin another era, in which rows are sealed again', ofSeals, async () => {
  const ahead = await openBank()
  const { venture } = await ahead.registerVenture()
  await ahead.seal()
  // As if a worker that was far ahead had had the rows when they were sealed.
  await ahead.owner.query('begin')
  await turnTriggersOff(ahead.owner)
  await ahead.owner.query(
    `update seals set ranges = jsonb_set(ranges::jsonb, '{policies,xid}', '"8000000000000"')::json where number = (select max(number) from seals)`,
  )
  await ahead.owner.query('commit')
  const eraNow = async () => (await ahead.owner.query<{ era: number }>('select era from event_era')).rows[0]?.era ?? 0
  const era = await eraNow()
  await ahead.admin.put(`/ventures/${venture.id}/policy`, { card_fee: '0.2' })
  await ahead.seal()
  assert.equal(await eraNow(), era + 1)
  await ahead.admin.put(`/ventures/${venture.id}/policy`, { card_fee: '0.3' })
  await ahead.seal()
  assert.equal(await eraNow(), era + 1)
  const named: Misfit[] = []
  for await (const misfit of findMisfits(ahead.owner)) named.push(misfit)
  // The seal that was changed, and the policy of the old era: no seal can cover it. The later one is sealed.
  assert.deepEqual(
    named.filter(({ table }) => table === 'policies').map(({ was, id }) => ({ was, id })),
    [{ was: 'inserted', id: '00000000-0000-0000-0000-000000000001' }],
  )
})

test('rows that are sealed have the numbers of the servers that have them', () => {
  assert.deepEqual([...numberedTables].sort(), sealedTables.filter((table) => kindOf(table) === 'shards').sort())
})

test('hits and messages that the service writes after the first seal are sealed', ofSeals, async () => {
  await bank.admin.put(`/ventures/${venture.venture.id}/policy`, { card_fee: '0.2' })
  await rails.sent(await rails.payer())
  await rails.venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await bank.runJobs()
  const before = await Promise.all(sealedTables.map((table) => bank.count(table)))
  await bank.seal()
  assert.deepEqual(await misfits(), [])
  const { rows } = await bank.owner.query('select ranges::text from seals where number > 0')
  const sealed = sealedTables.map((table) =>
    rows.reduce((sum, { ranges }) => sum + ((JSON.parse(ranges) as KnownRanges)[table]?.rows ?? 0), 0),
  )
  assert.deepEqual(sealed, before)
})

test('npm run verify names the row', ofSeals, async () => {
  const { id, venture_id } = await someRow('transfer_moves')
  const finding = await damaged('delete from transfer_moves where venture_id = $1 and id = $2', [venture_id, id], () =>
    checkSeals(bank.owner),
  )
  assert.equal(finding.violations, 1)
  const report = reportOf([finding])
  assert.match(report, /^! seals fit: /m)
  assert.ok(
    report.includes(`{"table":"transfer_moves","seal":`) && report.includes(`"was":"removed","venture_id":"${venture_id}","id":"${id}"}`),
    report,
  )
  const findings = await verifyDatabase(urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''))
  assert.deepEqual(findings.find(({ name }) => name === 'seals fit')?.violations, 0)
})

test('nobody changes a seal, and the operator reads the latest one', ofSeals, async () => {
  for (const statement of ['update seals set rows = 0', 'delete from seals', 'truncate seals']) {
    await assert.rejects(bank.owner.query(statement), /rows of seals are never changed or deleted/)
  }
  const { rows } = await bank.owner.query('select number::int, rows, root, previous_root from seals order by number desc limit 1')
  const { status, body } = await bank.admin.get('/operator/seals/latest')
  assert.equal(status, 200)
  const { at, ...seal } = body
  assert.deepEqual(seal, rows[0])
  assert.equal(new Date(at).toISOString(), at)
  // No new rows, no new seal.
  await bank.seal()
  assert.deepEqual((await bank.admin.get('/operator/seals/latest')).body, body)
})
