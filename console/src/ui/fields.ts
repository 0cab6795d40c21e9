// The values of a form, by field name.
import { type ChangeEvent, useState } from 'react'

type Values = Record<string, string>

/** The values, the props for text, amount and choice fields, and a function that resets the form. */
export function useFields<Given extends Values>(initial: Given) {
  const [values, setValues] = useState(initial)
  const set = (name: keyof Given, value: string) => setValues((before) => ({ ...before, [name]: value }))
  return {
    values,
    set,
    text: (name: keyof Given) => ({
      value: values[name] ?? '',
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, currentTarget.value),
    }),
    amount: (name: keyof Given) => ({ value: values[name] ?? '', onChange: (amount: string) => set(name, amount) }),
    choice: (name: keyof Given) => ({
      value: values[name] === '' ? null : (values[name] ?? null),
      onChange: (value: string | null) => set(name, value ?? ''),
    }),
    reset: (next: Given = initial) => setValues(next),
  }
}

/** The filled-in values, trimmed. Empty fields are left out. */
export function filledIn<Given extends Values>(values: Given): Partial<Given> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  ) as Partial<Given>
}

/** The changed values: an emptied field becomes null, which clears it. */
export function changesOf(values: Values, before: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]): [string, string | null] => [name, value.trim() === '' ? null : value.trim()])
      .filter(([name, value]) => value !== (before[name] ?? null)),
  )
}
