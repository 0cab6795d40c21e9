// Card numbers (PANs).

/** Whether a text contains a card number: 13 to 19 digits with a valid check digit, with or without separators. */
export function containsPan(text: string): boolean {
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
