// The embedded database for commands that need the owner's rights, whether or not a service is running on it.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { keepPasswords } from './embedded.folder.ts'
import { runningPostmaster, serverUrl } from './embedded.postmaster.ts'
import { startEmbeddedPostgres } from './embedded.ts'

/** `urlOf`: the URL of one of its databases, with the owner's login. */
export type OwnedServer = { urlOf(database: string): string; close(): Promise<void> }

/** The server of a running Vostro, or a server that is started and runs until it is closed. */
export async function openOwnedServer(dataDir: string): Promise<OwnedServer> {
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartupError(`There is no database in ${dataDir}: set DATA_DIR to its folder.`)
  try {
    const { serverUrl, stop } = await startEmbeddedPostgres({ dataDir, onLog: (line) => console.error(line) })
    return { urlOf: serverUrl, close: stop }
  } catch (error) {
    if (!(error instanceof StartupError && /in use by another Vostro/.test(error.message))) throw error
    const running = runningPostmaster(realpathSync(join(dataDir, 'postgres')))
    if (running === undefined) throw new StartupError(`The database in ${dataDir} is being started or stopped: try again in a moment.`)
    const { owner } = keepPasswords(dataDir)
    return { urlOf: (database) => serverUrl(running.port, 'vostro_owner', owner, database), close: async () => {} }
  }
}
