// A PostgreSQL on loopback, however it was started, with the logins that all test servers have.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { serverUrl, withClient } from '../platform/embedded/embedded.postmaster.ts'

/** A server that has not answered by then never will. */
export const hopeless_ms = 120_000

export const passwords = { owner: randomBytes(16).toString('hex'), service: randomBytes(16).toString('hex') }
export const logins = { owner: 'vostro_owner', service: 'vostro_login' }

export type Role = keyof typeof logins

export class LocalPostgres {
  readonly port: number

  constructor(port: number) {
    this.port = port
  }

  url(role: Role = 'owner', database = 'vostro'): string {
    return serverUrl(this.port, logins[role], passwords[role], database)
  }

  /** The login of the service, and its database. */
  async createDatabase(): Promise<void> {
    await this.asOwner(async (client) => {
      await client.query(`create role ${logins.service} login password '${passwords.service}'`)
      await client.query('create database vostro')
    }, 'postgres')
  }

  /** Waits until backends of the service are waiting for the standby, and returns their process ids. */
  async untilCommitsWait(count = 1, application = 'vostro'): Promise<number[]> {
    const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep' and application_name = '${application}' order by pid`
    return (await this.until(waiting, count)).map(({ pid }) => pid)
  }

  /** Waits until a query returns this many rows. */
  async until(query: string, count = 1): Promise<{ pid: number }[]> {
    const deadline = performance.now() + hopeless_ms
    for (;;) {
      const { rows } = await this.asOwner((client) => client.query<{ pid: number }>(query))
      if (rows.length >= count) return rows
      if (performance.now() > deadline) throw new Error(`it never happened: ${query}`)
      await sleep(10)
    }
  }

  /** Cancels a COMMIT's wait for the standby. It then counts as done on this server. */
  async cancel(pid: number): Promise<void> {
    await this.asOwner((client) => client.query('select pg_cancel_backend($1)', [pid]))
  }

  asOwner<Result>(use: (client: pg.Client) => Promise<Result>, database = 'vostro'): Promise<Result> {
    return withClient(this.url('owner', database), 10_000, use)
  }
}

/** One URL with the hosts of all servers. */
export function urlOfAll(servers: readonly LocalPostgres[], role: Role): string {
  const [first] = servers
  if (first === undefined) throw new Error('a URL needs a host')
  return first.url(role).replace(`127.0.0.1:${first.port}`, servers.map(({ port }) => `127.0.0.1:${port}`).join())
}
