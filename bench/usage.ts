// Resource usage of processes, from /proc on Linux. Other systems report none.
import { readdir, readFile } from 'node:fs/promises'
import type { Usage } from './figures.ts'

const ticksPerSecond = 100

/** `ended_s`: the CPU time of children that have ended. */
type Process = { pid: number; parent: number; cpu_s: number; ended_s: number }

/** Reads `/proc/<pid>/stat`. */
export function processOf(text: string): Process | undefined {
  // The name may contain anything, so fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 20) return undefined
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number)
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(fields[1]),
    cpu_s: (utime + stime) / ticksPerSecond,
    ended_s: (cutime + cstime) / ticksPerSecond,
  }
}

async function processes(): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      return processOf(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
    }),
  )
  return found.filter((process) => process !== undefined)
}

export async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** The CPU time of this process's children that have ended. */
export async function ended_s(): Promise<number> {
  return processOf(await readFile('/proc/self/stat', 'utf8'))?.ended_s ?? 0
}

/** Waits until the kernel has removed a process. */
export async function endOf(pid: number): Promise<void> {
  for (;;) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (text === undefined) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Shared pages are counted once, divided among the processes that share them. */
async function memory_mb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/** The memory of one process, in MB. */
export const memoryOf = (pid: number): Promise<number> => memory_mb([pid])

export type Watched = { service: number; postmaster: number }

/** The CPU time of both since their start. */
export type CpuTimes = { service_s: number; database_s: number }

type Moment = CpuTimes & { at_ms: number; database: number[] }

export async function look({ service, postmaster }: Watched): Promise<Moment> {
  const all = await processes()
  const database = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
  const sum = (some: readonly Process[]) => some.reduce((total, { cpu_s }) => total + cpu_s, 0)
  // The kernel adds the CPU time of an ended backend to its parent.
  const ended_s = all.find(({ pid }) => pid === postmaster)?.ended_s ?? 0
  return {
    at_ms: performance.now(),
    // Including all instances.
    service_s: sum(all.filter(({ pid, parent }) => pid === service || (parent === service && pid !== postmaster))),
    database_s: sum(database) + ended_s,
    database: database.map(({ pid }) => pid),
  }
}

/** The total CPU time since boot, and the share that the host gave to other machines. */
export type MachineTime = { all: number; stolen: number }

/** Reads the first line of `/proc/stat`. Guest times, after the eighth field, are included in the first two. */
export function machineTimeOf(text: string): MachineTime {
  const ticks = (/^cpu +(.*)$/m.exec(text)?.[1] ?? '').split(' ').slice(0, 8).map(Number)
  return { all: ticks.reduce((sum, tick) => sum + tick, 0), stolen: ticks[7] ?? 0 }
}

export async function machineTime(): Promise<MachineTime> {
  return machineTimeOf(await readFile('/proc/stat', 'utf8'))
}

/** Runs `act` and returns the resources used. */
export async function watch<T>(watched: Watched, act: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
  const before = await look(watched)
  const result = await act()
  const after = await look(watched)
  const seconds = (after.at_ms - before.at_ms) / 1000
  const usage = {
    service_cpu: (after.service_s - before.service_s) / seconds,
    service_mb: await memory_mb([watched.service]),
    database_cpu: (after.database_s - before.database_s) / seconds,
    database_mb: await memory_mb(after.database),
  }
  return { result, usage }
}
