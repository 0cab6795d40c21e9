// The fixtures of the migration levels: a file with the rows of each.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('levels', import.meta.url))

export function fixtureOf(level: number): string {
  return join(folder, `${String(level).padStart(4, '0')}.sql`)
}

/** The levels that have a fixture, lowest first. */
export function levelsWithFixture(): number[] {
  return readdirSync(folder)
    .map((name) => Number(/^(\d{4})\.sql$/.exec(name)?.[1]))
    .sort((one, other) => one - other)
}

/** Levels up to the newest without a fixture. The newest may do without one until the next one exists: `npm run fixture` makes it. */
export function levelsWithoutFixture(newest: number, present: readonly number[]): number[] {
  return Array.from({ length: newest - 1 }, (_, index) => index + 1).filter((level) => !present.includes(level))
}
