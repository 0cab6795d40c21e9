// Measures the storage of a transfer: the bytes that a life of eight moves adds to each table and index.
//   npm run bench:life
//   npm run bench:life -- --lives 20000
// Each move is a separate request. Rounds are vacuumed in between, so that dead rows remain as autovacuum leaves them in a large
// table: one for every five rows. Seals count. Data that is deleted after some days does not: the request log, deliveries, keys.
import pg from 'pg'
import { openBenchAccounts } from './accounts.ts'
import { flagsOf } from './flags.ts'
import { keepResult, machine } from './results.ts'
import { type Setup, withSetup } from './setup.ts'

const values = flagsOf('npm run bench:life -- [--lives N]', { lives: { type: 'string', default: '5000' } })
const lives = Number(values.lives)
if (!Number.isInteger(lives) || lives < 100) {
  console.error('--lives must be a whole number of at least 100')
  process.exit(2)
}

const bound_bytes = 8_000
/** Each of the eight moves leaves a dead version of the transfer until the end of the round. */
const rounds = 40
const concurrent = 64

const moves = [
  'RESERVED',
  'READY_FOR_SCREENING',
  'AML_SCANNING',
  'AML_APPROVED',
  'READY_TO_CLEAR',
  'SENT_TO_CLEAR',
  'ACCEPTED',
  'COMPLETED',
]

type Sizes = Map<string, { table: string; bytes: number; rows: number }>

await withSetup(async (setup) => {
  const owner = new pg.Client({ connectionString: setup.postgres.ownerUrl })
  await owner.connect()
  try {
    await measure(setup, owner)
  } finally {
    await owner.end()
  }
})

async function measure(setup: Setup, owner: pg.Client): Promise<void> {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, concurrent)
  const live = async (number: number) => {
    const { account_id, beneficiary_id } = accounts[number % accounts.length] ?? {}
    const order = { account_id, beneficiary_id, unique_reference: `life-${number}`, debit_amount: '1.00', purpose: 'Invoice' }
    const { id } = await setup.call(venture.api_key, 'POST', '/api/v1/transfers', order)
    for (const status of moves) await setup.call(venture.api_key, 'PUT', `/api/v1/transfers/${id}`, { status })
  }
  const round = async (from: number, to: number) => {
    let next = from
    const worker = async () => {
      for (let number = next++; number < to; number = next++) await live(number)
    }
    await setup.startSealing()
    await Promise.all(Array.from({ length: concurrent }, worker))
    await setup.stopSealing()
    await owner.query('vacuum analyze')
  }
  // The free space map and the visibility map exist once per table and do not count.
  await owner.query('vacuum analyze')
  const before = await sizesOf(owner)
  for (let done = 0; done < rounds; done++) {
    await round(Math.floor((done * lives) / rounds), Math.floor(((done + 1) * lives) / rounds))
    if (done % 10 === 9) console.error(`round ${done + 1} of ${rounds}`)
  }
  await report(before, await sizesOf(owner))
}

async function sizesOf(owner: pg.Client): Promise<Sizes> {
  const { rows } = await owner.query<{ name: string; table: string; bytes: string; rows: number }>(`
    select part.relname as name, coalesce(owning.relname, part.relname) as table, pg_table_size(part.oid) as bytes, part.reltuples as rows
    from pg_class part left join pg_index on indexrelid = part.oid left join pg_class owning on owning.oid = indrelid
    where part.relnamespace = 'public'::regnamespace and part.relkind in ('r', 'i')`)
  return new Map(rows.map(({ name, table, bytes, rows }) => [name, { table, bytes: Number(bytes), rows }]))
}

async function report(before: Sizes, after: Sizes): Promise<void> {
  const grown = [...after].map(([name, { table, bytes, rows }]) => {
    const start = before.get(name)
    return { name, table, bytes: (bytes - (start?.bytes ?? 0)) / lives, rows: (rows - (start?.rows ?? 0)) / lives }
  })
  const sum = (parts: readonly { bytes: number }[]) => parts.reduce((all, { bytes }) => all + bytes, 0)
  const groups = [...Map.groupBy(grown, ({ table }) => table)].map(([table, parts]) => ({ table, parts, bytes: sum(parts) }))
  const total = sum(grown)
  console.log(`${machine}\n${lives} lives of a transfer with ${moves.length} moves, bytes for each life\n`)
  for (const { parts, table, bytes } of groups.toSorted((a, b) => b.bytes - a.bytes).filter(({ bytes }) => bytes >= 1)) {
    console.log(`${bytes.toFixed(0).padStart(8)}  ${((bytes / total) * 100).toFixed(0).padStart(3)} %  ${table}`)
    for (const part of parts.toSorted((a, b) => b.bytes - a.bytes).filter(({ bytes }) => bytes >= 1)) {
      const what = part.name === table ? `the rows, ${part.rows.toFixed(1)} of them` : part.name
      console.log(`${part.bytes.toFixed(0).padStart(8)}           ${what}`)
    }
  }
  const met = total <= bound_bytes
  console.log(`\n${total.toFixed(0)} bytes for the life of a transfer; at most ${bound_bytes}: ${met ? 'met' : 'failed'}`)
  await keepResult('life.json', JSON.stringify({ machine, lives, moves, total, groups }, undefined, 2))
  if (!met) process.exitCode = 1
}
