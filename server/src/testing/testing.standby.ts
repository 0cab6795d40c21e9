// Two PostgreSQL servers on loopback, one a synchronous standby of the other, for tests that lose, restart and promote them. They need
// nothing installed: the embedded programs are enough, although pg_basebackup is not among them.
// nothing installed: the embedded programs can do all of it, except that they lack pg_basebackup.
import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Account, chooseAccount, runOptions, sharedFolder } from '../platform/embedded/embedded.account.ts'
import { installedPackage, runnableBinaries } from '../platform/embedded/embedded.binaries.ts'
import { freePort, isAlive } from '../platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from './testing.folders.ts'
import { hopeless_ms, LocalPostgres, logins, passwords, type Role, urlOfAll } from './testing.postgres.ts'
import { familyOf, signal } from './testing.programs.ts'

const run = promisify(execFile)

/** As in the embedded database: searches know capital letters of all languages. */
const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'

export class PostgresServer extends LocalPostgres {
  readonly #binaries: string
  readonly #account: Account
  readonly #folder: string
  readonly #more: readonly string[]
  /** Whether a COMMIT waits until the other server has it. */
  #synchronous = false
  #pid = 0

  /** `settings`: further lines for its postgresql.conf. */
  constructor(options: { port: number; binaries: string; account: Account; folder: string; settings?: readonly string[] }) {
    super(options.port)
    this.#binaries = options.binaries
    this.#account = options.account
    this.#folder = options.folder
    this.#more = options.settings ?? []
  }

  get data(): string {
    return join(this.#folder, 'data')
  }

  get pid(): number {
    return this.#pid
  }

  get isRunning(): boolean {
    return isAlive(this.#pid)
  }

  get log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8')
  }

  async initialise({ auth = 'scram-sha-256' } = {}): Promise<void> {
    this.#makeFolder()
    const passwordFile = join(this.#folder, 'password')
    writeFileSync(passwordFile, passwords.owner)
    this.#give(passwordFile)
    const flags = [`--username=${logins.owner}`, `--pwfile=${passwordFile}`, `--auth=${auth}`, '--encoding=UTF8', `--locale=${locale}`]
    await run(join(this.#binaries, 'initdb'), [`--pgdata=${this.data}`, '--no-sync', ...flags], runOptions(this.#account))
  }

  /** Makes this server a copy of `primary`, which keeps running. The copy follows it from its next start on. */
  async copy(primary: PostgresServer): Promise<void> {
    rmSync(this.data, { recursive: true, force: true })
    this.#makeFolder()
    await primary.asOwner(async (client) => {
      await client.query(`select pg_backup_start('standby', true)`)
      await run('cp', ['-a', `${primary.data}/.`, this.data])
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      writeFileSync(join(this.data, 'backup_label'), rows[0]?.labelfile ?? '')
    })
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(this.data, name), { force: true })
    this.follow(primary)
  }

  /** From its next start on, this server is a standby of `primary`. */
  follow(primary: PostgresServer): void {
    const source = `host=127.0.0.1 port=${primary.port} user=${logins.owner} password=${passwords.owner} sslmode=disable application_name=standby`
    writeFileSync(join(this.data, 'standby.signal'), '')
    writeFileSync(join(this.data, 'primary.conf'), `primary_conninfo = '${source}'\n`)
  }

  async start({ synchronous = false } = {}): Promise<void> {
    this.#writeSettings(synchronous)
    const log = openSync(join(this.#folder, 'log'), 'a')
    // Without a shell or supervisor in between, so what dies stays dead until the next start.
    const options = { ...runOptions(this.#account), detached: true, stdio: ['ignore', log, log] as ['ignore', number, number] }
    const child = spawn(join(this.#binaries, 'postgres'), ['-D', this.data, '-p', String(this.port)], options)
    closeSync(log)
    child.unref()
    this.#pid = child.pid ?? 0
    await this.untilAnswering()
  }

  /** Waits until the server accepts connections, also after a crash. */
  async untilAnswering(): Promise<void> {
    const deadline = performance.now() + hopeless_ms
    for (;;) {
      try {
        return await this.asOwner(async () => {}, 'postgres')
      } catch (error) {
        if (!this.isRunning || performance.now() > deadline)
          throw new Error(`PostgreSQL does not run: ${this.log.slice(-2_000)}`, { cause: error })
        await sleep(20)
      }
    }
  }

  async setSynchronous(synchronous: boolean): Promise<void> {
    this.#writeSettings(synchronous)
    await this.asOwner((client) => client.query('select pg_reload_conf()'), 'postgres')
  }

  /** Waits until the standby is connected and every COMMIT waits for it. */
  async untilStandbyIsThere(): Promise<void> {
    await this.until(`select pid from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming'`)
  }

  async promote(): Promise<void> {
    await this.asOwner((client) => client.query('select pg_promote(true, 60)'), 'postgres')
  }

  /** Sends SIGKILL to everything that belongs to this server, as if the machine were lost. */
  async kill(): Promise<void> {
    if (!this.isRunning) return
    // Stopped first, so that no child starts after they have been listed.
    process.kill(this.#pid, 'SIGSTOP')
    const family = familyOf(this.#pid)
    for (const pid of family) signal(pid, 'SIGKILL')
    while (family.some(isAlive)) await sleep(10)
  }

  /** A clean stop, which first sends everything to the standby. */
  async stop(): Promise<void> {
    signal(this.#pid, 'SIGINT')
    while (this.isRunning) await sleep(20)
  }

  #makeFolder(): void {
    mkdirSync(this.data, { recursive: true })
    chmodSync(this.data, 0o700)
    for (const folder of [this.#folder, this.data]) this.#give(folder)
  }

  #writeSettings(synchronous: boolean): void {
    this.#synchronous = synchronous
    const settings = [
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      // Only processes are killed here, not machines.
      'fsync = off',
      'shared_buffers = 32MB',
      // What a standby has missed is still there when it comes back.
      'wal_keep_size = 512MB',
      `synchronous_standby_names = '${this.#synchronous ? 'standby' : ''}'`,
      'log_min_messages = warning',
      `timezone = 'UTC'`,
      ...this.#more,
      `include_if_exists 'primary.conf'`,
    ]
    writeFileSync(join(this.data, 'postgresql.conf'), `${settings.join('\n')}\n`)
    for (const name of ['postgresql.conf', 'primary.conf', 'standby.signal', 'backup_label']) {
      if (existsSync(join(this.data, name))) this.#give(join(this.data, name))
    }
  }

  #give(path: string): void {
    if ('uid' in this.#account) chownSync(path, this.#account.uid, this.#account.gid)
  }
}

export class Pair {
  /** The primary at first. */
  readonly left: PostgresServer
  /** The standby at first. */
  readonly right: PostgresServer
  readonly #folder: string
  #primary: PostgresServer

  private constructor(folder: string, left: PostgresServer, right: PostgresServer) {
    this.#folder = folder
    this.left = left
    this.right = right
    this.#primary = left
  }

  /** `binaries`: the folder with the programs of PostgreSQL; by default, the embedded ones. */
  static async open({ binaries }: { binaries?: string } = {}): Promise<Pair> {
    const account = chooseAccount()
    const folder = makeDataFolder('standby')
    const programs = binaries ?? runnableBinaries(installedPackage(), account, () => ('uid' in account ? sharedFolder() : folder))
    const make = async (name: string) =>
      new PostgresServer({
        port: await freePort({ from: 20_000, below: 30_000 }),
        binaries: programs,
        account,
        folder: join(folder, name),
      })
    const pair = new Pair(folder, await make('left'), await make('right'))
    try {
      await pair.#prepare()
    } catch (error) {
      await pair.close()
      throw error
    }
    return pair
  }

  async #prepare(): Promise<void> {
    await this.left.initialise()
    await this.left.start({ synchronous: false })
    await this.left.createDatabase()
    await this.replaceStandby()
  }

  get primary(): PostgresServer {
    return this.#primary
  }

  get standby(): PostgresServer {
    return this.#primary === this.left ? this.right : this.left
  }

  /** Starts the standby again after it was away. */
  async startStandby(): Promise<void> {
    await this.standby.start({ synchronous: false })
  }

  /** Makes the running standby the primary. From then on, it waits for no other server. */
  async promote(): Promise<void> {
    await this.standby.promote()
    this.#primary = this.standby
  }

  /** Makes the former primary follow the new one. It must have been stopped cleanly, after it had sent everything. */
  async rejoin(): Promise<void> {
    this.standby.follow(this.primary)
    await this.#connectStandby()
  }

  /** Makes the former primary a new copy of the new one, because it may have data that the new one lacks. */
  async replaceStandby(): Promise<void> {
    await this.standby.copy(this.primary)
    await this.#connectStandby()
  }

  async #connectStandby(): Promise<void> {
    await this.startStandby()
    await this.primary.setSynchronous(true)
    await this.primary.untilStandbyIsThere()
  }

  /** The URL with both hosts. */
  url(role: Role, servers: readonly [PostgresServer, PostgresServer] = [this.left, this.right]): string {
    return urlOfAll(servers, role)
  }

  async close(): Promise<void> {
    await this.left.kill()
    await this.right.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
