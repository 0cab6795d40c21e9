// Distributes the tables over the workers of a Citus cluster, or moves shards to other workers.
//   npm run distribute
//   npm run distribute -- move --balance
import { beginEra } from './events/events.ts'
import { loadEnvFile, processEnvironment, readSettings } from './platform/config.ts'
import { type Move, move, moveUsage, readMove } from './platform/distribute/distribute.move.ts'
import { distribute } from './platform/distribute/distribute.ts'
import { platformConfig, platformSettings } from './platform/platform.settings.ts'
import { StartupError, withSentence } from './platform/startup-error.ts'
import { selectVenture } from './ventures/ventures.sql.ts'

const usage = `npm run distribute                                       distributes the tables that are not distributed yet
${moveUsage}`

async function main(): Promise<void> {
  const [command, ...others] = process.argv.slice(2)
  if (command !== undefined && command !== 'move') throw new StartupError(`There is no "${command}".\n\n${usage}`)
  const wanted = command === undefined ? undefined : readMove(others)
  loadEnvFile()
  const { databaseUrl, migrationDatabaseUrl } = platformConfig(readSettings(platformSettings, processEnvironment()))
  if (databaseUrl === undefined)
    throw new StartupError('DATABASE_URL is not set: the embedded database is a single server and cannot be distributed.')
  const url = migrationDatabaseUrl ?? databaseUrl
  console.log(wanted === undefined ? await carryOutDistribute(url) : await carryOutMove(url, wanted))
}

async function carryOutDistribute(url: string): Promise<string> {
  const { tables, workers } = await distribute(url)
  const over = `${workers} worker${workers === 1 ? '' : 's'}`
  if (tables.length === 0) return `All tables are already distributed over ${over}: nothing was changed.`
  return `Distributed ${tables.length} tables over ${over}: ${tables.join(', ')}.`
}

async function carryOutMove(url: string, wanted: Move): Promise<string> {
  const { moved, era } = await move(url, wanted, { beginEra, selectVenture }, (line) => console.log(line))
  if (moved === 0) return 'Everything is already in its place: nothing was changed.'
  return `Moved ${moved} ${moved === 1 ? 'shard' : 'shards'} of each table. Era ${era} of the events has begun.`
}

if (import.meta.main) await withSentence(main)
