// The parsed amounts of a form, shown beside its submit button.
import { Text } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'

/** The label and amount of a field: `New limit` and `1.50 EUR, one and a half euros`. */
type Note = { label: string; said: string }

type Notes = { notes: ReadonlyMap<string, Note>; tell(field: string, note: Note | undefined): void }

const Context = createContext<Notes | undefined>(undefined)

/** Wraps a form whose button has `AmountNotes` beside it. */
export function WithAmountNotes({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<ReadonlyMap<string, Note>>(new Map())
  const tell = useCallback((field: string, note: Note | undefined) => {
    setNotes((before) => {
      const after = new Map(before)
      if (note === undefined) after.delete(field)
      else after.set(field, note)
      return after
    })
  }, [])
  const value = useMemo(() => ({ notes, tell }), [notes, tell])
  return <Context value={value}>{children}</Context>
}

export function AmountNotes() {
  const { notes } = useContext(Context) ?? {}
  return (
    <div className="amount-notes" aria-live="polite">
      {[...(notes ?? [])].map(([field, { label, said }]) => (
        <Text key={field} size="sm">
          {label}: <strong>{said}</strong>
        </Text>
      ))}
    </div>
  )
}

/** Registers the parsed amount with the form, and tells whether the form shows it beside its button. */
export function useAmountNote(field: string, label: string, said: string | undefined): boolean {
  const tell = useContext(Context)?.tell
  useEffect(() => {
    tell?.(field, said === undefined ? undefined : { label, said })
    return () => tell?.(field, undefined)
  }, [tell, field, label, said])
  return tell !== undefined
}
