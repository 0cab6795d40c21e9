// Restores the embedded database from a file that `npm run backup` wrote, and repeats revocations that were made after the backup.
//   npm run restore -- FILE [--replace] [--anchor ANCHORS]
//   npm run restore -- --anchor ANCHORS
import { parseArgs } from 'node:util'
import { auditOf } from './audit/audit.ts'
import { theService } from './platform/actor.ts'
import type { Revocable, Revocation } from './platform/anchors.ts'
import { restore } from './platform/backup/backup.restore.ts'
import { embeddedSettings, progressOf, runCommand } from './platform/backup/backup.ts'
import { accompanied } from './platform/companions.ts'
import { loadEnvFile, processEnvironment, readSettings } from './platform/config.ts'
import { Database, type Tx } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded.ts'
import { bankId } from './platform/idempotency/idempotency.ts'
import { platformConfig, platformSettings } from './platform/platform.settings.ts'
import { StartupError } from './platform/startup-error.ts'
import { revokeBankKeyAgain } from './users/users.bankkeys.sql.ts'
import { deletePasskeyAgain } from './users/users.sql.ts'
import { revokeKeyAgain } from './ventures/ventures.apikeys.sql.ts'
import { readAnchors } from './verify/verify.ts'

type Urls = { ownerUrl: string; serviceUrl: string }

const revokeAgain: Record<Revocable, (tx: Tx, revoked: Revocation) => Promise<number>> = {
  api_keys: revokeKeyAgain,
  bank_keys: revokeBankKeyAgain,
  passkeys: (tx, { id }) => deletePasskeyAgain(tx, id),
}

/** Returns how many were not revoked in the database. Rows that it does not have were created after the backup. */
export async function applyAnchors({ ownerUrl, serviceUrl }: Urls, revocations: readonly Revocation[]): Promise<number> {
  // The backup may be of an earlier version, and nobody may use it before the revocations are repeated.
  await migrate({ ownerUrl, serviceUrl })
  const database = new Database({ url: serviceUrl })
  try {
    const { kind: actor, id: actor_id } = theService
    const entry = auditOf({
      actor,
      actor_id,
      venture_id: bankId,
      request_id: 'restore',
      address: '',
      action: 'applyAnchors',
      resource: null,
      fields: [],
    })
    await database.findPlacement()
    const { again } = await database.transaction((tx) =>
      accompanied(tx, entry, async () => {
        let again = 0
        for (const revocation of revocations) again += await revokeAgain[revocation.table](tx, revocation)
        return { again }
      }),
    )
    return again
  } finally {
    await database.close()
  }
}

/** The configured database, or the embedded one, which runs until `use` has finished. */
async function withDatabase<Result>(use: (urls: Urls) => Promise<Result>): Promise<Result> {
  loadEnvFile()
  const { databaseUrl, migrationDatabaseUrl, dataDir } = platformConfig(readSettings(platformSettings, processEnvironment()))
  if (databaseUrl !== undefined) return use({ ownerUrl: migrationDatabaseUrl ?? databaseUrl, serviceUrl: databaseUrl })
  const { ownerUrl, serviceUrl, stop } = await startEmbeddedPostgres({ dataDir, onLog: (line) => console.error(line) })
  try {
    return await use({ ownerUrl, serviceUrl })
  } finally {
    await stop()
  }
}

async function restoreFile(file: string, replace: boolean): Promise<void> {
  const { dataDir } = embeddedSettings()
  const onLog = (line: string) => console.error(line)
  const aside = await restore({ dataDir, file, replace, onLog, onProgress: progressOf('restoring') })
  console.log(`The database in ${dataDir} is restored from ${file}.`)
  if (aside !== undefined) console.log(`The previous database was moved to ${aside}: delete it when you no longer need it.`)
}

if (import.meta.main) {
  await runCommand(async () => {
    const { file, replace, anchor } = readArguments()
    // Read before anything is replaced.
    const anchors = anchor === undefined ? [] : await readAnchors(anchor)
    if (file !== undefined) await restoreFile(file, replace)
    if (anchor === undefined) return
    const revocations = anchors.filter((one) => one.anchor === 'revocation')
    const again = await withDatabase((urls) => applyAnchors(urls, revocations))
    console.log(`${again} of ${revocations.length} revocations in ${anchor} were missing and have been repeated.`)
  })
}

function readArguments(): { file: string | undefined; replace: boolean; anchor: string | undefined } {
  const usage = 'Name the file to restore, the anchors to apply, or both: npm run restore -- [FILE [--replace]] [--anchor ANCHORS]'
  try {
    const { values, positionals } = parseArgs({
      options: { replace: { type: 'boolean' }, anchor: { type: 'string' } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    const { replace = false, anchor } = values
    const isComplete = file !== undefined || (anchor !== undefined && !replace)
    if (isComplete && more.length === 0) return { file, replace, anchor }
  } catch {
    // An unknown option.
  }
  throw new StartupError(usage)
}
