// Parses a JSON body more strictly than JSON.parse: anything that two parsers could read differently is refused.
import { refuse } from '../../values/refusals.ts'
import { cut } from './characters.ts'

const deepest = 20
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return refuse('malformed_body', { detail: 'The body is not valid UTF-8.' })
  }
  return parseJsonText(text)
}

export function parseJsonText(text: string): unknown {
  // Before JSON.parse, whose recursion should not have to handle any depth.
  checkNesting(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    // Only the position is reported: the rest of the message repeats a piece of the body.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? []
    const place = line === undefined ? '' : `: line ${line}, column ${column}`
    return refuse('malformed_body', { detail: `The body is not valid JSON${place}.` })
  }
}

/** Scans the text once: checks the depth and looks for duplicate names in an object. */
function checkNesting(text: string): void {
  const open: (Set<string> | undefined)[] = []
  let end: number
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set())
        if (open.length > deepest) tooDeep()
        break
      case 0x5b: // [
        open.push(undefined)
        if (open.length > deepest) tooDeep()
        break
      case 0x7d: // }
      case 0x5d: // ]
        open.pop()
        break
      case 0x22: // "
        end = endOfString(text, at)
        checkName(open.at(-1), text, at, end)
        at = end
        break
    }
  }
}

function tooDeep(): never {
  refuse('malformed_body', { detail: `The body is nested deeper than ${deepest} levels.` })
}

/** The index of the closing quote, or the end of a text that never closes it (which JSON.parse then refuses). */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function checkName(names: Set<string> | undefined, text: string, start: number, end: number): void {
  if (names === undefined || !colonFollows(text, end)) return
  const raw = text.slice(start + 1, end)
  const name = raw.includes('\\') ? unescaped(raw) : raw
  if (names.has(name)) refuse('malformed_body', { detail: `The body has the field ${JSON.stringify(cut(name))} twice in one object.` })
  names.add(name)
}

function colonFollows(text: string, end: number): boolean {
  let at = end + 1
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === 0x3a
}

function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    return raw
  }
}
