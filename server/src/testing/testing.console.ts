// The console, built for the tests.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { consoleFolder } from '../desk/desk.files.ts'

/** Builds the console, unless it has already been built from the same sources. */
export async function buildForTests(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(consoleFolder, 'build.ts')])
}

export async function builtFolder(): Promise<string> {
  return join(consoleFolder, 'dist', (await readFile(join(consoleFolder, 'dist', 'current'), 'utf8')).trim())
}

export async function someAsset(): Promise<string> {
  const name = (await readdir(join(await builtFolder(), 'assets'))).find((file) => file.endsWith('.js'))
  if (name === undefined) throw new Error('the console has no script')
  return name
}

/** Ends a person's session. */
export async function signOutOf(person: { send(request: { method: 'DELETE'; url: string }): Promise<{ status: number }> }): Promise<void> {
  const { status } = await person.send({ method: 'DELETE', url: '/api/v1/session' })
  if (status !== 204) throw new Error(`the person could not sign out: ${status}`)
}
