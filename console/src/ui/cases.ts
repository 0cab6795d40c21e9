// The kinds of cases.
import { words } from './words.ts'

export const kinds: Readonly<Record<string, string>> = {
  hit: 'Hit on a payment',
  name_hit: 'Hit on a name',
  screening_overdue: 'Clients not compared in time',
  rule: 'Monitoring rule',
  amount: 'Large amount',
  suspended: 'Money for a suspended account',
  unapplied: 'Unapplied payment',
  break: 'Client break',
  reconciliation: 'Reconciliation break',
  delivery: 'Unanswered pack',
  message: 'Message not applied',
  recall: 'Recall',
  nostro_statement: 'Statement is missing',
  payee_guessing: 'Names tried by another bank',
  manual: 'Opened by hand',
}

export const kindWords = (kind: string): string => kinds[kind] ?? words(kind)
