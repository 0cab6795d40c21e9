// Formats values for people. Amounts stay strings throughout and never become Numbers.

/** `AML_APPROVED` as `AML approved`. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase()
  return capitalized(text).replace(/\b(aml|kyc|iban|bic|sepa|sdd|swift|xml|pep|peps|un|eu|uk|ofac|inst|fx|ccy|id|api)\b/gi, (short) =>
    short.toUpperCase(),
  )
}

/** The beginning of a long text, for a row of a list. */
export const beginningOf = (text: string, most = 80): string => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`)

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `1234567.5` as `1,234,567.5`, with a true minus sign. */
export function grouped(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([-+]?)(\d+)(.*)$/.exec(amount) ?? []
  return `${sign === '-' ? '−' : sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

export const money = (amount: string, currency: string): string => `${grouped(amount)} ${currency}`

const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' })
const second = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A date without a time is that date in any time zone, not midnight in UTC. */
export const timeOf = (time: string): Date => new Date(time.length === 10 ? `${time}T00:00` : time)

/** The last second of a day in the person's time zone, in the service's format. */
export const endOfDay = (date: string): string => new Date(`${date}T23:59:59`).toISOString()

export const dayOf = (time: string): string => day.format(timeOf(time))
export const minuteOf = (time: string): string => minute.format(new Date(time)).replace(',', '')
export const secondOf = (time: string): string => second.format(new Date(time)).replace(',', '')

/** `3 new transfers`, `1 new transfer`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${grouped(String(count))} ${count === 1 ? one : many}`

/** `99+ changes`: larger counts are not shown exactly. */
export const countedTo99 = (count: number, one: string): string => (count > 99 ? `99+ ${one}s` : counted(count, one))

/** An IBAN in groups of four. */
export const ibanOf = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** The first characters of an id, enough to tell ids in a list apart. */
export const shortId = (id: string): string => id.slice(-8)

/** `createVentureKey` as `Create venture key`. */
export const operationWords = (operation: string): string => words(operation.replace(/([A-Z])/g, '_$1'))
