// What a look-up by a pasted text finds. The folders look through their own tables, by indexes alone.

export const foundKinds = [
  'transfer',
  'client',
  'account',
  'beneficiary',
  'payment',
  'payment_link',
  'event',
  'mandate',
  'webhook_endpoint',
] as const
export type FoundKind = (typeof foundKinds)[number]

export type Found = { kind: FoundKind; id: string; venture_id: string; title: string; subtitle: string | null }

/** `text` as it was pasted, and what else it may be. `name`: the beginning of a name, which is looked for in one venture only. */
export type Sought = {
  ventures: readonly string[]
  text: string
  id: string | undefined
  iban: string | undefined
  email: string | undefined
  name: string | undefined
}

/** More of one kind are of no use to anybody who looks for one thing. */
export const mostFound = 10

/** Follows every text with the same beginning, in the order of bytes. */
export const lastCharacter = '\u{10ffff}'
