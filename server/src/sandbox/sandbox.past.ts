// Whether a database was a sandbox before: its money does not exist, whatever the settings say now.
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { nostroId } from './bank/sandbox.bank.nostro.ts'

/**
 * The sandbox creates its nostro before the first request or, if another nostro prevents that, soon afterwards its watch list, which only
 * the service imports.
 */
export async function wasSandbox(database: Database): Promise<boolean> {
  const found = await database.first(read<{ was: boolean }>`
    select exists (select from nostros where id = ${nostroId})
      or exists (select from watchlist_versions where imported_by = 'service') as was`)
  return found?.was === true
}
