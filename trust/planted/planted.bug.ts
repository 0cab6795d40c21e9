// What a planted bug is, and how it is inserted into the source.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A test by its title. Files are relative to server/src. */
export type NamedTest = { file: string; name: string }

export type Bug = {
  name: string
  /** What is wrong with the product while the bug is planted. */
  about: string
  file: string
  /** The piece of source that is replaced. It must occur exactly once. */
  find: string
  replace: string
  /** Each of these fails while the bug is planted. */
  caughtBy: readonly NamedTest[]
  /** What the tests wait for does not happen while the bug is planted, so they do not end. That is how they catch it. */
  hangs?: true
}

/** What the loader hook needs of a bug. */
export type Change = Pick<Bug, 'file' | 'find' | 'replace'>

const source = new URL('../../server/src/', import.meta.url)

export function urlOf(file: string): string {
  return new URL(file, source).href
}

export function pathOf(file: string): string {
  return fileURLToPath(urlOf(file))
}

export function sourceOf(file: string): string {
  return readFileSync(pathOf(file), 'utf8')
}

/** The source with the bug. A piece that is missing, or not unique, would silently disable the bug. */
export function plant({ file, find, replace }: Change, text: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${file} has the piece that a bug replaces ${parts.length - 1} times`)
  return parts.join(replace)
}
