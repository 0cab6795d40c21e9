// The setup of a measurement: an empty folder, a service, one venture. Everything is removed afterwards.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '../server/src/testing/testing.folders.ts'
import { startCommand } from '../server/src/testing/testing.process.ts'
import { makeKey } from '../server/src/ventures/ventures.keys.ts'
import type { Figures } from './figures.ts'
import type { Profile } from './profiler.ts'
import type { Sealed, SealingRun } from './rails.sealing.ts'
import type { Reconciled, StatementsRun } from './rails.statements.ts'
import type { LoggingRun } from './requests.rows.ts'
import type { Watched } from './usage.ts'
import type { WalkRun } from './walks.ts'

export type Setup = {
  port: number
  adminKey: string
  /** The processes whose CPU and memory are measured. */
  watched: Watched
  postgres: { ownerUrl: string; serviceUrl: string }
  call(key: string, method: string, path: string, body?: object): Promise<Record<string, string>>
  registerVenture(control?: 'OPEN' | 'MANAGED'): Promise<{ id: string; api_key: string }>
  startProfile(): Promise<void>
  stopProfile(): Promise<Profile>
  startSealing(): Promise<void>
  /** Stops sealing once everything is sealed. */
  stopSealing(): Promise<void>
  startRequestLog(): Promise<void>
  /** Stops the request log once everything is written, and returns the number of dropped requests. */
  stopRequestLog(): Promise<number>
  /** Records and writes invented requests. */
  logRequests(run: LoggingRun): Promise<void>
  /** Pauses processing. */
  measureWalks(run: WalkRun): Promise<Figures>
  measureSealing(run: SealingRun): Promise<Sealed>
  measureStatements(run: StatementsRun): Promise<Reconciled>
}

/** Sequential requests that must succeed. */
export function callsTo(port: number, adminKey: string, signal: AbortSignal | null = null): Pick<Setup, 'call' | 'registerVenture'> {
  const call: Setup['call'] = async (key, method, path, body) => {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent)
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json() as Promise<Record<string, string>>
  }
  const registerVenture: Setup['registerVenture'] = async (control) => {
    // Versions without the bank's side have no `control`.
    const { id = '', api_key = '' } = await call(adminKey, 'POST', '/api/v1/ventures', { name: 'Bench', ...(control && { control }) })
    return { id, api_key }
  }
  return { call, registerVenture }
}

/** The process of the embedded PostgreSQL that runs in a data folder. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

type Options = {
  statStatements?: boolean
  /** Settings of the service, besides those of every measurement. */
  settings?: Readonly<Record<string, string>>
}

export async function withSetup(
  use: (setup: Setup) => Promise<void>,
  { statStatements = false, settings = {} }: Options = {},
): Promise<void> {
  const dataDir = makeDataFolder('bench')
  const adminKey = makeKey('admin')
  // The log is written to /dev/null: same cost as in production, but nothing is kept.
  const server = fork(
    fileURLToPath(new URL('server.ts', import.meta.url)),
    [dataDir, adminKey, String(statStatements), JSON.stringify(settings)],
    {
      // The same flags as `npm start`.
      execArgv: startCommand().flags,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const ended = once(server, 'exit')
  try {
    const [{ port, postgres }] = await Promise.race([
      once(server, 'message'),
      ended.then(() => Promise.reject(new Error('the service did not start'))),
    ])
    const postmaster = await postmasterOf(dataDir)
    const ask = async <Answer>(question: string | LoggingRun | WalkRun | SealingRun | StatementsRun): Promise<Answer> => {
      server.send(question)
      return (await once(server, 'message'))[0] as Answer
    }
    await use({
      port,
      adminKey,
      watched: { service: server.pid ?? 0, postmaster },
      postgres,
      ...callsTo(port, adminKey),
      startProfile: () => ask('profile'),
      stopProfile: () => ask('profiled'),
      startSealing: () => ask('seal'),
      stopSealing: () => ask('sealed'),
      startRequestLog: () => ask('log requests'),
      stopRequestLog: () => ask('requests logged'),
      logRequests: ask,
      measureWalks: ask,
      measureSealing: ask,
      measureStatements: ask,
    })
  } finally {
    if (server.connected) server.send('stop')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}
