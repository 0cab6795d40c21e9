// Guesses the kind of a value from its name and format.

export type Form = 'nothing' | 'yes' | 'time' | 'day' | 'id' | 'iban' | 'amount' | 'state' | 'list' | 'object' | 'word' | 'country' | 'text'

const byName: readonly [RegExp, Form][] = [
  [/(^|_)iban$/, 'iban'],
  [/(^|_)(amount|above|threshold|total|balance|difference|prefunding)$/, 'amount'],
  [/^(status|state)$/, 'state'],
  [/(^|_)country(_code)?$/, 'country'],
  [/(^|_)(kind|type|status|direction|level|outcome|decision|role|control)$/, 'word'],
]

const byText: readonly [RegExp, Form][] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, 'time'],
  [/^\d{4}-\d\d-\d\d$/, 'day'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'id'],
]

export function formOf(name: string, value: unknown): Form {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return 'yes'
  if (Array.isArray(value)) {
    if (value.length === 0) return 'nothing'
    return value.every((one) => typeof one === 'string' || typeof one === 'number') ? 'list' : 'object'
  }
  if (typeof value === 'object') return 'object'
  const text = String(value)
  const [, form] = byText.find(([pattern]) => pattern.test(text)) ?? []
  if (form !== undefined) return form
  const [, named] = byName.find(([pattern]) => pattern.test(name)) ?? []
  // Only numbers are amounts, whatever the field's name.
  return named === 'amount' && !/^-?\d+(\.\d+)?$/.test(text) ? 'text' : (named ?? 'text')
}
