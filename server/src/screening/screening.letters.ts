// Finds texts by their letters: all texts that have enough letters in common with a given one, in any order. For each letter, a row of bits
// says which texts have it, and further rows say which have it twice and three times. The rows of a text's letters compare it with 32
// others at once: the letters that these lack are counted by adding whole rows.
import { type Beginning, beginnings, soundOf } from './screening.similarity.ts'

const symbols = [...'abcdefghijklmnopqrstuvwxyz0123456789']
/** The symbol of each character code. */
const symbolOf = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, symbols.indexOf(String.fromCharCode(code))))

/** How many occurrences of a letter are counted. */
const mostTimes = 3
const rowCount = symbols.length * mostTimes + 1

/** How often each letter of a text has occurred so far; zero between texts. */
const times = new Uint8Array(symbols.length)

/**
 * The rows of the letters of a text. A letter that occurs more often than is counted repeats its last row, which can hide differences but
 * never invents one.
 */
function rowsOf(text: string): number[] {
  const rows: number[] = []
  for (let at = 0; at < text.length; at++) {
    const symbol = symbolOf[text.charCodeAt(at)] as number
    const before = times[symbol] as number
    if (before < mostTimes - 1) times[symbol] = before + 1
    rows.push(symbol * mostTimes + before)
  }
  for (let at = 0; at < text.length; at++) times[symbolOf[text.charCodeAt(at)] as number] = 0
  return rows
}

/** The first four letters, one byte each. */
function startOf(text: string): number {
  return (text.charCodeAt(0) << 24) | (text.charCodeAt(1) << 16) | (text.charCodeAt(2) << 8) | text.charCodeAt(3)
}

/** The number of bits in a number. */
const textsInBlock = 32

/** Texts of one length that begin with the same letter: places `start` to `end - 1`. */
type Group = { length: number; code: number; start: number; end: number }

/**
 * Places to compare with texts of one length and first letter; each text may lack at most `most` letters. If both begin with the same
 * letter, the limit may depend on how many letters they have in common at the beginning; `byBeginning` has these limits.
 */
type Range = { start: number; end: number; most: number; byBeginning: readonly number[] | undefined }

/** The bits of a block that belong to a range. */
function bitsOf({ start, end }: Range, block: number): number {
  const from = start - block * textsInBlock
  const to = end - block * textsInBlock
  return (from > 0 ? -1 << from : -1) & (to < textsInBlock ? ~(-1 << to) : -1)
}

/**
 * The minimum number of letters that texts of these lengths, with this beginning, must have in common. The longer the common beginning, the
 * smaller the minimum.
 */
export type Fewest = (a: number, b: number, beginning: Beginning) => number

/** A subset of the texts: one bit for each, by block. */
export type Marks = Int32Array

/** At least this many rows are compared. A text with fewer letters gets a row that all texts have instead. */
const fewestRows = 4
const rowOfAll = symbols.length * mostTimes

/** If more letters than this may be missing, they are not counted, and all texts are found. */
const mostMissing = 15

export class TextsByLetters {
  readonly #fewest: Fewest
  readonly #groups: readonly Group[]
  readonly #blocks: number
  /** The position of the text at each place, which is a bit of a block, and the place of each text. */
  readonly #positions: Int32Array
  readonly #places: Int32Array
  readonly #all: Marks
  readonly #starts: Int32Array
  /** Row r of all blocks is `#bits[#rows[r]]` and the following. Rare letters come first. */
  readonly #bits: Int32Array
  readonly #rows: Int32Array
  /** By length and first letter. */
  readonly #ranges = new Map<number, readonly Range[]>()

  constructor(texts: readonly string[], fewest: Fewest) {
    this.#fewest = fewest
    const positions: number[] = []
    const sortKey = (text: string) => (text.length << 16) | (soundOf(text.charCodeAt(0)) << 8) | text.charCodeAt(0)
    const bySortKey = Map.groupBy(texts.keys(), (position) => sortKey(texts[position] ?? ''))
    this.#groups = [...bySortKey]
      .sort(([a], [b]) => a - b)
      .map(([key, members]) => {
        const start = positions.length
        for (const position of members) positions.push(position)
        return { length: key >> 16, code: key & 0xff, start, end: positions.length }
      })
    this.#blocks = Math.ceil(positions.length / textsInBlock)
    this.#positions = Int32Array.from(positions)
    this.#places = new Int32Array(texts.length)
    for (const [place, position] of positions.entries()) this.#places[position] = place
    this.#starts = Int32Array.from(positions, (position) => startOf(texts[position] ?? ''))

    const frequencies = new Uint32Array(rowCount)
    for (const text of texts) for (const row of rowsOf(text)) frequencies[row] = (frequencies[row] as number) + 1
    frequencies[rowOfAll] = texts.length
    const byFrequency = [...frequencies.keys()].sort((a, b) => (frequencies[a] as number) - (frequencies[b] as number))
    this.#rows = new Int32Array(rowCount)
    for (const [rank, row] of byFrequency.entries()) this.#rows[row] = rank * this.#blocks
    this.#bits = new Int32Array(rowCount * this.#blocks)
    for (const [at, position] of positions.entries())
      for (const row of [...rowsOf(texts[position] ?? ''), rowOfAll]) {
        const word = (this.#rows[row] as number) + Math.floor(at / textsInBlock)
        this.#bits[word] = (this.#bits[word] as number) | (1 << (at % textsInBlock))
      }
    const all = this.#rows[rowOfAll] as number
    this.#all = this.#bits.subarray(all, all + this.#blocks)
  }

  /**
   * The positions of all texts that can have enough letters in common with this one, and of a few others. If some are marked, only of
   * these.
   */
  near(text: string, marks: Marks = this.#all): number[] {
    const found: number[] = []
    const rows = this.#placesOf(text)
    const start = startOf(text)
    for (const range of this.#rangesFor(text.length, text.charCodeAt(0))) {
      if (range.most <= 3) this.#findLackingFew(range, rows, marks, start, found)
      else if (range.most <= mostMissing) this.#findLackingMore(range, rows, marks, start, found)
      else this.#findMarked(range, marks, found)
    }
    return found
  }

  noMarks(): Marks {
    return new Int32Array(this.#blocks)
  }

  /** The place of the bit that marks a text. */
  placeOf(position: number): number {
    return this.#places[position] as number
  }

  /** Where the rows of the text's letters begin, the rarest first, so that most blocks are finished after a few rows. */
  #placesOf(text: string): number[] {
    const rows = rowsOf(text)
    while (rows.length < fewestRows) rows.push(rowOfAll)
    for (let at = 0; at < rows.length; at++) {
      const place = this.#rows[rows[at] as number] as number
      let free = at
      for (; free > 0 && (rows[free - 1] as number) > place; free--) rows[free] = rows[free - 1] as number
      rows[free] = place
    }
    return rows
  }

  #rangesFor(length: number, code: number): readonly Range[] {
    const key = (length << 8) | code
    const known = this.#ranges.get(key)
    if (known !== undefined) return known
    const ranges: Range[] = []
    for (const group of this.#groups) {
      const mostLacking = (beginning: Beginning) => {
        const needed = this.#fewest(length, group.length, beginning)
        return needed > Math.min(length, group.length) ? -1 : length - needed
      }
      const isSame = group.code === code
      const most = mostLacking(isSame ? 5 : soundOf(group.code) === soundOf(code) ? 1 : 0)
      if (most < 0) continue
      const last = ranges.at(-1)
      if (!isSame && last?.end === group.start && last.most === most && last.byBeginning === undefined) last.end = group.end
      else ranges.push({ start: group.start, end: group.end, most, byBeginning: isSame ? beginnings.map(mostLacking) : undefined })
    }
    this.#ranges.set(key, ranges)
    return ranges
  }

  #findMarked({ start, end }: Range, marks: Marks, found: number[]): void {
    for (let at = start; at < end; at++)
      if (((marks[at >> 5] as number) & (1 << (at & 31))) !== 0) found.push(this.#positions[at] as number)
  }

  // The two busiest functions of the index. A number has one bit for each text.

  /**
   * At most three letters may be missing. `none` has the texts that lack nothing so far, `one` those that lack at most one letter, and so
   * on. If fewer than three may be missing, the difference counts as missing from the start. Most blocks are finished after four rows.
   */
  #findLackingFew(range: Range, rows: readonly number[], marks: Marks, start: number, found: number[]): void {
    const bits = this.#bits
    const place1 = rows[0] as number
    const place2 = rows[1] as number
    const place3 = rows[2] as number
    const place4 = rows[3] as number
    const most = range.most
    const first = range.start >> 5
    const last = (range.end - 1) >> 5
    for (let block = first; block <= last; block++) {
      let marked = marks[block] as number
      if (block === first || block === last) marked &= bitsOf(range, block)
      if (marked === 0) continue
      const row1 = bits[place1 + block] as number
      const row2 = bits[place2 + block] as number
      const row3 = bits[place3 + block] as number
      const row4 = bits[place4 + block] as number
      const some = row1 | row2
      const both = row1 & row2
      const others = row3 | row4
      const bothOthers = row3 & row4
      const all4 = both & bothOthers & marked
      const any3 = ((both & others) | (some & bothOthers)) & marked
      const any2 = (both | bothOthers | (some & others)) & marked
      let three = most === 1 ? any3 : most === 2 ? any2 : most === 3 ? (some | others) & marked : all4
      if (three === 0) continue
      let two = most === 1 ? all4 : most === 2 ? any3 : most === 3 ? any2 : 0
      let one = most === 2 ? all4 : most === 3 ? any3 : 0
      let none = most === 3 ? all4 : 0
      for (let at = fewestRows; three !== 0 && at < rows.length; at++) {
        const row = bits[(rows[at] as number) + block] as number
        three = (three & row) | two
        two = (two & row) | one
        one = (one & row) | none
        none &= row
      }
      for (let rest = three; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        const missing = most - ((two >>> bit) & 1) - ((one >>> bit) & 1) - ((none >>> bit) & 1)
        this.#take(range, block * textsInBlock + bit, missing, start, found)
      }
    }
  }

  /**
   * Each text has a counter of four bits, spread over four numbers. It starts at a value from which it overflows when one letter too many
   * is missing.
   */
  #findLackingMore(range: Range, rows: readonly number[], marks: Marks, start: number, found: number[]): void {
    const bits = this.#bits
    const begin = mostMissing - range.most
    const first = range.start >> 5
    const last = (range.end - 1) >> 5
    for (let block = first; block <= last; block++) {
      let ones = -(begin & 1)
      let twos = -((begin >> 1) & 1)
      let fours = -((begin >> 2) & 1)
      let eights = -((begin >> 3) & 1)
      let over = ~((marks[block] as number) & bitsOf(range, block))
      for (let at = 0; over !== -1 && at < rows.length; at++) {
        const missing = ~(bits[(rows[at] as number) + block] as number)
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
        const counted = ((ones >>> bit) & 1) | (((twos >>> bit) & 1) << 1) | (((fours >>> bit) & 1) << 2) | (((eights >>> bit) & 1) << 3)
        this.#take(range, block * textsInBlock + bit, counted - begin, start, found)
      }
    }
  }

  #take({ byBeginning }: Range, at: number, missing: number, start: number, found: number[]): void {
    if (byBeginning !== undefined) {
      const equal = Math.clz32((this.#starts[at] as number) ^ start) >> 3
      if (missing > (byBeginning[equal + 1] as number)) return
    }
    found.push(this.#positions[at] as number)
  }
}
