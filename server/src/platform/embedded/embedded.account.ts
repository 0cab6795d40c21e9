// Decides which operating system user runs PostgreSQL, and where to put files that this user must be able to reach.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { StartupError } from '../startup-error.ts'

/** The user to switch to, or an empty object to stay the current user. It is spread into the options of a spawn. */
export type Account = { readonly uid: number; readonly gid: number } | Record<never, never>

/** PostgreSQL refuses to run as root, so root hands it to a user without rights. */
export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user: try the next one.
    }
  }
  throw new StartupError(
    'PostgreSQL cannot run as root, and this machine has neither a user postgres nor a user nobody to run it: start Vostro as another user.',
  )
}

/** Options to run a program of PostgreSQL: in a folder everyone may enter, and without our PG… variables, which would change its settings. */
export function runOptions(account: Account) {
  return { ...account, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' } }
}

/** Asks the kernel instead of reading mode bits, which do not cover parent folders and access lists. */
export function canEnter(account: Account, folder: string): boolean {
  return !('uid' in account) || spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], runOptions(account)).status === 0
}

/** Holds what root cannot keep in a place that PostgreSQL's user may not enter. */
export function sharedFolder(): string {
  const folder = '/var/lib/vostro'
  // Undoes a strict umask, but only on a folder that we have just created.
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755)
  return folder
}
