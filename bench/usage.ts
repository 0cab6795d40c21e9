// What processes use, as Linux tells it in /proc. Elsewhere there is nothing to tell.
import { readdir, readFile } from 'node:fs/promises'
import type { Usage } from './figures.ts'

const ticksPerSecond = 100

type Process = { pid: number; parent: number; cpu_s: number }

async function processes(): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // The name may hold anything, so the fields are counted from behind it.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (fields.length < 20) return []
      return [{ pid: Number(pid), parent: Number(fields[1]), cpu_s: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond }]
    }),
  )
  return found.flat()
}

/** Shared pages are counted once, divided among those who share them. */
async function memory_mb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

export type Watched = { service: number; postmaster: number }

type Moment = { at_ms: number; service_s: number; database_s: number }

async function look({ service, postmaster }: Watched): Promise<Moment & { database: number[] }> {
  const all = await processes()
  const database = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
  const sum = (some: readonly Process[]) => some.reduce((total, { cpu_s }) => total + cpu_s, 0)
  return {
    at_ms: performance.now(),
    service_s: sum(all.filter(({ pid }) => pid === service)),
    database_s: sum(database),
    database: database.map(({ pid }) => pid),
  }
}

/** Runs something and tells what was used meanwhile. Connections that ended in between took their time with them. */
export async function watch<T>(watched: Watched, act: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
  const before = await look(watched)
  const result = await act()
  const after = await look(watched)
  const seconds = (after.at_ms - before.at_ms) / 1000
  const usage = {
    service_cpu: (after.service_s - before.service_s) / seconds,
    service_mb: await memory_mb([watched.service]),
    database_cpu: Math.max(0, after.database_s - before.database_s) / seconds,
    database_mb: await memory_mb(after.database),
  }
  return { result, usage }
}
