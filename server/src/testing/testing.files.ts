// Files as HTTP clients send them.
import { randomUUID } from 'node:crypto'
import type { Answer, Caller } from './testing.ts'

export type FileForTest = { name: string; type: string; content: string | Uint8Array }

/** A text that no other file has. */
export const someNote = (): string => `A note. ${randomUUID()}`

/** A form with one file, as the part `file`. */
export function fileForm({ name, type, content }: FileForTest, part = 'file'): { payload: Buffer; headers: Record<string, string> } {
  const boundary = `a-boundary-${randomUUID()}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${part}"; filename="${name.replaceAll('"', '%22')}"\r\ncontent-type: ${type}\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), Buffer.from(content as Uint8Array), Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export const sendFileTo = (by: Caller, path: string, file: FileForTest, part?: string): Promise<Answer> =>
  by.send({ method: 'POST', url: `/api/v1${path}`, ...fileForm(file, part) })
