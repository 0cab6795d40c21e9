// Sums of amounts, digit by digit: amounts never become a Number.

/** `1.50` and `2.25` as `3.75`, with as many decimals as the longest. */
export function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const total = amounts.reduce((sum, amount) => sum + unitsOf(amount, decimals), 0n)
  const digits = (total < 0n ? -total : total).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${total < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`
}

function unitsOf(amount: string, decimals: number): bigint {
  const [, sign = '', whole = '0', part = ''] = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const units = BigInt(whole + part.padEnd(decimals, '0'))
  return sign === '-' ? -units : units
}

export const isZero = (amount: string): boolean => /^[-+]?[0.]*$/.test(amount)
export const isNegative = (amount: string): boolean => amount.startsWith('-') && !isZero(amount)

/** The amount without its sign. */
export const sizeOf = (amount: string): string => amount.replace(/^[-+]/, '')

/** The amount with the other sign. */
export const opposite = (amount: string): string => (isNegative(amount) ? sizeOf(amount) : isZero(amount) ? amount : `-${sizeOf(amount)}`)
