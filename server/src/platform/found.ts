// What looking up a pasted text finds. Each folder searches its own tables, by indexes only.

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

/** `text` as it was pasted, and how else it can be read. `name`: the beginning of a name, which is searched for within one venture only. */
export type Sought = {
  ventures: readonly string[]
  text: string
  id: string | undefined
  iban: string | undefined
  email: string | undefined
  name: string | undefined
}

/** More results of one kind help nobody who is looking for one thing. */
export const mostFound = 10

/** Sorts after every text with the same beginning, in byte order. */
export const lastCharacter = '\u{10ffff}'
