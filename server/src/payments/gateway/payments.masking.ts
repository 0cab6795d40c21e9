// Card numbers: of one that a gateway tells us, nothing but the first six and the last four digits goes any further.

/** However long the number was and whatever hid it before, the same shape comes out. Undefined when it is no card number. */
export function maskPan(text: string): string | undefined {
  const [, first, last] = /^(\d{6})[\d*x#•.]{2,9}(\d{4})$/i.exec(text.replace(/[\s-]/g, '')) ?? []
  return first === undefined ? undefined : `${first}******${last}`
}

/** As many digits as a card number has, or more, however they are set apart. */
const manyDigits = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){11,}/gu

/** A text in which no card number can be read. */
export function withoutPans(text: string): string {
  return text.replace(manyDigits, (found) => {
    const digits = found.replace(/\P{Nd}/gu, '')
    return `${digits.slice(0, 6)}******${digits.slice(-4)}`
  })
}

/** Whether somebody has typed a card number where none belongs: 13 to 19 digits, however set apart, whose check digit is right. */
export function holdsPan(text: string): boolean {
  const found = text.match(/\d(?:[ ._-]{0,2}\d){12,18}(?!\d)/g) ?? []
  return found.some((digits) => passesLuhn(digits.replace(/\D/g, '')))
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
