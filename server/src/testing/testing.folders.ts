// Folders for the data of services and databases that are started to be tried out.
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, empty. As root PostgreSQL runs as another user, who must be able to enter. */
export function makeDataFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `vostro-${name}-`)))
  chmodSync(folder, 0o755)
  return folder
}
