// A cluster on loopback as people run it: etcd, three nodes with Patroni in strict synchronous mode, and HAProxy in front of them. Everything
// lives in one temporary folder and is gone at the end.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, chooseAccount } from '../../../server/src/platform/embedded/embedded.account.ts'
import { freePort } from '../../../server/src/platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from '../../../server/src/testing/testing.folders.ts'
import { hopeless_ms, LocalPostgres, type Role, urlOfAll } from '../../../server/src/testing/testing.postgres.ts'
import { Daemon, Place } from './patroni.daemon.ts'
import { type Member, PatroniNode } from './patroni.node.ts'
import type { Programs } from './patroni.programs.ts'

const names = ['one', 'two', 'three'] as const

const ports = { from: 20_000, below: 30_000 }

export class Cluster {
  readonly #folder = makeDataFolder('patroni')
  readonly #programs: Programs
  readonly #account: Account = chooseAccount()
  readonly #daemons: Daemon[] = []
  readonly #taken = new Set<number>()
  #nodes: PatroniNode[] = []
  #balancer = new LocalPostgres(0)

  constructor(programs: Programs) {
    this.#programs = programs
  }

  /** Starts everything, and waits until each COMMIT waits for a standby. */
  async start(): Promise<void> {
    const etcd = await this.#startEtcd()
    this.#nodes = await Promise.all(names.map((name) => this.#makeNode(name, etcd)))
    for (const node of this.#nodes) node.start()
    await this.#startBalancer()
    const primary = await this.untilWhole()
    await primary.postgres.createDatabase()
    // HAProxy asks before it lets anyone through.
    await this.#until('HAProxy', () => this.#balancer.asOwner(async () => true).catch(() => false))
  }

  /** The way through HAProxy, or one URL with the hosts of all nodes. */
  url(access: 'haproxy' | 'hosts', role: Role): string {
    const servers = this.#nodes.map(({ postgres }) => postgres)
    return access === 'haproxy' ? this.#balancer.url(role) : urlOfAll(servers, role)
  }

  /** Waits for a primary that all nodes follow, and a standby that each COMMIT waits for. */
  async untilWhole(): Promise<PatroniNode> {
    return await this.#until('a primary that all others follow', async () => {
      const primary = await this.primary()
      const members = (await primary?.members()) ?? []
      if (primary === undefined || !members.some(({ role }) => role === 'sync_standby')) return undefined
      const following = `select pid from pg_stat_replication where state = 'streaming'`
      const { rowCount } = await primary.postgres.asOwner((client) => client.query(following), 'postgres')
      return rowCount === this.#nodes.length - 1 ? primary : undefined
    })
  }

  async primary(): Promise<PatroniNode | undefined> {
    const are = await Promise.all(this.#nodes.map((node) => node.isPrimary()))
    return this.#nodes[are.indexOf(true)]
  }

  /** The standbys, and last the one that each COMMIT waits for. */
  async standbys(primary: PatroniNode): Promise<PatroniNode[]> {
    const roles = new Map((await primary.members()).map(({ name, role }): [string, Member['role']] => [name, role]))
    const others = this.#nodes.filter((node) => node !== primary)
    return others.toSorted((a, b) => Number(roles.get(a.name) === 'sync_standby') - Number(roles.get(b.name) === 'sync_standby'))
  }

  /** Waits until another node than `former` is the primary. */
  async untilReplaced(former: PatroniNode): Promise<PatroniNode> {
    return await this.#until('another primary', async () => {
      const primary = await this.primary()
      return primary === former ? undefined : primary
    })
  }

  /** Promotes the standby that has received the most, once the lease of the lost primary has ended: what people do when Patroni will not. */
  async failOver(standbys: readonly PatroniNode[]): Promise<void> {
    await this.#until('the end of the lease', async () => {
      const views = await Promise.all(standbys.map((node) => node.members()))
      const isRunning = ({ role, state }: Member) => role !== 'leader' && state === 'running'
      return views.every((members) => members.length === standbys.length && members.every(isRunning))
    })
    const received = await Promise.all(standbys.map((node) => node.received()))
    const candidate = standbys[received.indexOf(Math.max(...received))]
    await candidate?.order('failover', { candidate: candidate.name })
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.kill()
    for (const daemon of this.#daemons) await daemon.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #startEtcd(): Promise<number> {
    const [port, peers] = [await this.#port(), await this.#port()]
    const place = new Place(this.#folder, 'etcd', this.#account)
    const [clientUrl, peerUrl] = [port, peers].map((number) => `http://127.0.0.1:${number}`)
    const flags = {
      name: 'etcd',
      'data-dir': join(place.folder, 'data'),
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `etcd=${peerUrl}`,
    }
    this.#run(
      place,
      this.#programs.etcd,
      Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    )
    await this.#until('etcd', () => answers(`${clientUrl}/health`))
    return port
  }

  async #makeNode(name: string, etcd: number): Promise<PatroniNode> {
    const place = new Place(this.#folder, name, this.#account)
    return new PatroniNode({
      name,
      place,
      programs: this.#programs,
      ports: { postgres: await this.#port(), rest: await this.#port(), etcd },
    })
  }

  async #startBalancer(): Promise<void> {
    this.#balancer = new LocalPostgres(await this.#port())
    const place = new Place(this.#folder, 'haproxy', this.#account)
    const servers = this.#nodes.map(({ name, postgres, restPort }) => `  server ${name} 127.0.0.1:${postgres.port} check port ${restPort}`)
    place.write('haproxy.cfg', `${haproxyHead(this.#balancer.port)}${servers.join('\n')}\n`)
    this.#run(place, this.#programs.haproxy, ['-db', '-f', join(place.folder, 'haproxy.cfg')])
  }

  #run(place: Place, path: string, args: readonly string[]): void {
    const daemon = new Daemon({ place, path, args })
    this.#daemons.push(daemon)
    daemon.start()
  }

  /** The port is not in use yet when the next one is chosen. */
  async #port(): Promise<number> {
    for (;;) {
      const port = await freePort(ports)
      if (this.#taken.has(port)) continue
      this.#taken.add(port)
      return port
    }
  }

  async #until<Result>(what: string, look: () => Promise<Result>): Promise<Exclude<Result, undefined | false>> {
    const deadline = performance.now() + hopeless_ms
    for (;;) {
      const found = await look().catch(() => undefined)
      if (found !== undefined && found !== false) return found as Exclude<Result, undefined | false>
      if (performance.now() > deadline) throw new Error(`there is never ${what}: ${this.#logs()}`)
      await sleep(50)
    }
  }

  #logs(): string {
    const last = (log: string) => log.trim().split('\n').slice(-10).join('\n')
    return [...this.#daemons, ...this.#nodes].map(({ log }) => last(log)).join('\n\n')
  }
}

async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
}

/** Patroni says which node is the primary; connections to any other are ended. */
function haproxyHead(port: number): string {
  return `defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 30m
  timeout server 30m

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
`
}
