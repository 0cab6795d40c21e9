// An action with a form: a dialog with a sentence and the fields of a table.
import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Action, type ActionOptions } from './action.tsx'
import { notRead } from './amount.reading.ts'
import { AmountInput, type AmountKind } from './amount-input.tsx'
import { filledIn } from './fields.ts'
import { VentureSelect } from './venture-select.tsx'
import { words } from './words.ts'

export type Field = {
  name: string
  label: string
  /** A hint below the label. */
  hint?: string
  placeholder?: string
  optional?: boolean
  choices?: readonly string[]
  /** The label of a choice, if not derived from its value. */
  nameOf?(choice: string): string
  /** A multi-line text, a date or a venture. */
  type?: 'long' | 'date' | 'venture'
  /** An amount or another decimal number; for an amount, the field with its currency. */
  amount?: AmountKind & { currencyIn?: string }
  /** Takes the full width. */
  whole?: boolean
}

type Values = Record<string, string>

type FormOptions<Result> = Omit<ActionOptions<Result>, 'run' | 'onOpen'> & {
  fields: readonly Field[]
  /** Initial values; also sent for names without a field. */
  initial?: Values
  columns?: number
  /** Content besides the fields. `isReady` then tells whether it is complete. */
  more?: ReactNode
  /** `given`: the filled-in values without empty ones. The service validates them. */
  run(given: Values): Promise<Result>
}

export function FormAction<Result>(options: FormOptions<Result>) {
  const { fields, initial = {}, columns = 2, more, children, isReady = true, run, after, ...action } = options
  const [values, setValues] = useState(initial)
  const given = filledIn(values) as Values
  return (
    <Action
      {...action}
      isReady={isReady && fields.every(({ name, optional }) => (optional || given[name] !== undefined) && given[name] !== notRead)}
      run={() => run(given)}
      after={(result) => {
        setValues(initial)
        after?.(result)
      }}
    >
      <Stack gap="sm">
        <span>{children}</span>
        <SimpleGrid cols={{ base: 1, xs: columns }} spacing="sm" verticalSpacing="xs">
          {fields.map((field) => (
            <div key={field.name} className={field.whole || field.type === 'long' ? 'whole-row' : ''}>
              <One
                field={field}
                value={values[field.name] ?? ''}
                currency={field.amount?.currencyIn === undefined ? field.amount?.currency : values[field.amount.currencyIn]}
                onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
              />
            </div>
          ))}
        </SimpleGrid>
        {more}
      </Stack>
    </Action>
  )
}

type Given = { field: Field; value: string; currency: string | undefined; onChange(value: string): void }

function One({ field, value, currency, onChange }: Given) {
  const { label, hint, placeholder, optional = false, choices, nameOf = words, type, amount } = field
  const shared = { label, required: !optional, ...(hint && { description: hint }), ...(placeholder && { placeholder }) }
  if (amount !== undefined) {
    const { currencyIn: _, ...kind } = amount
    return <AmountInput {...shared} {...kind} currency={currency} value={value} onChange={onChange} />
  }
  if (type === 'venture') return <VentureSelect label={label} required={!optional} value={value} onChange={onChange} />
  if (choices !== undefined)
    return (
      <Select
        {...shared}
        clearable={optional}
        allowDeselect={optional}
        data={choices.map((choice) => ({ value: choice, label: nameOf(choice) }))}
        value={value === '' ? null : value}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  if (type === 'long') return <Textarea {...shared} rows={4} value={value} onChange={(e) => onChange(e.currentTarget.value)} />
  return <TextInput {...shared} {...(type && { type })} value={value} onChange={(e) => onChange(e.currentTarget.value)} />
}
