// The fields of a dialog, from a table of them.
import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { words } from './words.ts'

export type Field = {
  name: string
  label: string
  /** What it is, for whoever does not know. */
  hint?: string
  placeholder?: string
  optional?: boolean
  choices?: readonly string[]
  /** What a choice is called, if not by its words. */
  nameOf?(choice: string): string
  /** A text of several lines, or a day. */
  type?: 'long' | 'date'
  /** Needs the whole width. */
  whole?: boolean
}

type Values = Record<string, string>

export type FieldsState = {
  values: Values
  set(name: string, value: string): void
  /** Whether everything that is needed is there. */
  isReady: boolean
  /** What was filled in, without what was left empty. */
  given: Values
  clear(): void
}

export function useFields(fields: readonly Field[], initial: Values = {}): FieldsState {
  const [values, setValues] = useState(initial)
  const given = Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])))
  return {
    values,
    given,
    isReady: fields.every(({ name, optional }) => optional || given[name] !== undefined),
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    clear: () => setValues(initial),
  }
}

export function Fields({ fields, state, columns = 2 }: { fields: readonly Field[]; state: FieldsState; columns?: number }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: columns }} spacing="sm" verticalSpacing="xs">
      {fields.map((field) => (
        <div key={field.name} className={field.whole || field.type === 'long' ? 'whole-row' : ''}>
          <One field={field} value={state.values[field.name] ?? ''} onChange={(value) => state.set(field.name, value)} />
        </div>
      ))}
    </SimpleGrid>
  )
}

function One({ field, value, onChange }: { field: Field; value: string; onChange(value: string): void }) {
  const { label, hint, placeholder, optional = false, choices, nameOf = words, type } = field
  const shared = { label, required: !optional, ...(hint && { description: hint }), ...(placeholder && { placeholder }) }
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
