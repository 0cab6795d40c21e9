// A background program that runs until killed, as an unprivileged user where PostgreSQL requires it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, runOptions } from '../../../server/src/platform/embedded/embedded.account.ts'
import { isAlive } from '../../../server/src/platform/embedded/embedded.postmaster.ts'
import { familyOf, signal } from '../../../server/src/testing/testing.programs.ts'

/** The folder of each program, and its user. */
export class Place {
  readonly account: Account
  readonly folder: string

  constructor(parent: string, name: string, account: Account) {
    this.account = account
    this.folder = join(parent, name)
    mkdirSync(this.folder, { mode: 0o700 })
    this.#give(this.folder)
  }

  /** Only the program may read the file, which may contain passwords. */
  write(name: string, text: string): void {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    this.#give(path)
  }

  #give(path: string): void {
    if ('uid' in this.account) chownSync(path, this.account.uid, this.account.gid)
  }
}

export class Daemon {
  readonly #options: { place: Place; path: string; args: readonly string[] }
  #child: ChildProcess | undefined

  constructor(options: { place: Place; path: string; args: readonly string[] }) {
    this.#options = options
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get log(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  get #logFile(): string {
    return join(this.#options.place.folder, 'log')
  }

  start(): void {
    const { place, path, args } = this.#options
    const log = openSync(this.#logFile, 'a')
    // Ctrl-C in the terminal ends the command, which then ends its programs in order.
    const child = spawn(path, args, { ...runOptions(place.account), detached: true, stdio: ['ignore', log, log] })
    closeSync(log)
    child.unref()
    // A program that does not start is noticed by its callers.
    child.on('error', () => {})
    this.#child = child
  }

  /** Ends the program and its remaining children. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || !isAlive(this.pid)) return
    const ended = once(child, 'exit')
    child.ref()
    signal(this.pid, 'SIGSTOP')
    const family = familyOf(this.pid)
    for (const pid of family) signal(pid, 'SIGKILL')
    await ended
    while (family.some(isAlive)) await sleep(10)
  }
}
