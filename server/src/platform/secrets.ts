// Secrets that the service generates when it runs on its embedded database. Each is in its own file in the data folder, readable only by
// its owner, so that `$(cat data/admin-key)` works in a shell.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

export type Secret = { value: string; file: string; fresh: boolean }

/** Reads a stored secret, or generates and stores a new one. */
export async function keepSecret(dataDir: string, name: string, make: () => string): Promise<Secret> {
  const file = join(dataDir, name)
  try {
    const value = (await readFile(file, 'utf8')).trim()
    if (value === '') throw new StartupError(`The file ${file} is empty: restore it, or delete it to generate a new secret.`)
    return { value, file, fresh: false }
  } catch (error) {
    if (error instanceof StartupError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new StartupError(`The secret in ${file} cannot be read: ${message}.`)
  }
  const value = make()
  // Written to a temporary file and renamed, so that a crash leaves either no secret or a complete one.
  await writeFile(`${file}.new`, `${value}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { value, file, fresh: true }
}
