/** A share such as `0.005` as `0.5 %`, computed on digits. */
export function percentOf(share: string): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(share) ?? []
  const digits = part.padEnd(2, '0')
  const left = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  const right = digits.slice(2).replace(/0+$/, '')
  return `${sign}${left}${right === '' ? '' : `.${right}`} %`
}
