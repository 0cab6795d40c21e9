// Matches the entries of a statement with payments, and says what is wrong with the others. Pure: entries and payments in, matches and breaks out.
import type { ReconciliationKind } from '../transfers/life/transfers.unsettled.ts'
import type { Money } from '../values/money.ts'
import type { Item } from './reconciliation.statement.ts'

/**
 * A payment of the bank that changes the nostro: one that was sent in a pack, or a booking for a message that came in. `amount`: how much
 * the nostro changes. `missing`: what became of it after it was missing on the statement of its day.
 */
export type Row = {
  venture_id: string
  id: string
  /** 0 for incoming payments. */
  attempt: number
  rail: string
  amount: Money
  isBooked: boolean
  /** Whether an entry of a statement matches it. */
  isMatched: boolean
  missing: 'OPEN' | 'WRITTEN_OFF' | null
  expected_on: string
  pack_id: string | null
  /** The message of its pack. */
  message_id: string | null
  references: readonly string[]
  counterparty_name: string | null
  counterparty_iban: string | null
}

export type MatchedBy = 'PACK' | 'REFERENCE' | 'LIKENESS' | 'HAND'

/** What an entry matches. `difference`: that of its break, with the payment or the pack that the break names. */
export type Verdict = {
  rows: readonly Row[]
  by: MatchedBy | null
  broken: { kind: Exclude<ReconciliationKind, 'MISSING'>; difference: Money; row: Row | null; pack_id: string | null } | null
}

/** Finds payments. Only `alike` may return payments without any of the item's references. */
export type Candidates = {
  pack(message_id: string): readonly Row[]
  named(reference: string): readonly Row[]
  alike(item: Item): readonly Row[]
}

type Matchable = Pick<Item, 'amount' | 'message_id' | 'tx_id' | 'end_to_end_id'>

const keyOf = ({ venture_id, id, attempt }: Row): string => `${venture_id}/${id}/${attempt}`

/** The rows of a pack exclude refused and dropped attempts, so the rest is what the scheme settles. */
export function sumOf(rows: readonly Row[]): Money {
  return rows.reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Decides all items together, rule by rule, so that no entry takes a payment by likeness that another entry names. The first rule that fits decides:
 * the pack by its message and sum, the payment by a reference and the amount, then amount, date and counterparty if there is exactly one candidate.
 */
export function decideItems(items: readonly Item[], candidates: Candidates): Verdict[] {
  const verdicts: (Verdict | undefined)[] = items.map(() => undefined)
  const taken = new Set<string>()
  const isTaken = (row: Row) => row.isMatched || taken.has(keyOf(row))
  const isFree = (row: Row) => row.isBooked && row.missing !== 'WRITTEN_OFF' && !isTaken(row)
  const rules = [byPack, byReference, byPackOtherwise, byReferenceOtherwise, byLikeness]
  for (const rule of rules) {
    items.forEach((item, index) => {
      const verdict = verdicts[index] ?? rule(item)
      verdicts[index] = verdict
      for (const row of verdict?.rows ?? []) taken.add(keyOf(row))
    })
  }
  return items.map((item, index) => verdicts[index] ?? broken('UNKNOWN', item.amount))

  function byPack({ message_id, amount }: Matchable): Verdict | undefined {
    const rows = message_id === null ? [] : candidates.pack(message_id)
    return rows.length > 0 && sumOf(rows) === amount && rows.every(isFree) ? { rows, by: 'PACK', broken: null } : undefined
  }

  function byReference(item: Item): Verdict | undefined {
    const row = namedBy(item).find((row) => row.amount === item.amount && isFree(row))
    return row && { rows: [row], by: 'REFERENCE', broken: null }
  }

  /** The entry is about a whole pack, but something is wrong. */
  function byPackOtherwise({ message_id, amount, tx_id, end_to_end_id }: Matchable): Verdict | undefined {
    const rows = message_id === null ? [] : candidates.pack(message_id)
    const pack_id = rows[0]?.pack_id ?? null
    if (rows.length === 0 || tx_id !== null || end_to_end_id !== null) return undefined
    if (rows.every(isTaken)) return broken('DUPLICATE', amount, null, pack_id)
    if (rows.some(({ isBooked }) => !isBooked)) return broken('UNBOOKED', amount, null, pack_id)
    const free = rows.filter(isFree)
    if (free.length === 0) return broken('LATE', amount, null, pack_id)
    const difference = amount - sumOf(free)
    return { rows: free, by: 'PACK', broken: difference === 0n ? null : { kind: 'OTHER_AMOUNT', difference, row: null, pack_id } }
  }

  function byReferenceOtherwise(item: Item): Verdict | undefined {
    const rows = namedBy(item)
    const row = rows.find((row) => row.amount === item.amount) ?? rows.find((row) => !isTaken(row)) ?? rows[0]
    if (row === undefined) return undefined
    if (isTaken(row)) return broken('DUPLICATE', item.amount, row)
    if (!row.isBooked) return broken('UNBOOKED', item.amount, row)
    if (row.missing === 'WRITTEN_OFF') return broken('LATE', item.amount, row)
    return {
      rows: [row],
      by: 'REFERENCE',
      broken: { kind: 'OTHER_AMOUNT', difference: item.amount - row.amount, row, pack_id: row.pack_id },
    }
  }

  function byLikeness(item: Item): Verdict | undefined {
    const rows = candidates.alike(item).filter((row) => isFree(row) && isAlike(item, row))
    return rows.length === 1 ? { rows, by: 'LIKENESS', broken: null } : undefined
  }

  /** Payments that the entry names and that change the nostro in its direction; those with its transaction id come first. */
  function namedBy({ tx_id, end_to_end_id, amount }: Matchable): Row[] {
    const named = [tx_id, end_to_end_id].flatMap((reference) => (reference === null ? [] : candidates.named(reference)))
    return named.filter((row) => row.amount > 0n === amount > 0n)
  }
}

function broken(
  kind: Exclude<ReconciliationKind, 'MISSING'>,
  difference: Money,
  row: Row | null = null,
  pack_id = row?.pack_id ?? null,
): Verdict {
  return { rows: [], by: null, broken: { kind, difference, row, pack_id } }
}

/** The same amount, day and counterparty: the account, or the name if either side has no account. */
export function isAlike(item: Item, row: Row): boolean {
  if (row.amount !== item.amount || ![item.booked_on, item.value_on].includes(row.expected_on)) return false
  if (item.counterparty_iban !== null && row.counterparty_iban !== null) return item.counterparty_iban === row.counterparty_iban
  return item.counterparty_name !== null && row.counterparty_name !== null && plain(item.counterparty_name) === plain(row.counterparty_name)
}

/** Names without case, accents and punctuation: the other bank writes them in the letters of SEPA. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
