// Exact arithmetic on decimal strings.

/** The sum, with the decimals of the most precise amount. */
export function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const total = amounts.reduce((sum, amount) => sum + unitsOf(amount, decimals), 0n)
  const digits = String(total < 0n ? -total : total).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${total < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`
}

export const lessOf = (amount: string, taken: string): string => sumOf([amount, opposite(taken)])

export const isZero = (amount: string): boolean => /^[-+]?0*(\.0*)?$/.test(amount)
export const isNegative = (amount: string): boolean => amount.startsWith('-') && !isZero(amount)

/** The absolute amount. */
export const sizeOf = (amount: string): string => amount.replace(/^[-+]/, '')

/** The negated amount. */
export const opposite = (amount: string): string => (isNegative(amount) ? sizeOf(amount) : isZero(amount) ? amount : `-${sizeOf(amount)}`)

/** Whether a text is an amount above zero. The service checks the decimals. */
export const isAmount = (text: string): boolean => /^\d{1,15}(\.\d{1,4})?$/.test(text.trim()) && !isZero(text.trim())

/** A share in percent, at most 100: for bars, not for sums. */
export function shareOf(part: string, whole: string): number {
  const decimals = Math.max(...[part, whole].map((amount) => amount.split('.')[1]?.length ?? 0))
  const [a, b] = [unitsOf(part, decimals), unitsOf(whole, decimals)]
  if (b <= 0n) return a > 0n ? 100 : 0
  const share = (a * 100n) / b
  return share > 100n ? 100 : share < 0n ? 0 : Number(share)
}

function unitsOf(amount: string, decimals: number): bigint {
  const [whole = '', rest = ''] = amount.split('.')
  return BigInt(`${whole}${rest.padEnd(decimals, '0')}`)
}
