// Secrets that the service generates when it runs on its embedded database: each in a file of its own in the data folder, readable
// by its owner only, so that `$(cat data/admin-key)` works in a shell.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

export type Secret = { value: string; file: string; fresh: boolean }

/** Reads a stored secret, or generates and stores it. */
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
  // Written to a temporary file and renamed, so that a crash leaves either no secret or a whole one.
  await writeFile(`${file}.new`, `${value}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { value, file, fresh: true }
}
