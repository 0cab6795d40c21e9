// Parses a JSON body more strictly than JSON.parse: anything that two parsers could read differently is refused.
import { refuse } from '../../values/refusals.ts'
import { Pace } from '../pace.ts'
import { cut } from './characters.ts'

const deepest = 20
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function parseJson(bytes: Uint8Array): unknown {
  return parseJsonText(decode(bytes))
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return refuse('malformed_body', { detail: 'The body is not valid UTF-8.' })
  }
}

export function parseJsonText(text: string): unknown {
  // Runs before JSON.parse, whose recursion should not have to handle unlimited depth.
  for (const _ of scan(text));
  return parseChecked(text)
}

function parseChecked(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Only the position is reported, because the rest of the message repeats part of the body.
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? []
    const place = line === undefined ? '' : `: line ${line}, column ${column}`
    return refuse('malformed_body', { detail: `The body is not valid JSON${place}.` })
  }
}

/**
 * How many pieces a body may have, and how large each may be. The caller that sets the limits also says how to refuse what exceeds them.
 */
export type PieceLimits = { most: number; largest_bytes: number; tooMany(): never; tooLarge(index: number): never }

/**
 * The same for a large body that is an object with a list of objects, with pauses for other requests. Everything nested deeper than the
 * list is cut out and parsed separately. The rest is parsed with the number of each piece in its place, as `[17]`. Nothing else in the rest
 * is nested that deeply, so no body can forge the number of a piece.
 */
export async function parseJsonInPieces(bytes: Uint8Array, limits: PieceLimits): Promise<unknown> {
  const pace = new Pace()
  const text = decode(bytes)
  const found: Found = { items: 0, cuts: [] }
  for (const _ of scan(text, found)) {
    if (found.items > limits.most) limits.tooMany()
    if (pace.isDue) await pace.rest()
  }
  if (found.items > limits.most) limits.tooMany()
  const { cuts } = found
  const pieces: unknown[] = []
  for (const [index, { start, end }] of cuts.entries()) {
    const piece = text.slice(start, end)
    if (Buffer.byteLength(piece) > limits.largest_bytes) limits.tooLarge(index)
    pieces.push(tryParse(piece))
    if (pace.isDue) await pace.rest()
  }
  const rest = tryParse(withNumbers(text, cuts))
  // If something cannot be parsed, the whole body is parsed again, to report where the mistake is.
  return rest === failed || pieces.includes(failed) ? parseChecked(text) : withPieces(rest, pieces)
}

/** The beginning and end of an object or list that is nested in two others. */
type Cut = { start: number; end: number }

/** `items`: the number of values that are nested in two others; an empty list counts as one. */
type Found = { items: number; cuts: Cut[] }

const cutDepth = 2

function withNumbers(text: string, cuts: readonly Cut[]): string {
  let at = 0
  const kept = cuts.map(({ start, end }, index) => {
    const before = text.slice(at, start)
    at = end
    return `${before}[${index}]`
  })
  return `${kept.join('')}${text.slice(at)}`
}

function withPieces(rest: unknown, pieces: readonly unknown[]): unknown {
  const inner = (value: unknown) => (Array.isArray(value) ? pieces[value[0]] : value)
  const outer = (value: unknown) => {
    if (Array.isArray(value)) return value.map(inner)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))
  }
  if (Array.isArray(rest)) return rest.map(outer)
  if (typeof rest !== 'object' || rest === null) return rest
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, outer(value)]))
}

const failed = Symbol('not valid JSON')

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return failed
  }
}

/** A scan pauses after this many steps, so that its caller can let other work run. */
const stepsAtOnce = 4_096

/**
 * Scans the text once, with pauses: checks the depth and finds duplicate names in objects. Collects values that are nested in two others.
 * In unbalanced text the result can be wrong, but such a text cannot be parsed either.
 */
function* scan(text: string, found?: Found): Generator<void, void, void> {
  const open: (Set<string> | undefined)[] = []
  let end: number
  let start = 0
  let steps = 0
  for (let at = 0; at < text.length; at++) {
    if (++steps === stepsAtOnce) {
      steps = 0
      yield
    }
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set())
        if (open.length > deepest) tooDeep()
        if (open.length === cutDepth && found) found.items++
        if (open.length === cutDepth + 1) start = at
        break
      case 0x5b: // [
        open.push(undefined)
        if (open.length > deepest) tooDeep()
        if (open.length === cutDepth && found) found.items++
        if (open.length === cutDepth + 1) start = at
        break
      case 0x2c: // ,
        if (open.length === cutDepth && found) found.items++
        break
      case 0x7d: // }
      case 0x5d: // ]
        if (open.length === cutDepth + 1) found?.cuts.push({ start, end: at + 1 })
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

/** The index of the closing quote, or the end of a text that never closes it (JSON.parse then refuses it). */
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
