// Files that people send: the port for their bytes, how large they may be, and which types they may have.
import { hash } from 'node:crypto'
import { refuse } from '../../values/refusals.ts'

export type FileKey = { venture_id: string; id: string }

/**
 * Keeps bytes. A file is put before the row that names it, so a failure in between leaves a file without a row; `files.retention.ts` deletes
 * those after a day.
 */
export type FileStore = {
  put(key: FileKey, bytes: Buffer): Promise<void>
  get(key: FileKey): Promise<Buffer | undefined>
  delete(keys: readonly FileKey[]): Promise<void>
  /** Files of a venture that were put between two times, in the order of their ids. */
  list(which: { venture_id: string; from: string; until: string; after: string; limit: number }): Promise<FileKey[]>
}

export const mostMiB = 10
const mostBytes = mostMiB * 2 ** 20

/** The largest request with one file: the file and its multipart headers. */
export const uploadLimit_bytes = mostBytes + 64 * 2 ** 10

const begins = (...magic: readonly number[]) => {
  const expected = Buffer.from(magic)
  return (bytes: Buffer): boolean => bytes.subarray(0, expected.length).equals(expected)
}

/** The allowed types, and whether bytes are of the type. Nothing else is stored, so nothing else is ever served. */
const fileTypes = {
  'application/pdf': begins(...Buffer.from('%PDF-')),
  'image/png': begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/jpeg': begins(0xff, 0xd8, 0xff),
  'text/plain': isPlainText,
} as const
export type FileType = keyof typeof fileTypes

const allowed = Object.keys(fileTypes) as FileType[]

/** UTF-8 without control characters, and not HTML, SVG or other markup by another name. */
function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !/^\s*</u.test(text) && !/(?![\t\n\r\f])\p{Cc}/u.test(text)
  } catch {
    return false
  }
}

/** A file as sent. */
export type SentFile = { name: string; type: string; bytes: Buffer }

export type CheckedFile = { name: string; type: FileType; size: number; sha256: string; bytes: Buffer }

/** Refuses a file that is empty, too large, of a type that is not allowed, or not of the type that it claims. */
export function checkFile({ name, type, bytes }: SentFile): CheckedFile {
  const size = bytes.length
  if (size > mostBytes) refuse('file_too_large', { detail: `The file has ${size} bytes. The limit is ${mostMiB} MiB.` })
  const claimed = allowed.find((one) => one === type.split(';')[0]?.trim().toLowerCase())
  if (claimed === undefined)
    refuse('file_type_invalid', { detail: `A file may be ${allowed.join(', ')}, and this one claims to be ${type || 'nothing'}.`, allowed })
  if (size === 0 || !fileTypes[claimed](bytes))
    refuse('file_type_invalid', { detail: `The content of the file is not ${claimed}, although the file claims to be.`, allowed })
  return { name: nameOf(name), type: claimed, size, sha256: hash('sha256', bytes), bytes }
}

const longestName = 140

/** The last part of a path, without characters that hide, reorder or break what a person reads. */
function nameOf(given: string): string {
  const name = (given.split(/[/\\]/u).at(-1) ?? '').normalize('NFC').replace(/\p{C}/gu, '').trim()
  return Array.from(name).slice(-longestName).join('').slice(-longestName) || 'file'
}
