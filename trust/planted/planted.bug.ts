// What a planted bug is, and how it gets into the source.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A test as its author named it. Both files are told from server/src. */
export type NamedTest = { file: string; name: string }

export type Bug = {
  name: string
  /** What is wrong with the product while the bug is in it. */
  about: string
  file: string
  /** The piece of the source that is replaced. It occurs once, so that nobody has to guess which one was meant. */
  find: string
  replace: string
  /** Each of these fails while the bug is in. */
  caughtBy: readonly NamedTest[]
}

/** What the seam needs to know of a bug. */
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

/** The source with the bug in it. A piece that is gone, or not the only one, would disarm the bug in silence. */
export function plant({ file, find, replace }: Change, text: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${file} has the piece that a bug replaces ${parts.length - 1} times`)
  return parts.join(replace)
}
