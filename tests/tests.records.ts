// What is known of earlier runs, in a folder that git ignores: how long each file took, and the sources with which it passed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasFailed, type Result } from './tests.pool.ts'

/** `passed`: the sources with which it passed last. */
export type Records = Record<string, { ms: number; cpu_ms?: number; passed: string | null }>

const pathIn = (root: string): string => join(root, 'node_modules/.cache/tests.json')

export function readRecords(root: string): Records {
  try {
    return JSON.parse(readFileSync(pathIn(root), 'utf8')) as Records
  } catch {
    return {}
  }
}

export function keepRecords(root: string, records: Records, result: Result, sources: string | undefined): void {
  const { name, ms, cpu_ms } = result
  records[name] = { ms: Math.round(ms), ...(cpu_ms !== undefined && { cpu_ms }), passed: hasFailed(result) ? null : (sources ?? null) }
  mkdirSync(dirname(pathIn(root)), { recursive: true })
  writeFileSync(pathIn(root), JSON.stringify(records))
}

/** Says whether the sources have changed: the commit, and what differs from it. Undefined without git. */
export function sourcesOf(root: string): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e9 })
  try {
    const untracked = git('ls-files', '--others', '--exclude-standard', '-z')
      .split('\0')
      .filter((name) => name !== '')
    const hash = createHash('sha256').update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD'))
    for (const name of untracked) hash.update(name).update(readFileSync(join(root, name)))
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
