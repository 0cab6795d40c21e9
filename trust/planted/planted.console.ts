// Bugs in the console: browsers get it compiled, so a loader hook cannot plant them. Instead, a copy of the console is built with the bug in its own
// folder, and the service under test is changed to serve that copy.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Change, changed } from '../mutation/mutation.seam.ts'
import { changeOf } from './planted.place.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

/** The file in which the service finds the console. */
const place = { folder: 'desk', within: 'consoleFolder', find: "fileURLToPath(new URL('../../../console/', import.meta.url))" }

export const isOfConsole = (path: string): boolean => path.startsWith('console/src/')

/** Runs `work` with the change that makes the service serve the console with the bug. */
export async function withConsole<Result>(change: Change, run: (served: Change) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'vostro-console-'))
  try {
    for (const name of [
      'console/src',
      'console/index.html',
      'console/build.ts',
      'console/package.json',
      'sdk',
      'package.json',
      'package-lock.json',
    ])
      await cp(join(checkout, name), join(folder, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
    const path = join(folder, change.path)
    await writeFile(path, changed(change, await readFile(path, 'utf8')))
    await promisify(execFile)(process.execPath, [join(folder, 'console/build.ts')])
    return await run(changeOf({ ...place, replace: JSON.stringify(join(folder, 'console/')) }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
