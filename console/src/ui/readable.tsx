// Shows any data of the service as names and values. Pages choose the fields and their order.
import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copyable } from './copyable.tsx'
import { countryOf } from './countries.ts'
import { Facts } from './page.tsx'
import { formOf } from './readable.form.ts'
import { Status } from './status.tsx'
import { dayOf, grouped, ibanOf, minuteOf, shortId, words } from './words.ts'

/** A formatted value. */
export function written(name: string, value: unknown): ReactNode {
  const text = String(value)
  switch (formOf(name, value)) {
    case 'nothing':
      return null
    case 'yes':
      return value ? 'Yes' : 'No'
    case 'time':
      return minuteOf(text)
    case 'day':
      return dayOf(text)
    case 'id':
      return <Copyable text={text} shown={`…${shortId(text)}`} />
    case 'iban':
      return <Copyable text={text} shown={ibanOf(text)} />
    case 'amount':
      return <span className="amount">{grouped(text)}</span>
    case 'state':
      return <Status value={text} />
    case 'word':
      return words(text)
    case 'country':
      return countryOf(text)
    case 'list':
      return (value as unknown[]).map(String).join(', ')
    case 'object':
      return <Code>{JSON.stringify(value)}</Code>
    default:
      return /^[A-Z]+(_[A-Z]+)+$/.test(text) ? words(text) : text
  }
}

/** `names`: the fields in order, optionally with labels; all fields if absent. */
export function Readable({ value, names }: { value: object; names?: readonly (string | readonly [string, string])[] }) {
  const all = value as { [name: string]: unknown }
  const chosen = (names ?? Object.keys(all)).map((one) => (typeof one === 'string' ? ([one, labelOf(one)] as const) : one))
  return <Facts facts={chosen.map(([name, label]) => [label, written(name, all[name])] as const)} />
}

const labelOf = (name: string): string =>
  words(name)
    .replace(/ (ID|at)$/, '')
    .replace(/^Cr /, "Creditor's ")
    .replace(/^Dr /, "Debtor's ")

/** The raw data. */
export function Raw({ value, label = 'Raw data' }: { value: unknown; label?: string }) {
  return (
    <details className="raw">
      <summary>{label}</summary>
      <Code block tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </details>
  )
}
