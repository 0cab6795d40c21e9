// What is refused before the XML parser sees a file. The parser accepts DOCTYPEs and other encodings, and its memory grows with the number
// of elements, so one linear pass over the bytes looks for these first. Everything else is left to the parser.
import { isUtf8 } from 'node:buffer'
import { definitions } from '../definitions/iso20022.messages.ts'
import { MessageFault } from './iso20022.faults.ts'
import { limits } from './iso20022.limits.ts'

const [greaterThan, slash, question, exclamation, doubleQuote, quote, colon, space, tab, lineFeed, carriageReturn] = [
  ...Buffer.from('>/?!"\':\x20\t\n\r'),
] as [number, number, number, number, number, number, number, number, number, number, number]

/** The tags with a maximum number of occurrences, in any message. */
const counted: ReadonlySet<string> = new Set(Object.values(definitions).flatMap((definition) => definition.counted))

const countedLengths: ReadonlySet<number> = new Set([...counted].map(({ length }) => length))

/** When each byte is taken for a character. */
const byteOrderMark = Buffer.from('\ufeff').toString('latin1')

const declaration =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["'](?<encoding>[\w.-]+)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/

export function checkFile(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length === 0) throw new MessageFault('empty')
  if (file.length > limits.file_bytes) throw new MessageFault('too_large', `it has ${file.length} bytes`)
  if (!isUtf8(file)) throw new MessageFault('not_utf8')
  // All that matters here is ASCII, which UTF-8 never uses inside other characters.
  const text = file.toString('latin1')
  checkEncoding(text)
  checkMarkup(text)
}

/** UTF-16 without a mark would pass as UTF-8 with zero bytes, which XML never contains. */
function checkEncoding(text: string): void {
  if (text.includes('\0')) throw new MessageFault('not_utf8')
  const begin = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0
  const start = text.slice(begin, begin + 200)
  if (!/^<\?xml\s/.test(start)) return
  const found = declaration.exec(start)
  if (found === null) throw new MessageFault('malformed', 'its first line must declare XML 1.0 and nothing but an encoding')
  const { encoding = 'UTF-8' } = found.groups ?? {}
  if (encoding.toLowerCase() !== 'utf-8') throw new MessageFault('not_utf8', `it declares the encoding ${encoding}`)
}

/** What the parser has to keep in memory. */
type Tally = { nodes: number; transactions: Map<string, number> }

function countNode(tally: Tally): void {
  if (++tally.nodes > limits.nodes)
    throw new MessageFault('too_complex', `it has more than ${limits.nodes} elements, attributes and comments`)
}

function checkMarkup(text: string): void {
  const tally: Tally = { nodes: 0, transactions: new Map() }
  let depth = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text.charCodeAt(at + 1)
    if (next === slash) {
      depth--
      at = after('>', text, at)
    } else if (next === question) {
      const isDeclaration = text.startsWith('<?xml', at) && at <= byteOrderMark.length
      if (!isDeclaration) throw new MessageFault('instruction')
      at = after('?>', text, at)
    } else if (next === exclamation) {
      countNode(tally)
      if (text.startsWith('<!--', at)) at = after('-->', text, at + 4)
      else if (text.startsWith('<![CDATA[', at)) at = after(']]>', text, at)
      else throw new MessageFault('doctype')
    } else {
      countNode(tally)
      const end = endOfTag(text, at, tally)
      if (text.charCodeAt(end - 2) !== slash && ++depth > limits.depth)
        throw new MessageFault('too_deep', `there are more than ${limits.depth} levels`)
      countTransaction(text, at + 1, tally.transactions)
      at = end
    }
  }
}

/** The position after the next `what`. */
function after(what: string, text: string, from: number): number {
  const found = text.indexOf(what, from)
  if (found === -1) throw new MessageFault('malformed', 'it ends inside a tag, a comment or a declaration')
  return found + what.length
}

/** The position after the `>` of a tag. One inside an attribute does not end the tag. */
function endOfTag(text: string, start: number, tally: Tally): number {
  let quoted = 0
  const last = Math.min(text.length, start + limits.tag_bytes)
  for (let at = start + 1; at < last; at++) {
    const code = text.charCodeAt(at)
    if (quoted !== 0) {
      if (code === quoted) quoted = 0
    } else if (code === greaterThan) return at + 1
    else if (code === doubleQuote || code === quote) {
      quoted = code
      countNode(tally)
    }
  }
  if (last === text.length) throw new MessageFault('malformed', 'it ends inside a tag')
  throw new MessageFault('too_complex', `a tag is longer than ${limits.tag_bytes} bytes`)
}

/** Counts a tag, with or without a prefix, if it stands for a transaction. */
function countTransaction(text: string, from: number, times: Map<string, number>): void {
  let start = from
  let at = from
  for (let code = text.charCodeAt(at); !endsName(code); code = text.charCodeAt(++at)) if (code === colon) start = at + 1
  if (!countedLengths.has(at - start)) return
  const name = text.slice(start, at)
  if (!counted.has(name)) return
  const occurred = (times.get(name) ?? 0) + 1
  if (occurred > limits.transactions)
    throw new MessageFault('too_many_transactions', `${name} occurs more than ${limits.transactions} times`)
  times.set(name, occurred)
}

function endsName(code: number): boolean {
  return code === greaterThan || code === slash || code === space || code === lineFeed || code === carriageReturn || code === tab
}
