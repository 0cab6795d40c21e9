// Texts by their letters: finds all that have enough letters in common with a given one, whatever their order. If each text may lack one or
// two letters of the other, both have a deletion neighbour in common, which is looked up. If they may lack more, the texts of that length and
// beginning are gone through.
import { type Beginning, soundOf } from './screening.similarity.ts'

/** Which letters a text has, and which it has more than once, as bits. */
type Letters = { once: number; twice: number }

function lettersOf(text: string): Letters {
  let once = 0
  let twice = 0
  for (let at = 0; at < text.length; at++) {
    // Letters have bits of their own; digits share the six that are left. Sharing hides differences and never invents one.
    const code = text.charCodeAt(at)
    const bit = 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6))
    twice |= once & bit
    once |= bit
  }
  return { once, twice }
}

/** How many bits are set. */
function count(bits: number): number {
  let some = bits - ((bits >>> 1) & 0x55555555)
  some = (some & 0x33333333) + ((some >>> 2) & 0x33333333)
  return Math.imul((some + (some >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A number for each letter. The sum of its letters is the key of a text; less one or two letters it is the key of a deletion neighbour. */
const numbers = Int32Array.from({ length: 128 }, (_, code) => Math.imul(Math.imul(code + 1, 0x9e3779b1) ^ 0x5bd1e995, 0x85ebca6b))

/**
 * How many letters are deleted at most. Two in short texts would give too many neighbours in common with others. Texts of 13 to 19 letters are
 * names written together, which may lack one letter; longer ones may lack two.
 */
function deletionsOf(length: number): 1 | 2 {
  return length < 8 || (length > 12 && length < 20) || length > 28 ? 1 : 2
}

/** The keys of a text and of its deletion neighbours, some of them more than once. */
function keysOf(text: string): number[] {
  let key = 0
  for (let at = 0; at < text.length; at++) key = (key + (numbers[text.charCodeAt(at)] as number)) | 0
  const keys = [key]
  const deletions = deletionsOf(text.length)
  for (let at = 0; at < text.length; at++) {
    const neighbour = (key - (numbers[text.charCodeAt(at)] as number)) | 0
    keys.push(neighbour)
    if (deletions === 2)
      for (let other = at + 1; other < text.length; other++) keys.push((neighbour - (numbers[text.charCodeAt(other)] as number)) | 0)
  }
  return keys
}

type Range = { start: number; end: number }

/** Texts of one length that begin with the same letter, and the parts of it that have the same second letter. */
type Letter = Range & { code: number; sound: number; seconds: Map<number, Range> }

/** The fewest letters that a text must have in common with one of this length that begins like this. */
export type Fewest = (length: number, beginning: Beginning) => number

/** Keys are told apart by their last bits. */
const bucketCount = 2 ** 18

export class TextsByLetters {
  /** Positions of the texts, in the order of their length and first two letters. Their places in this order are called ranks. */
  readonly #order: Uint32Array
  readonly #lengths: readonly { length: number; letters: Letter[] }[]
  /** The letters of each text: once, twice. */
  readonly #bits: Int32Array
  readonly #lengthAt: Uint16Array
  readonly #codeAt: Uint8Array
  readonly #secondAt: Uint8Array
  /** The ranks of texts with a key in bucket b: `#ranks[#first[b]]` to `#ranks[#first[b + 1] - 1]`. */
  readonly #ranks: Uint32Array
  readonly #first: Uint32Array
  /** For the current question: the fewest letters for texts of a length, by beginning. */
  readonly #needed: Uint16Array
  /** The number of the question that last found a text, so that none is found twice. */
  readonly #foundIn: Uint32Array
  #asked = 0

  constructor(texts: readonly string[]) {
    const beginning = (text: string) => (text.length << 16) | (text.charCodeAt(0) << 8) | text.charCodeAt(1)
    const keys = Uint32Array.from(texts, beginning)
    this.#order = Uint32Array.from(texts.keys()).sort((a, b) => (keys[a] as number) - (keys[b] as number))
    const ordered = Array.from(this.#order, (position) => texts[position] ?? '')
    this.#lengthAt = Uint16Array.from(ordered, (text) => text.length)
    this.#codeAt = Uint8Array.from(ordered, (text) => text.charCodeAt(0))
    this.#secondAt = Uint8Array.from(ordered, (text) => text.charCodeAt(1))
    this.#bits = new Int32Array(texts.length * 2)
    for (const [rank, text] of ordered.entries()) {
      const { once, twice } = lettersOf(text)
      this.#bits[rank * 2] = once
      this.#bits[rank * 2 + 1] = twice
    }
    this.#lengths = this.#group()

    this.#needed = new Uint16Array(((this.#lengths.at(-1)?.length ?? 0) + 1) * 4)
    this.#foundIn = new Uint32Array(texts.length)

    this.#first = new Uint32Array(bucketCount + 1)
    const eachBucket = (act: (bucket: number, rank: number) => void) => {
      for (const [rank, text] of ordered.entries()) for (const key of new Set(keysOf(text))) act(key & (bucketCount - 1), rank)
    }
    eachBucket((bucket) => {
      this.#first[bucket + 1] = (this.#first[bucket + 1] as number) + 1
    })
    for (let bucket = 0; bucket < bucketCount; bucket++)
      this.#first[bucket + 1] = (this.#first[bucket + 1] as number) + (this.#first[bucket] as number)
    this.#ranks = new Uint32Array(this.#first[bucketCount] as number)
    const next = this.#first.slice()
    eachBucket((bucket, rank) => {
      const free = next[bucket] as number
      this.#ranks[free] = rank
      next[bucket] = free + 1
    })
  }

  #group(): { length: number; letters: Letter[] }[] {
    const lengths: { length: number; letters: Letter[] }[] = []
    for (let rank = 0; rank < this.#order.length; rank++) {
      const [length, code, second] = [this.#lengthAt[rank] as number, this.#codeAt[rank] as number, this.#secondAt[rank] as number]
      if (lengths.at(-1)?.length !== length) lengths.push({ length, letters: [] })
      const letters = lengths.at(-1)?.letters ?? []
      if (letters.at(-1)?.code !== code) letters.push({ code, sound: soundOf(code), start: rank, end: rank, seconds: new Map() })
      const letter = letters.at(-1) as Letter
      letter.end = rank + 1
      const range = letter.seconds.get(second)
      if (range === undefined) letter.seconds.set(second, { start: rank, end: rank + 1 })
      else range.end = rank + 1
    }
    return lengths
  }

  /** The positions of all texts that can have as many letters in common with this one as `fewest` says, and of a few others. */
  near(text: string, fewest: Fewest): number[] {
    const { once, twice } = lettersOf(text)
    const [code, second] = [text.charCodeAt(0), text.charCodeAt(1) | 0]
    const sound = soundOf(code)
    const deletions = deletionsOf(text.length)
    const found: number[] = []
    if (++this.#asked === 2 ** 32) {
      this.#foundIn.fill(0)
      this.#asked = 1
    }
    let isLookedUp = false
    for (const { length, letters } of this.#lengths) {
      const shorter = Math.min(text.length, length)
      const byLetters = fewest(length, 'letters')
      this.#needed[length * 4] = byLetters
      // The more the beginnings have in common, the fewer letters are needed.
      if (byLetters > shorter) continue
      const byLetter = fewest(length, 'letter')
      const bySound = fewest(length, 'sound')
      const byNothing = fewest(length, 'nothing')
      this.#needed[length * 4 + 1] = byLetter
      this.#needed[length * 4 + 2] = bySound
      this.#needed[length * 4 + 3] = byNothing
      isLookedUp = true
      const otherDeletions = deletionsOf(length)
      const isLeft = (needed: number) => needed <= shorter && (text.length - needed > deletions || length - needed > otherDeletions)
      for (const letter of letters) {
        if (letter.code !== code) {
          const needed = letter.sound === sound ? bySound : byNothing
          if (isLeft(needed)) this.#goThrough(letter, once, twice, text.length - needed, length - needed, found)
          continue
        }
        const range = letter.seconds.get(second)
        if (range !== undefined && isLeft(byLetters))
          this.#goThrough(range, once, twice, text.length - byLetters, length - byLetters, found)
        if (isLeft(byLetter)) this.#goThrough(letter, once, twice, text.length - byLetter, length - byLetter, found)
      }
    }
    if (!isLookedUp) return found
    for (const key of keysOf(text)) {
      const bucket = key & (bucketCount - 1)
      const end = this.#first[bucket + 1] as number
      for (let at = this.#first[bucket] as number; at < end; at++) {
        const rank = this.#ranks[at] as number
        const length = this.#lengthAt[rank] as number
        const shorter = Math.min(text.length, length)
        if ((this.#needed[length * 4] as number) > shorter) continue
        const other = this.#codeAt[rank] as number
        const isSecond = this.#secondAt[rank] === second
        const needed = this.#needed[length * 4 + (other === code ? (isSecond ? 0 : 1) : soundOf(other) === sound ? 2 : 3)] as number
        if (needed <= shorter) this.#check(rank, once, twice, text.length - needed, length - needed, found)
      }
    }
    return found
  }

  // The three functions below are the busiest of the index. They take numbers instead of objects and avoid destructuring, which costs more
  // than the comparison.

  #goThrough(range: Range, once: number, twice: number, ofText: number, ofOther: number, found: number[]): void {
    const bits = this.#bits
    const end = range.end
    for (let rank = range.start; rank < end; rank++) {
      const other = bits[rank * 2] as number
      if (count(once & ~other) <= ofText && count(other & ~once) <= ofOther) this.#check(rank, once, twice, ofText, ofOther, found)
    }
  }

  /** `ofText` and `ofOther`: how many letters of each text may be missing in the other. */
  #check(rank: number, once: number, twice: number, ofText: number, ofOther: number, found: number[]): void {
    const otherOnce = this.#bits[rank * 2] as number
    const otherTwice = this.#bits[rank * 2 + 1] as number
    if (count(once & ~otherOnce) + count(twice & ~otherTwice) > ofText) return
    if (count(otherOnce & ~once) + count(otherTwice & ~twice) > ofOther) return
    if (this.#foundIn[rank] === this.#asked) return
    this.#foundIn[rank] = this.#asked
    found.push(this.#order[rank] as number)
  }
}
