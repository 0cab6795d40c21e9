// Sums of amounts. Amounts are texts with decimals; they are added as whole numbers of the smallest part, so that no digit is lost.

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

function partsOf(amount: string, decimals: number): bigint {
  const [whole = '0', rest = ''] = amount.split('.')
  return BigInt(`${whole}${rest.padEnd(decimals, '0')}`)
}

/** With as many decimals as the most exact of the amounts. */
export function sumOf(...amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map(decimalsOf))
  const total = amounts.reduce((sum, amount) => sum + partsOf(amount, decimals), 0n)
  const digits = (total < 0n ? -total : total).toString().padStart(decimals + 1, '0')
  const sign = total < 0n ? '-' : ''
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** How many hundredths of the whole a part is, for the length of a bar: from 0 to 100. */
export function shareOf(part: string, whole: string): number {
  const decimals = Math.max(decimalsOf(part), decimalsOf(whole))
  const [few, all] = [partsOf(part, decimals), partsOf(whole, decimals)]
  if (all <= 0n) return 100
  return few <= 0n ? 0 : Math.min(100, Number((few * 10_000n) / all) / 100)
}
