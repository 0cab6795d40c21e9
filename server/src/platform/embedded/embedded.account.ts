// Decides which operating system user runs PostgreSQL, and where files go that this user must reach.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { StartupError } from '../startup-error.ts'

/** The user to switch to, or an empty object to stay the current user. It is spread into the options of a spawn. */
export type Account = { readonly uid: number; readonly gid: number } | Record<never, never>

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This user does not exist: try the next one.
    }
  }
  throw new StartupError(
    'PostgreSQL cannot run as root, and this machine has neither a user postgres nor a user nobody to run it: start Vostro as another user.',
  )
}

/**
 * Options for running a PostgreSQL program: in a folder that everyone may enter, and without PG… variables, which would change its
 * settings.
 */
export function runOptions(account: Account) {
  return { ...account, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' } }
}

/** Asks the kernel instead of reading mode bits, which ignore parent folders and access lists. */
export function canEnter(account: Account, folder: string): boolean {
  return !('uid' in account) || spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], runOptions(account)).status === 0
}

/** The folder for files that root cannot keep in its own folders, because PostgreSQL's user may not enter those. */
export function sharedFolder(): string {
  const folder = '/var/lib/vostro'
  // Undoes a strict umask, but only on a folder that we have just created.
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755)
  return folder
}
