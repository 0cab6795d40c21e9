// The PostgreSQL of this machine, as Debian installs it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian's packages have a folder for each version. */
export const debian = '/usr/lib/postgresql'

/** Without these there is no server. */
export const programs = ['initdb', 'postgres']

/** The folder with the programs of the newest PostgreSQL, from version 15 on. */
export function newestInstalled(): string | undefined {
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const folders = versions.sort((a, b) => b - a).map((version) => join(debian, String(version), 'bin'))
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}
