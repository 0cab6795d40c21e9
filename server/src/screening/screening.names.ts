// How a name is read before it is compared: words of lower-case Latin letters and digits, without marks, titles, legal forms and particles.
import { legalForms, omitted, titles } from './screening.words.ts'

/**
 * Whether all words of a name could be read. `part`: some are in a script that is not supported. `none`: nothing is left to be compared, so
 * the comparison says nothing, and whoever asked must not take the name for clear.
 */
export type Reading = 'whole' | 'part' | 'none'

export type ReadName = { words: readonly string[]; reading: Reading }

/** Latin letters that Unicode does not take apart into a letter and its marks. */
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

/** Cyrillic letters without their marks, so that й is read as и, and ё as е. */
const cyrillic: Readonly<Record<string, string>> = Object.fromEntries(
  `а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya
  є:ye і:i ґ:g ђ:dj ѕ:dz ј:j љ:lj њ:nj ћ:c џ:dz ә:a ғ:g қ:k ң:n ө:o ұ:u ү:u һ:h ҳ:h ҷ:j җ:j ҝ:g ҹ:j ӏ: ѣ:e ѳ:f ѵ:i`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
)

const forms: ReadonlySet<string> = new Set(legalForms)

/** Written inside words, and left out by whoever cannot type them. */
const apostrophes = /['’‘‛`´ʻʼʽʾʿʹ′]/gu

/** Latin and Cyrillic letters in lower-case Latin letters. Letters of other scripts stay as they are. */
function transliterate(text: string): string {
  // Marks are taken off first, because lower case adds one to the Turkish İ.
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return bare.replace(/[^a-z]/gu, (letter) => latin[letter] ?? cyrillic[letter] ?? letter)
}

/** All words of a name, and those of them that can be read. */
function wordsIn(name: string): { all: readonly string[]; legible: readonly string[] } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most names are ASCII, and are read faster.
  if (/^[\x00-\x7f]*$/.test(name)) {
    const all =
      name
        .toLowerCase()
        .replace(/['`]/g, '')
        .match(/[a-z0-9]+/g) ?? []
    return { all, legible: all }
  }
  const all = transliterate(name)
    .replace(apostrophes, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return { all, legible: all.filter((word) => /^[a-z0-9]+$/.test(word)) }
}

const unspoken: ReadonlySet<string> = new Set([...titles, ...legalForms])

/**
 * The words of a name that says who somebody is: with its particles, which tell Ben from Al, and without titles and legal forms. Undefined if a
 * word cannot be read.
 */
export function readHolder(name: string): readonly string[] | undefined {
  const { all, legible } = wordsIn(name)
  if (all.length === 0 || legible.length < all.length) return undefined
  const kept = withoutOmitted(legible, unspoken)
  return kept.length > 0 ? kept : legible
}

export function readName(name: string): ReadName {
  const { all, legible } = wordsIn(name)
  const kept = withoutOmitted(legible, omitted)
  // A name of titles and particles only is compared as it stands. If the rest of it is in another script, it would hide that rest.
  const words = kept.length > 0 || legible.length < all.length ? kept : legible
  if (words.length === 0) return { words, reading: 'none' }
  return { words, reading: legible.length < all.length ? 'part' : 'whole' }
}

/** Leaves out single letters, too, that together make a legal form: S.A. or G.m.b.H. Other single letters are initials and stay. */
function withoutOmitted(words: readonly string[], left: ReadonlySet<string>): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; ) {
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
