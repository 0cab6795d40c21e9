// Shows where a scenario spends its time: in the service by function, in the database by statement.
//   npm run bench:profile -- get "create, 64 connections" "life of an INTERNAL transfer"
//   npm run bench:profile -- get --transfers 1000000 --seconds 5
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import type { Spent } from './profiler.ts'
import { prepare } from './scenarios.ts'
import { withSetup } from './setup.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { transfers: { type: 'string', default: '100000' }, seconds: { type: 'string', default: '5' } },
})
const names = positionals.length > 0 ? positionals : ['get', 'create, 64 connections', 'life of an INTERNAL transfer']
const seconds = Number(values.seconds)

await withSetup(
  async (setup) => {
    const sizes = { accounts: 100, ventures: 100, transfers: Number(values.transfers), moves: 4_000, rows: 10_000 }
    const { scenarios, close } = await prepare(setup, sizes, (name) => names.some((begin) => name.startsWith(begin)))
    const owner = new Client({ connectionString: setup.postgres.ownerUrl })
    await owner.connect()
    await owner.query('create extension if not exists pg_stat_statements')
    for (const { name, run, settle } of scenarios) {
      await settle?.()
      // Warm-up, so that compilation is not profiled.
      if (!name.startsWith('move')) await run(2)
      await owner.query('select pg_stat_statements_reset()')
      await setup.startProfile()
      const { perSecond } = await run(seconds)
      const { parts, functions } = await setup.stopProfile()
      console.log(`\n## ${name}: ${perSecond.toFixed(0)}/s\n`)
      print('service, by part', parts)
      print('service, by function', functions)
      print('database, by statement', await statements(owner))
    }
    await owner.end()
    close()
  },
  { statStatements: true },
)

function print(title: string, spent: readonly Spent[]): void {
  console.log(title)
  for (const { what, share } of spent) console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${what}`)
  console.log()
}

async function statements(owner: Client): Promise<Spent[]> {
  const { rows } = await owner.query<{ query: string; calls: string; total: number; rows: string; share: number }>(`
    select query, calls, total_exec_time as total, rows, total_exec_time / sum(total_exec_time) over () as share
    from pg_stat_statements where query not like '%pg_stat_statements%' order by total desc limit 12`)
  return rows.map(({ query, calls, total, rows, share }) => ({
    what: `${calls} calls, ${(total / Number(calls)).toFixed(3)} ms, ${(Number(rows) / Number(calls)).toFixed(1)} rows: ${query.replaceAll(/\s+/g, ' ').slice(0, 110)}`,
    share,
  }))
}
