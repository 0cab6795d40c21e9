// What cases are about.
import { words } from './words.ts'

export const kinds: Readonly<Record<string, string>> = {
  hit: 'Hit on a payment',
  name_hit: 'Hit on a name',
  rule: 'Monitoring rule',
  amount: 'Large amount',
  suspended: 'Money for a suspended account',
  unapplied: 'Unapplied payment',
  break: 'Break with a client',
  reconciliation: 'Break in reconciliation',
  delivery: 'Pack without an answer',
  message: 'Message not applied',
  recall: 'Recall',
  nostro_statement: 'Statement is missing',
}

export const kindWords = (kind: string): string => kinds[kind] ?? words(kind)
