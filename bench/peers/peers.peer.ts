// A peer: another ledger under the same load. Its program is looked up in PEERS_BIN; its code is not part of this repository.
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

/** The ports of the peers. */
export const ports = { from: 20_000, below: 30_000 }

/** Orders per bulk. */
export const bulkSize = 100

/** The number of paying accounts. */
export const accountCount = 200

/**
 * `status`: of a successful response. `refused`: of a response refused because of the load, which does not count. `writes`: transactions stored per
 * request. `stored`: the number of transactions, if not all count.
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
  /** The number of stored transactions. */
  stored(): Promise<number>
  /** The process that answers requests. */
  pid: number
  stop(): Promise<void>
}

/** Opens a peer on an empty database; undefined if its program is missing. */
export type OpenPeer = (tools: { bin: string; folder: string; databaseUrl(name: string): Promise<string> }) => Promise<Peer | undefined>

export function programIn(bin: string, name: string): string | undefined {
  const path = join(bin, name)
  return existsSync(path) ? path : undefined
}

/** Starts a program and discards its output. */
export function run(program: string, args: readonly string[], { cwd }: { cwd: string }): ChildProcess {
  return spawn(program, args, { cwd, stdio: 'ignore' })
}

export async function runToEnd(program: string, args: readonly string[], options: { cwd: string }): Promise<void> {
  const [code] = await once(run(program, args, options), 'exit')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed with ${code}`)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Sends JSON, and retries until the peer listens. */
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

/** Waits until a peer is ready. */
export async function untilAnswering(port: number, path: string): Promise<void> {
  for (let attempt = 1; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    await answer?.text()
    if (answer?.ok) return
    await sleep(200)
  }
  throw new Error(`no response 200 to ${path} on port ${port}`)
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

/** The loads of a peer. `{n}` is unique in each request. `payment`: moves money, if a create does not. */
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

/** The accounts of a bulk: they follow those of the previous bulk. */
export const accountsFrom = (bulk: number): number[] =>
  Array.from({ length: bulkSize }, (_, index) => (bulk * bulkSize + index) % accountCount)
