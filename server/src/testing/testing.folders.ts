// Data folders for services and databases under test.
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. As root, PostgreSQL runs as another user, who must be able to enter it. */
export function makeDataFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `vostro-${name}-`)))
  chmodSync(folder, 0o755)
  return folder
}
