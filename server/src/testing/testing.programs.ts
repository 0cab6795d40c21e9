// Programs that may be missing on this machine, and their processes.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { processEnvironment } from '../platform/config.ts'

/** Where a program is, or why a test that needs it is skipped: it is missing, or cannot even print its version. */
export function program(name: string, { version, from }: { version: string; from: string }): { path: string; missing: string | false } {
  const folders = [...(processEnvironment()['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const path = folders.map((folder) => join(folder, name)).find((path) => isExecutable(path) && run(path, [version]).status === 0)
  return { path: path ?? name, missing: path === undefined && `There is no ${name} here that runs: install ${from}.` }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Everything that a program printed, and its exit code. */
export function run(path: string, args: readonly string[], options: { cwd?: string } = {}): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(path, args, { ...options, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** A process and all of its descendants. */
export function familyOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const family = new Set([pid])
  // Iterating over a set also visits elements that are added during the iteration.
  for (const member of family) for (const [child = 0, parent] of parents) if (parent === member) family.add(child)
  return [...family]
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended on its own.
  }
}
