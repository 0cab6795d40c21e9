// The text that SEPA schemes carry: a small set of characters and short lengths. The original text is kept beside the one that is sent.

const allowed = /^[A-Za-z0-9/\-?:().,'+ ]*$/

export function isSepaText(text: string): boolean {
  return allowed.test(text)
}

// Letters that are more than a basic letter with a mark. Cyrillic as in Bulgaria; letter by letter, without context.
const latin = 'æ ae œ oe ø o ß ss þ th ð d đ d ħ h ı i ł l ŋ n ŧ t ə e ĸ k'
const greek = 'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
const cyrillic = `а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sht ъ a ы y ь y
  э e ю yu я ya і i є ye ґ g ђ dj ј j љ lj њ nj ћ c џ dz ѕ dz`
// Signs with an equivalent in the set, as the European Payments Council recommends (EPC217-08), and typographic forms of signs in the set.
const signs = `& + ; , [ ( ] ) { ( } ) \\ / | / _ - ~ - \` ' ´ ' ‘ ' ’ ' ‚ , ‐ - ‑ - ‒ - – - — - − - € E`

const replacements = new Map<string, string>()
for (const table of [latin, greek, cyrillic, signs]) {
  const words = table.split(/\s+/)
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [from = '', to = ''] = words.slice(at, at + 2)
    replacements.set(from, to)
    const upper = from.toUpperCase()
    if (upper !== from && upper.length === 1) replacements.set(upper, to.charAt(0).toUpperCase() + to.slice(1))
  }
}
replacements.set('ẞ', 'SS')

/** One character in characters of the set; a dot if it has no equivalent. */
function transliterate(character: string): string {
  const known = replacements.get(character)
  if (known !== undefined) return known
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
  if (bare === character) return /\s/.test(character) ? ' ' : '.'
  return [...bare].map((each) => (isSepaText(each) ? each : (replacements.get(each) ?? '.'))).join('')
}

/** The original text, and what is sent of it. */
export type SepaText = { readonly given: string; readonly sent: string }

/** Undefined if no letter and no digit would be left. */
export function sepaText(given: string, most: number): SepaText | undefined {
  const written = isSepaText(given) ? given : given.normalize('NFC').replace(/[^A-Za-z0-9/\-?:().,'+ ]/gu, transliterate)
  const sent = written.replace(/ +/g, ' ').trim().slice(0, most).trimEnd()
  return /[A-Za-z0-9]/.test(sent) ? { given, sent } : undefined
}

export function sepaName(given: string): SepaText | undefined {
  return sepaText(given, 70)
}

export function sepaRemittance(given: string): SepaText | undefined {
  return sepaText(given, 140)
}

/** Whether a reference may be sent unchanged. Slashes at either end, or double slashes, have a special meaning for banks. */
export function isSepaReference(text: string): boolean {
  return text.length <= 35 && /[A-Za-z0-9]/.test(text) && isSepaText(text) && text.trim() === text && !/^\/|\/$|\/\//.test(text)
}

/** The transaction id of a transfer: its id, in the length that banks allow. */
export function txIdOf(transferId: string): string {
  return transferId.replaceAll('-', '')
}

/** The payer's reference if banks can carry it, otherwise the transaction id. */
export function endToEndIdOf(reference: string | null | undefined, txId: string): string {
  return reference !== null && reference !== undefined && isSepaReference(reference) ? reference : txId
}

/** The id of a message: our BIC without its branch, a date, the letter of the rail, and a number that no other message has. */
export function messageIdOf({ bic, date, rail, number }: { bic: string; date: string; rail: string; number: bigint | number }): string {
  const digits = String(number).padStart(12, '0')
  if (!/^[A-Z]$/.test(rail) || !/^\d{12}$/.test(digits)) throw new RangeError(`${rail}${digits} cannot be part of a message id`)
  return `${bic.slice(0, 8)}${date.replaceAll('-', '')}${rail}${digits}`
}
