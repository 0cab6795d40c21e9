// One machine of the cluster: a Patroni, and the PostgreSQL that it starts, stops, promotes and rewinds.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../server/src/platform/embedded/embedded.postmaster.ts'
import { hopeless_ms, LocalPostgres, logins, passwords } from '../../../server/src/testing/testing.postgres.ts'
import { familyOf, signal } from '../../../server/src/testing/testing.programs.ts'
import { Daemon, type Place } from './patroni.daemon.ts'
import type { Programs } from './patroni.programs.ts'

/** In seconds. Patroni accepts no shorter ttl; the others follow its rule that loop_wait + 2 * retry_timeout must not exceed ttl. */
export const timing = { ttl: 20, loop_wait: 5, retry_timeout: 5 }

type NodeOptions = { name: string; place: Place; programs: Programs; ports: { postgres: number; rest: number; etcd: number } }

/** A member of the cluster, as reported by Patroni. */
export type Member = { name: string; role: 'leader' | 'sync_standby' | 'replica'; state: string }

export class PatroniNode {
  readonly name: string
  readonly postgres: LocalPostgres
  readonly restPort: number
  readonly #data: string
  readonly #patroni: Daemon

  constructor({ name, place, programs, ports }: NodeOptions) {
    this.name = name
    this.postgres = new LocalPostgres(ports.postgres)
    this.restPort = ports.rest
    this.#data = join(place.folder, 'data')
    this.#patroni = new Daemon({ place, path: programs.patroni, args: [join(place.folder, 'patroni.yml')] })
    // JSON is YAML.
    place.write('patroni.yml', JSON.stringify(configurationOf({ name, place, programs, ports }), undefined, 2))
  }

  start(): void {
    this.#patroni.start()
  }

  /** As a new machine with the old name, which Patroni copies from the primary, like `patronictl reinit`. */
  startEmpty(): void {
    rmSync(this.#data, { recursive: true, force: true })
    this.start()
  }

  /** The latest output of Patroni and PostgreSQL. */
  get log(): string {
    return this.#patroni.log
  }

  /** Whether Patroni reports it as primary, as HAProxy asks. */
  async isPrimary(): Promise<boolean> {
    return (await this.#ask('GET', '/primary'))?.ok ?? false
  }

  /** The members known to Patroni; none if it does not respond. */
  async members(): Promise<Member[]> {
    const response = await this.#ask('GET', '/cluster')
    return response?.ok ? ((await response.json()) as { members: Member[] }).members : []
  }

  /** How far this server has received the log of the primary. */
  async received(): Promise<number> {
    const response = await this.#ask('GET', '/patroni')
    const { xlog } = ((await response?.json()) ?? {}) as { xlog?: { received_location?: number; replayed_location?: number } }
    return Math.max(xlog?.received_location ?? 0, xlog?.replayed_location ?? 0)
  }

  /** Like `patronictl switchover` and `patronictl failover`. */
  async order(what: 'switchover' | 'failover', body: { leader?: string; candidate: string }): Promise<void> {
    const response = await this.#ask('POST', `/${what}`, body)
    if (!response?.ok) throw new Error(`Patroni refused the ${what}: ${(await response?.text()) ?? 'no answer'}`)
  }

  async #ask(method: string, path: string, body?: object): Promise<Response | undefined> {
    try {
      // An order is answered when it is carried out.
      const limit_ms = method === 'GET' ? 2_000 : 60_000
      const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      return await fetch(`http://127.0.0.1:${this.restPort}${path}`, { method, ...payload, signal: AbortSignal.timeout(limit_ms) })
    } catch {
      return undefined
    }
  }

  /** kill -9 of everything here, as if the machine were lost. */
  async kill(): Promise<void> {
    // Prevents it from restarting what was just killed.
    signal(this.#patroni.pid, 'SIGSTOP')
    await this.crash()
    await this.#patroni.kill()
  }

  /** kill -9 of PostgreSQL; its Patroni is left to notice. */
  async crash(): Promise<void> {
    const pid = this.#postmaster()
    if (!isAlive(pid)) return
    signal(pid, 'SIGSTOP')
    const family = familyOf(pid)
    for (const member of family) signal(member, 'SIGKILL')
    while (family.some(isAlive)) await sleep(10)
  }

  /** Waits until PostgreSQL, which has crashed, accepts writes again. (Patroni calls it the primary all the time, because it has the lease.) */
  async untilPrimary(): Promise<void> {
    const deadline = performance.now() + hopeless_ms
    const isPrimary = 'select not pg_is_in_recovery() as is'
    const accepts = () => this.postgres.asOwner(async (client) => (await client.query<{ is: boolean }>(isPrimary)).rows[0]?.is ?? false)
    while (!(await accepts().catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`${this.name} is not the primary: ${this.log.slice(-2_000)}`)
      await sleep(50)
    }
  }

  #postmaster(): number {
    try {
      return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      return 0
    }
  }
}

function configurationOf({ name, place, programs, ports }: NodeOptions): object {
  const rest = `127.0.0.1:${ports.rest}`
  const address = `127.0.0.1:${ports.postgres}`
  const superuser = { username: logins.owner, password: passwords.owner }
  return {
    scope: 'vostro',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ...timing,
        // A COMMIT waits for a standby, and if there is none, it waits for one to come back.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
          // The WAL that a standby missed is kept for its return.
          parameters: { wal_keep_size: '512MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(place.folder, 'data'),
      bin_dir: programs.binaries,
      pgpass: join(place.folder, 'pgpass'),
      authentication: { superuser, replication: { username: 'replicator', password: passwords.service } },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
      // Processes are killed here, and not machines.
      parameters: { unix_socket_directories: '', fsync: 'off', shared_buffers: '32MB', timezone: 'UTC', log_min_messages: 'warning' },
    },
  }
}
