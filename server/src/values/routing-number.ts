// Routing numbers of the American Bankers Association: nine digits that identify a bank.

// The first two digits are a Federal Reserve district (01–12), its thrifts (21–32), its electronic numbers (61–72), the government (00) or
// traveller's cheques (80).
const pattern = /^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/
const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]

export function parseRoutingNumber(text: string): string | undefined {
  // Nine zeros pass both checks but are not a bank.
  if (!pattern.test(text) || text === '000000000') return undefined
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0)
  return sum % 10 === 0 ? text : undefined
}
