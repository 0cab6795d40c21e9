// What a peer is: another ledger that gets the same load. Its program is looked for in PEERS_BIN; its code is no part of this repository.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LoadSpec } from '../load/load.ts'

export const scenarioNames = [
  'create, many accounts',
  'create, one hot account',
  'money moved by one request',
  'bulk of 100, per order',
  'get by id',
  'list of 20, 64 connections',
  'list of 20, 1 connection',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** Where the peers listen. */
export const ports = { from: 20_000, below: 30_000 }

/** How many orders a bulk has. */
export const bulkSize = 100

/** How many accounts pay. */
export const accountCount = 200

/**
 * `status`: of every response. `refused`: of those that were not carried out because of the load, and do not count. `writes`: how many transactions each
 * request stores. `stored`: how many there are, if not all count.
 */
export type PeerLoad = {
  spec: Omit<LoadSpec, 'port' | 'seconds' | 'keys'> & { keys?: string[] }
  status: string
  refused?: string
  writes: number
  stored?(): Promise<number>
}

export type Peer = {
  name: string
  version: string
  port: number
  loads: Record<ScenarioName, PeerLoad>
  /** How many transactions are stored. */
  stored(): Promise<number>
  /** The process that answers. */
  pid: number
  stop(): Promise<void>
}

/** Opens a peer on an empty database; undefined if its program is not there. */
export type OpenPeer = (tools: { bin: string; folder: string; databaseUrl(name: string): Promise<string> }) => Promise<Peer | undefined>

export function programIn(bin: string, name: string): string | undefined {
  const path = join(bin, name)
  return existsSync(path) ? path : undefined
}

/** Starts a program. Its output is not shown. */
export function run(program: string, args: readonly string[], { cwd }: { cwd: string }): ChildProcess {
  return spawn(program, args, { cwd, stdio: 'ignore' })
}

export async function runToEnd(program: string, args: readonly string[], options: { cwd: string }): Promise<void> {
  const [code] = await once(run(program, args, options), 'exit')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} has failed with ${code}`)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Sends JSON, and again until the peer listens. */
export async function send(port: number, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      return text === '' ? {} : JSON.parse(text)
    } catch (error) {
      if (attempt === 100 || !(error instanceof TypeError)) throw error
      await sleep(200)
    }
  }
}

/** Waits until a peer says that it is ready. */
export async function untilAnswering(port: number, path: string): Promise<void> {
  for (let attempt = 1; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    await answer?.text()
    if (answer?.ok) return
    await sleep(200)
  }
  throw new Error(`nobody has answered ${path} on port ${port} with 200`)
}

export async function countRows(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Number((await client.query(sql)).rows[0]?.count)
  } finally {
    await client.end()
  }
}

/** The loads of a peer, from its paths and bodies. `{n}` differs in each request. `payment`: what moves money, if a create does not. */
export function loadsOf(peer: {
  create: { path: string; bodyOf(account: number): string; status: string; refused?: string }
  bulk: { path: string; bodyOf(first: number): string; status: string; refused: string; connections: number }
  gets: string[]
  list: string
  keys?: string[]
  payment?: PeerLoad
}): Record<ScenarioName, PeerLoad> {
  const { create, bulk, gets, list } = peer
  const keys = peer.keys === undefined ? {} : { keys: peer.keys }
  const outcome = { status: create.status, ...(create.refused === undefined ? {} : { refused: create.refused }), writes: 1 }
  const bodies = Array.from({ length: accountCount }, (_, account) => create.bodyOf(account))
  const posts = (path: string, some: string[]) => ({ connections: 64, method: 'POST' as const, paths: [path], bodies: some, ...keys })
  const gettingFrom = (paths: string[], connections: number): PeerLoad => ({
    spec: { connections, method: 'GET', paths, ...keys },
    status: '200',
    writes: 0,
  })
  return {
    'create, many accounts': { spec: posts(create.path, bodies), ...outcome },
    'create, one hot account': { spec: posts(create.path, bodies.slice(0, 1)), ...outcome },
    'money moved by one request': peer.payment ?? { spec: posts(create.path, bodies), ...outcome },
    'bulk of 100, per order': {
      spec: {
        ...posts(
          bulk.path,
          bodies.map((_, first) => bulk.bodyOf(first)),
        ),
        connections: bulk.connections,
      },
      status: bulk.status,
      refused: bulk.refused,
      writes: bulkSize,
    },
    'get by id': gettingFrom(gets, 64),
    'list of 20, 64 connections': gettingFrom([list], 64),
    'list of 20, 1 connection': gettingFrom([list], 1),
  }
}

/** The accounts of the orders of a bulk: those after the accounts of the bulk before. */
export const accountsFrom = (bulk: number): number[] =>
  Array.from({ length: bulkSize }, (_, index) => (bulk * bulkSize + index) % accountCount)
