// The process: reads the settings, starts the service, prints a ready line, and stops on SIGINT and SIGTERM.
import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { start } from './instances.ts'
import { loadEnvFile } from './platform/config.ts'
import { StartupError } from './platform/startup-error.ts'
import { stopSignal } from './platform/stop-signal.ts'
import type { Service } from './service.ts'

// A signal during startup takes effect once the service has started.
const stopRequested = stopSignal()
try {
  loadEnvFile()
  const config = readConfig()
  announceFirstStart(config)
  const service = await start(config)
  announce(service)
  service.buildConsole()
  // Flushed now and not only at a clean exit, so that the start after a crash is fast too.
  flushCompileCache()
  await stopRequested
  await service.stop()
  process.exit(0)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** Creating the database takes seconds, during which nothing else is printed. */
function announceFirstStart({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) console.log(`Creating the database in ${dataDir}.`)
}

function announce({ url, adminKey, adminKeyMay, hasBankAdmin, setUpUrl }: Service): void {
  const shown = adminKey?.fresh ? adminKey.value : adminKey ? `$(cat ${adminKey.file})` : '$ADMIN_API_KEY'
  const registration = `curl ${url}/api/v1/ventures -H "X-API-Key: ${shown}" -H "Content-Type: application/json" -d '{"name":"Acme"}'`
  const lines = [
    '',
    `  API          ${url}/api/v1`,
    `  Console      ${url}/console/`,
    `  Reference    ${url}/docs`,
    ...(adminKey && adminKeyMay !== 'NOTHING'
      ? [`  Admin key    ${adminKey.fresh ? `${adminKey.value} (kept in ${adminKey.file})` : `in ${adminKey.file}`}`]
      : []),
    ...(setUpUrl === undefined ? [] : [`  Set-up link  ${setUpUrl}`]),
    '',
    ...(adminKeyMay === 'EVERYTHING' ? ['  Register a venture:', `    ${registration}`] : []),
    ...(adminKeyMay !== 'EVERYTHING' && hasBankAdmin ? ['  Admins of the bank register ventures in the console.'] : []),
    ...(adminKeyMay === undefined && !hasBankAdmin ? ['  ADMIN_API_KEY is not set, so nobody can register ventures.'] : []),
    '',
    `Vostro is ready on ${url}`,
  ]
  console.log(lines.join('\n'))
}
