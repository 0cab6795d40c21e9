// Texts by their letters: finds all that have enough letters in common with a given one, whatever their order. For each letter there is a row
// of bits that says which texts have it, and other rows say which have it twice and three times. With the rows of its letters, a text is
// compared with 32 others at once: the letters that these lack are counted by adding whole rows.
import { type Beginning, beginnings, soundOf } from './screening.similarity.ts'

const longestCounted = 3
const symbols = [...'abcdefghijklmnopqrstuvwxyz0123456789']
/** By character code. */
const symbolNumbers = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, symbols.indexOf(String.fromCharCode(code))))

/** The rows that texts with the letters of this one have: the first row of a letter, then the second, and so on. A letter that occurs more
 * often than is counted has its last row again, which hides differences and never invents one. */
function rowsOf(text: string): number[] {
  const times = new Map<number, number>()
  return Array.from(text, (letter) => {
    const symbol = symbolNumbers[letter.charCodeAt(0)] ?? 0
    const before = times.get(symbol) ?? 0
    times.set(symbol, Math.min(before + 1, longestCounted - 1))
    return symbol * longestCounted + before
  })
}

/** The first four letters, one byte each. */
function startOf(text: string): number {
  return (text.charCodeAt(0) << 24) | (text.charCodeAt(1) << 16) | (text.charCodeAt(2) << 8) | text.charCodeAt(3)
}

const textsInBlock = 32

/** Texts of one length that begin with the same letter: blocks `start` to `end - 1`. */
type Group = { code: number; sound: number; start: number; end: number }

/** The fewest letters that a text must have in common with one of this length that begins like this. */
export type Fewest = (length: number, beginning: Beginning) => number

/** More missing letters than this are not counted: all texts are found. */
const mostMissing = 15

export class TextsByLetters {
  readonly #lengths: readonly { length: number; groups: Group[] }[]
  readonly #blocks: number
  /** The position of each text, by block and by its bit there; -1 where a block is not full. */
  readonly #positions: Int32Array
  readonly #starts: Int32Array
  /** Row r is `#bits[r * #blocks]` to `#bits[(r + 1) * #blocks - 1]`. */
  readonly #bits: Int32Array
  /** How many texts have a row. */
  readonly #frequencies: Uint32Array
  /** For texts of one length, by beginning: how many letters they may lack at most. */
  readonly #allowed = new Int32Array(beginnings.length)

  constructor(texts: readonly string[]) {
    const positions: number[] = []
    const lengths = Map.groupBy(texts.keys(), (position) => texts[position]?.length ?? 0)
    this.#lengths = Array.from(lengths, ([length, ofLength]) => {
      const letters = Map.groupBy(ofLength, (position) => texts[position]?.charCodeAt(0) ?? 0)
      const groups = Array.from(letters, ([code, ofLetter]) => {
        const start = positions.length / textsInBlock
        for (const position of ofLetter) positions.push(position)
        while (positions.length % textsInBlock > 0) positions.push(-1)
        return { code, sound: soundOf(code), start, end: positions.length / textsInBlock }
      })
      return { length, groups }
    })
    this.#positions = Int32Array.from(positions)
    this.#blocks = positions.length / textsInBlock
    this.#starts = Int32Array.from(positions, (position) => startOf(texts[position] ?? ''))
    this.#bits = new Int32Array(symbols.length * longestCounted * this.#blocks)
    this.#frequencies = new Uint32Array(symbols.length * longestCounted)
    for (const [at, position] of positions.entries())
      for (const row of rowsOf(texts[position] ?? '')) {
        const word = row * this.#blocks + Math.floor(at / textsInBlock)
        this.#bits[word] = (this.#bits[word] as number) | (1 << (at % textsInBlock))
        this.#frequencies[row] = (this.#frequencies[row] as number) + 1
      }
  }

  /** The positions of all texts that can have as many letters in common with this one as `fewest` says, and of a few others. */
  near(text: string, fewest: Fewest): number[] {
    const found: number[] = []
    const code = text.charCodeAt(0)
    const sound = soundOf(code)
    const start = startOf(text)
    // The rarest first, so that most blocks are done with after a few.
    const frequencies = this.#frequencies
    const rows = rowsOf(text).sort((a, b) => (frequencies[a] as number) - (frequencies[b] as number))
    const offsets = Int32Array.from(rows, (row) => row * this.#blocks)
    const allowed = this.#allowed
    for (const { length, groups } of this.#lengths) {
      const shorter = Math.min(text.length, length)
      // The more the beginnings have in common, the fewer letters are needed.
      if (fewest(length, 5) > shorter) continue
      for (const beginning of beginnings) {
        const needed = fewest(length, beginning)
        allowed[beginning] = needed > shorter ? -1 : text.length - needed
      }
      for (const group of groups) {
        const isSame = group.code === code
        const most = allowed[isSame ? 5 : group.sound === sound ? 1 : 0] as number
        if (most > mostMissing) this.#takeAll(group, found)
        else if (most >= 0) this.#compare(group, offsets, most, isSame ? start : 0, found)
      }
    }
    return found
  }

  #takeAll({ start, end }: Group, found: number[]): void {
    for (const position of this.#positions.subarray(start * textsInBlock, end * textsInBlock)) if (position >= 0) found.push(position)
  }

  /** Finds the texts of a group that lack at most so many letters; fewer if they begin with the same letter as the text that is asked for,
   * but not with the same four. `asked` is its start then. */
  #compare(group: Group, offsets: Int32Array, most: number, asked: number, found: number[]): void {
    const bits = this.#bits
    const end = group.end
    const rows = offsets.length
    // Each text has a counter of four bits, which are kept in four numbers. It begins at a value from which it overflows when one letter too
    // many is missing.
    const first = mostMissing - most
    for (let block = group.start; block < end; block++) {
      // Arrays would cost more here than the comparison.
      let ones = -(first & 1)
      let twos = -((first >> 1) & 1)
      let fours = -((first >> 2) & 1)
      let eights = -((first >> 3) & 1)
      let over = 0
      for (let row = 0; row < rows && over !== -1; row++) {
        const missing = ~(bits[(offsets[row] as number) + block] as number)
        const two = ones & missing
        ones ^= missing
        const four = twos & two
        twos ^= two
        const eight = fours & four
        fours ^= four
        over |= eights & eight
        eights ^= eight
      }
      for (let rest = ~over; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        const at = block * textsInBlock + bit
        const position = this.#positions[at] as number
        if (position < 0) continue
        if (asked !== 0) {
          const equal = Math.clz32((this.#starts[at] as number) ^ asked) >> 3
          const counted =
            ((ones >>> bit) & 1) | (((twos >>> bit) & 1) << 1) | (((fours >>> bit) & 1) << 2) | (((eights >>> bit) & 1) << 3)
          if (counted - first > (this.#allowed[equal + 1] as number)) continue
        }
        found.push(position)
      }
    }
  }
}
