// Card numbers in a gateway's answers: only the first six and the last four digits leave the adapter.

/** The same shape for every length and every way of masking. Undefined if the text is not a card number. */
export function maskPan(text: string): string | undefined {
  const [, first, last] = /^(\d{6})[\d*x#•.]{2,9}(\d{4})$/i.exec(text.replace(/[\s-]/g, '')) ?? []
  return first === undefined ? undefined : `${first}******${last}`
}

/** At least as many digits as a card number has, with any separators. */
const manyDigits = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){11,}/gu

/** The text with every card number masked. */
export function withoutPans(text: string): string {
  return text.replace(manyDigits, (found) => {
    const digits = found.replace(/\P{Nd}/gu, '')
    return `${digits.slice(0, 6)}******${digits.slice(-4)}`
  })
}
