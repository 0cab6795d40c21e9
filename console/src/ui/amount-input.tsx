// The field for amounts, rates and shares. It parses what people type, asks if a text is ambiguous, and repeats the amount in words.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { currencyDecimals } from '../values.made.ts'
import { notRead, type Reading, readAmount } from './amount.reading.ts'
import { inWords, moneyInWords, padded, typedForm, written } from './amount.words.ts'
import { useAmountNote } from './amount-notes.tsx'
import { personLocale } from './locale.ts'

export type AmountKind = {
  /** The currency code, possibly unfinished; undefined if unknown. */
  currency?: string | undefined
  /** For numbers other than money: the name in a sentence and the maximum number of decimals. */
  number?: { name: string; decimals: number }
  isZeroAllowed?: boolean
  /** Formats numbers that are unclear when spelled out. */
  say?: ((amount: string) => string) | undefined
}

type Options = AmountKind & {
  label: string
  /** The exact amount for the service; empty, or `notRead`. */
  value: string
  onChange(amount: string): void
  required?: boolean
  description?: string
  placeholder?: string
  /** An error about an amount that was parsed. */
  error?: ReactNode
  className?: string
  w?: number
}

/** For an unknown currency: the most decimals that any currency has. */
const unknown = { name: 'An amount', decimals: 4 }

export function AmountInput({ value, onChange, currency: code, number, isZeroAllowed = false, say, error, required, ...field }: Options) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [locale] = useState(personLocale)
  const currency = code?.trim().toUpperCase() ?? ''
  const known = currencyDecimals[currency]
  const { name, decimals } = number ?? (known === undefined ? unknown : { name: currency, decimals: known })
  const exactOf = (amount: string): string => (known === undefined || number !== undefined ? amount : padded(amount, known))

  // The typed text, and the meaning that the person chose or that was there before.
  const [typed, setTyped] = useState(() => shown(value, locale))
  const [told, setTold] = useState(value)
  if (value !== told) {
    setTold(value)
    setTyped(shown(value, locale))
  }
  const reading = readAmount(typed.text, { locale, decimals, unit: name, isZeroAllowed })
  const amount = amountOf(reading, typed.means)
  const exact = reading.kind === 'empty' ? '' : amount === undefined ? notRead : exactOf(amount)
  // Also when the currency changes.
  useEffect(() => {
    if (exact === value) return
    setTold(exact)
    onChange(exact)
  })

  const inFigures = (one: string) => `${written(exactOf(one), locale)}${known === undefined || number !== undefined ? '' : ` ${currency}`}`
  const said = (one: string) => say?.(one) ?? (known === undefined || number !== undefined ? inWords(one) : moneyInWords(one, currency))
  const understood = amount === undefined ? undefined : `${inFigures(amount)}, ${said(amount)}`
  const isBesideButton = useAmountNote(id, field.label, understood)
  // Messages wait for a pause in typing.
  const [paused] = useDebouncedValue(typed.text, 400)
  const isPaused = paused === typed.text
  const asks = reading.kind === 'question' && amount === undefined && isPaused ? reading.meanings : undefined
  const question = asks && `${typed.text.trim()} — ${asks.map(inWords).join(', or ')}?`
  const wrong: ReactNode = reading.kind === 'refused' && isPaused ? reading.why : amount !== undefined && error
  return (
    <Stack gap={6} {...(field.className && { className: field.className })}>
      <TextInput
        {...field}
        className=""
        id={id}
        ref={input}
        inputMode="decimal"
        autoComplete="off"
        required={required ?? false}
        error={question ?? wrong}
        // A question is not an error.
        withErrorStyles={asks === undefined}
        errorProps={{ id: `${id}-said`, ...(asks && { c: 'var(--mantine-color-text)', fz: 'sm' }) }}
        value={typed.text}
        onChange={({ currentTarget }) => setTyped({ text: currentTarget.value, means: undefined })}
      />
      {asks && (
        <fieldset className="plain-fieldset" aria-labelledby={`${id}-said`}>
          <Group gap="xs">
            {asks.map((meaning) => (
              <Button
                key={meaning}
                size="compact-sm"
                variant="light"
                onClick={() => {
                  setTyped({ text: typed.text, means: meaning })
                  // The button disappears, so the focus moves to the field.
                  input.current?.focus()
                }}
              >
                {inFigures(meaning)}
              </Button>
            ))}
          </Group>
        </fieldset>
      )}
      {!isBesideButton && understood !== undefined && (
        <Text size="sm" aria-live="polite">
          {understood}
        </Text>
      )}
    </Stack>
  )
}

const shown = (value: string, locale: string) => {
  const isAmount = value !== '' && value !== notRead
  return { text: isAmount ? typedForm(value, locale) : '', means: isAmount ? withoutZeros(value) : undefined }
}

const withoutZeros = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

/** For an ambiguous text, the meaning that the person chose. */
function amountOf(reading: Reading, means: string | undefined): string | undefined {
  if (reading.kind === 'amount') return reading.amount
  return reading.kind === 'question' && means !== undefined && reading.meanings.includes(means) ? means : undefined
}
