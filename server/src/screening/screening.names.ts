// How a name is read before it is compared: as words of lower-case Latin letters and digits, without accents, titles, legal forms and
// particles.
import { romaniseGreek, romaniseHan } from './screening.scripts.ts'
import { legalForms, longLegalForms, omitted, titles } from './screening.words.ts'

/**
 * Whether all words of a name could be read. `part`: some are in an unsupported script. `none`: nothing is left to compare, so the
 * comparison says nothing, and the caller must not treat the name as clear.
 */
export type Reading = 'whole' | 'part' | 'none'

export type ReadName = { words: readonly string[]; reading: Reading }

/** Latin letters that Unicode does not decompose into a letter and its marks. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
  ŧ: 't',
  ĸ: 'q',
  ə: 'a',
  ǝ: 'a',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
}

/** Cyrillic letters without their marks, so й is read as и, and ё as е. */
const cyrillic: Readonly<Record<string, string>> = Object.fromEntries(
  `а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya
  є:ye і:i ґ:g ђ:dj ѕ:dz ј:j љ:lj њ:nj ћ:c џ:dz ә:a ғ:g қ:k ң:n ө:o ұ:u ү:u һ:h ҳ:h ҷ:j җ:j ҝ:g ҹ:j ӏ: ѣ:e ѳ:f ѵ:i`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
)

/** Letters of other scripts that look like Latin ones, and digits and signs that stand for letters inside a word. */
const looksLike: Readonly<Record<string, string>> = Object.fromEntries(
  `А:a В:b Е:e Ѕ:s І:i Ј:j К:k М:m Н:h О:o Р:p С:c Т:t У:y Х:x Ԁ:d Ԍ:g Ԛ:q Ԝ:w Ү:y Һ:h Ӏ:i
  а:a е:e ѕ:s і:i ј:j к:k м:m о:o р:p с:c т:t у:y х:x ԁ:d ԍ:g ԛ:q ԝ:w ү:y һ:h ӏ:l
  Α:a Β:b Ε:e Ζ:z Η:h Ι:i Κ:k Μ:m Ν:n Ο:o Ρ:p Τ:t Υ:y Χ:x α:a β:b γ:y ε:e η:n ι:i κ:k ν:v ο:o ρ:p σ:o τ:t υ:u χ:x ω:w
  0:o 1:i 2:z 3:e 4:a 5:s 6:g 7:t 8:b 9:g @:a $:s !:i |:l €:e £:l`
    .split(/\s+/)
    .map((pair) => [pair.slice(0, -2), pair.slice(-1)]),
)

/** Letters in filled circles and squares, and those of flags, which Unicode does not decompose. Each group has the alphabet in order. */
const enclosed = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu
const firstEnclosed = [0x1f1e6, 0x1f170, 0x1f150]

/** Characters that are invisible, and characters that look like a space. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const blank = /[\u115F\u1160\u2800\u3164\uFFA0]/gu

const forms: ReadonlySet<string> = new Set(legalForms)

/** Written inside words, and often left out. */
const apostrophes = /['’‘‛`´ʻʼʽʾʿʹ′]/gu

/** The text without marks and invisible characters. */
function bareOf(text: string): string {
  const plain = text.replace(blank, ' ').replace(invisible, '').normalize('NFKD').replace(/\p{M}/gu, '')
  return plain.replace(enclosed, (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return String.fromCharCode(97 + code - (firstEnclosed.find((first) => first <= code) ?? code))
  })
}

/**
 * Latin and Cyrillic letters as lower-case Latin letters. Letters of other scripts stay as they are. Marks must be removed first, because
 * lower case adds one to the Turkish İ.
 */
function transliterate(bare: string): string {
  return bare.toLowerCase().replace(/[^a-z]/gu, (letter) => latin[letter] ?? cyrillic[letter] ?? letter)
}

/** All words of a name, and the readable ones. `sounds`: also reads words of other scripts by their sounds. */
function wordsIn(name: string, { sounds = true } = {}): { all: readonly string[]; legible: readonly string[] } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most names are ASCII, and are read faster.
  if (/^[\x00-\x7f]*$/.test(name)) {
    const all =
      name
        .toLowerCase()
        .replace(/['`]/g, '')
        .match(/[a-z0-9]+/g) ?? []
    return { all, legible: all }
  }
  const words = transliterate(bareOf(name))
    .replace(apostrophes, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const all = sounds ? romanised(words) : words
  return { all, legible: all.filter((word) => /^[a-z0-9]+$/.test(word)) }
}

/** The words in Latin letters, as far as their scripts allow. Words that are left in another script cannot be compared. */
function romanised(words: readonly string[]): readonly string[] {
  const isHan = (word: string) => /^\p{Script=Han}+$/u.test(word)
  // Chinese characters are one name, with or without a space in it. Several names in them are not a person's.
  const han = words.filter(isHan)
  const name = han.length > 0 && han.length <= 2 ? romaniseHan(han.join('')) : undefined
  const others = name === undefined ? words : words.filter((word) => !isHan(word))
  return [...(name ?? []), ...others.map((word) => romaniseGreek(word) ?? word)]
}

const unspoken: ReadonlySet<string> = new Set([...titles, ...legalForms])

/**
 * The identifying words of a name: with its particles, which distinguish Ben from Al, and without titles and legal forms.
 * Undefined if a word cannot be read: sounds say who may be meant, but not that it is somebody else.
 */
export function readHolder(name: string): readonly string[] | undefined {
  const { all, legible } = wordsIn(name, { sounds: false })
  if (all.length === 0 || legible.length < all.length) return undefined
  const kept = withoutOmitted(legible, unspoken)
  return kept.length > 0 ? kept : legible
}

export function readName(name: string): ReadName {
  const { all, legible } = wordsIn(name)
  const kept = withoutOmitted(legible, omitted)
  // A name that consists only of titles and particles is compared as it is. If the rest of it is in another script, that would hide the
  // rest.
  const words = kept.length > 0 || legible.length < all.length ? kept : legible
  if (words.length === 0) return { words, reading: 'none' }
  return { words, reading: legible.length < all.length ? 'part' : 'whole' }
}

/**
 * All ways to read a name: as written; as it looks to a person, for whom M0rtimer, Mor-timer and a Greek Μ are what they resemble; and with
 * spaces in place of invisible characters. People who want to slip through write a name that looks right but reads differently.
 */
export function readings(name: string, { words } = readName(name)): readonly (readonly string[])[] {
  // Most names look the way they are read.
  if (/^[\p{Script=Latin}\s]*$/u.test(name)) return [words]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: of the others, most are ASCII.
  if (/^[\x00-\x7f]*$/.test(name) && !/[a-z][^a-z\s'`]+[a-z]|[a-z]['`]*[0-9@$!|]|[0-9@$!|]['`]*[a-z]/i.test(name)) return [words]
  const found = new Map([[words.join(' '), words]])
  for (const other of [withoutOmitted(wordsAsSeen(name), omitted), readName(name.replace(invisible, ' ')).words])
    if (other.length > 0 && !found.has(other.join(' '))) found.set(other.join(' '), other)
  return [...found.values()]
}

/** What a text looks like to a person, as one word of Latin letters and digits; empty if none of it resembles any. */
export const looksOf = (text: string): string => wordsAsSeen(text).join('')

/** The readable words of a name as it looks: only spaces separate words, and whatever looks like a letter is one. */
function wordsAsSeen(name: string): string[] {
  const parts = bareOf(name).replace(apostrophes, '').split(/\s+/u)
  return parts.map(wordAsSeen).filter((word) => /^[a-z0-9]+$/.test(word))
}

function wordAsSeen(part: string): string {
  if (!/\p{L}/u.test(part)) return written(part)
  const seen = part.replace(/./gu, (character) => looksLike[character] ?? character)
  // A word that also has other Cyrillic letters is a Cyrillic word.
  if (!/\p{Script=Cyrillic}/u.test(seen)) return written(seen)
  return written(part.replace(/[^\p{L}]/gu, (character) => looksLike[character] ?? character))
}

/** The text as one word, without the particles of names such as al-Tamimi. */
function written(part: string): string {
  const pieces = transliterate(part).split(/[^\p{L}\p{N}]+/u)
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.filter((piece) => piece.length === 1 || !omitted.has(piece)).join('')
}

/** Also removes legal forms of several words, and of single letters: S.A. or G.m.b.H. Other single letters are initials and stay. */
function withoutOmitted(words: readonly string[], left: ReadonlySet<string>): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; ) {
    const long = longFormAt(words, at)
    if (long > 0) {
      at += long
      continue
    }
    let end = at
    while (end < words.length && words[end]?.length === 1) end++
    if (end - at > 1) {
      const letters = words.slice(at, end)
      if (!forms.has(letters.join(''))) kept.push(...letters)
      at = end
      continue
    }
    const word = words[at] ?? ''
    if (!left.has(word)) kept.push(word)
    at++
  }
  return kept
}

/** By the first word, the longest first. */
const longForms = Map.groupBy(
  longLegalForms.toSorted((a, b) => b.length - a.length),
  ([first = '']) => first,
)

/** How many words the legal form has that begins here; 0 if none does. */
function longFormAt(words: readonly string[], at: number): number {
  const form = longForms.get(words[at] ?? '')?.find((form) => form.every((word, index) => words[at + index] === word))
  return form?.length ?? 0
}
