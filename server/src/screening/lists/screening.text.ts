// The text of a list file. Anything but plain UTF-8 of a reasonable size is refused before it is parsed.
import { isUtf8 } from 'node:buffer'
import type { RefuseAt } from './screening.refusal.ts'

export const largestFile_mb = 64

export function textOf(bytes: Uint8Array, refuseAt: RefuseAt): string {
  if (bytes.length === 0) return refuseAt(undefined, 'the file is empty')
  if (bytes.length > largestFile_mb * 2 ** 20) return refuseAt(undefined, `the file is larger than ${largestFile_mb} MB`)
  if (!isUtf8(bytes)) return refuseAt(lineOfBadByte(bytes), 'the file is not in UTF-8')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const zero = text.indexOf('\0')
  if (zero >= 0) return refuseAt(text.slice(0, zero).split('\n').length, 'the file contains a zero byte, so it is not text in UTF-8')
  const mark = /\p{Bidi_Control}/u.exec(text)
  if (mark !== null) return refuseAt(text.slice(0, mark.index).split('\n').length, directionMark(mark[0]))
  return text
}

/** These marks are invisible, and make a person read another name than the one that is compared. */
export function directionMark(mark: string): string {
  const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `there is a mark that changes the direction of the text (U+${code})`
}

function lineOfBadByte(bytes: Uint8Array): number {
  let [line, start] = [1, 0]
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) break
    line++
    start = end + 1
  }
  return line
}
