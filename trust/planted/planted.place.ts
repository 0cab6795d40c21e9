// Finds the place of a planted bug from a folder, a declaration in it, and a piece of that declaration. The bug therefore survives if the declaration is
// reformatted or moves to another file of the folder.
import { globSync } from 'node:fs'
import type { Change } from '../mutation/mutation.seam.ts'
import { read, root, type Source } from '../mutation/mutation.source.ts'
import type { Bug } from './planted.bug.ts'

/** The fields of a bug that locate it. */
export type Placed = Pick<Bug, 'folder' | 'within' | 'find' | 'replace'>

const sources = new Map<string, Source>()

/** The change that plants the bug. A piece that is missing, or not unique, would silently disable the bug. */
export function changeOf(bug: Placed, files: readonly Source[] = sourcesIn(bug.folder)): Change {
  const changes = files.flatMap((source) => changesIn(source, bug))
  const [change] = changes
  if (change !== undefined && changes.length === 1) return change
  const shown = `the piece of "${bug.within}" in ${bug.folder}, ${JSON.stringify(bug.find)}`
  throw new Error(`${shown}, is there ${changes.length} times: ${changes.map(({ path, start }) => `${path}:${start}`).join(', ')}`)
}

function changesIn({ path, text, declarations }: Source, { within, find, replace }: Placed): Change[] {
  const named = declarations.filter(({ name }) => name === within)
  return named.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(pieceOf(find))].map(({ index, 0: was }) => {
      const from = start + index
      return { path, start: from, end: from + was.length, was, replace }
    }),
  )
}

/** Matches the piece with any white space, and with or without a comma before a closing bracket. */
function pieceOf(find: string): RegExp {
  const characters = find.replaceAll(/\s+/g, '').replaceAll(/,([)\]}])/g, '$1')
  const parts = [...characters].map((character) =>
    /[)\]}]/.test(character) ? `(?:,\\s*)?${RegExp.escape(character)}` : RegExp.escape(character),
  )
  return new RegExp(parts.join('\\s*'), 'g')
}

/** All product files of a folder of the server, of `service` (the files directly in server/src), or of the console, the SDK or the CLI. */
function sourcesIn(folder: string): Source[] {
  const paths = globSync(pathOf(folder), { cwd: root }).filter((path) => !/\.(test|testing)\.tsx?$|\.d\.ts$/.test(path))
  return paths.map((path) => {
    const known = sources.get(path) ?? read(path)
    sources.set(path, known)
    return known
  })
}

function pathOf(folder: string): string {
  if (['console', 'sdk', 'cli'].includes(folder)) return `${folder}/src/**/*.{ts,tsx}`
  return folder === 'service' ? 'server/src/*.ts' : `server/src/${folder}/**/*.ts`
}
