// What the kinds of cases and their decisions mean.
import type { Case } from '@vostro/sdk'
import { beginningOf, grouped, words } from '../../ui/words.ts'

/** A field that a decision needs besides the comment. */
export type Detail = { name: string; label: string; description?: string; choices?: Readonly<Record<string, string>>; isOptional?: boolean }

export type DecisionWords = {
  label: string
  /** The effect, in a sentence. */
  what: string
  /** Whether the decision releases something and therefore needs two people when four-eyes approval is on. */
  needsTwo: boolean
  danger?: boolean
  details?: readonly Detail[]
}

const both = { needsTwo: true }
const alone = { needsTwo: false }

const refusals = {
  AC04: 'The account is closed',
  AM04: 'There is not enough money in the account',
  ARDT: 'The payment was already returned',
  CUST: 'The customer refuses',
  INDM: 'The payer holds an indemnity',
  LEGL: 'A law or a court order forbids it',
  NOAS: 'The payee has not answered',
  NOOR: 'The payment was never received',
}

const ofAllKinds: Readonly<Record<string, DecisionWords>> = {
  clear: { ...both, label: 'Clear', what: 'A different person. The payment continues.' },
  approve: { ...both, label: 'Approve', what: 'The payment continues.' },
  decline: { ...both, label: 'Decline', what: 'The payment ends and the money goes back to where it came from.', danger: true },
  freeze: {
    ...alone,
    label: 'Freeze',
    danger: true,
    what: 'Takes effect at once: the account is frozen, the client is blocked, and the payment is held. Lifting the freeze needs two people.',
  },
  keep: {
    ...alone,
    label: 'Keep',
    what: 'Takes effect at once: this payment is kept, and nothing else of the client is touched. Releasing it needs two people.',
    danger: true,
  },
  confirm: { ...alone, label: 'Confirm', what: 'The listed person. Later payments to this name are hits again.', danger: true },
  apply: { ...both, label: 'Apply', what: 'The money is screened and credited to the account.' },
  return: { ...both, label: 'Return', what: 'The money goes back to the payer.' },
  pay_out: {
    ...both,
    label: 'Pay out',
    what: "Sends the money to the client's own account at another bank.",
    details: [
      { name: 'name', label: "The client's own name" },
      { name: 'iban', label: "The IBAN of the client's own account" },
    ],
  },
  write_off: { ...both, label: 'Write off', what: 'The bank bears the difference.', danger: true },
  collect: {
    ...both,
    label: 'Collect',
    what: 'The client pays from another account, or has paid over a rail.',
    details: [
      { name: 'account_id', label: 'Another account of the client', description: 'Its id. Or name the payment below.', isOptional: true },
      { name: 'rail', label: 'Rail of the payment', isOptional: true },
      { name: 'sender', label: 'Sender of its message', isOptional: true },
      { name: 'kind', label: 'Kind of its message', isOptional: true },
      { name: 'tx_id', label: 'Transaction id', isOptional: true },
    ],
  },
  debit_client: { ...both, label: 'Debit the client', what: "The amount is debited from the client's account, which may become negative." },
  match: { ...both, label: 'Match', what: 'The two sides count as the same payment. Nothing is booked.' },
  offset: {
    ...both,
    label: 'Offset',
    what: 'Another break of the nostro cancels this one.',
    details: [{ name: 'break_id', label: 'The other break', description: 'Its id. It has the opposite difference.' }],
  },
  fund: { ...both, label: 'Own money', what: 'The bank paid money into the nostro or took money out.' },
  send_again: { ...both, label: 'Send again', what: 'Sends the same file to the rail again.' },
  declare_not_sent: {
    ...both,
    label: 'Declare not sent',
    what: 'The rail never received the pack. Its payments can be sent in another one.',
  },
  retry: { ...alone, label: 'Try again', what: 'The message is applied again.' },
  drop: { ...both, label: 'Drop', what: 'The message is not applied, even if it concerns money.', danger: true },
  accept: { ...both, label: 'Return it', what: 'The payment is returned to the requesting bank.' },
  refuse: {
    ...both,
    label: 'Keep it',
    what: 'The other bank is told why the payment is not returned.',
    details: [{ name: 'reason', label: 'Reason for the other bank', choices: refusals }],
  },
  close: { ...alone, label: 'Close', what: 'Nothing more to do.' },
}

const ofKind: Readonly<Record<string, Readonly<Record<string, DecisionWords>>>> = {
  name_hit: {
    clear: { ...both, label: 'Clear', what: 'A different person.' },
    freeze: { ...alone, label: 'Freeze', what: 'The client is blocked at once. Lifting the block needs two people.', danger: true },
  },
  unapplied: {
    apply: {
      ...both,
      label: 'Apply',
      what: 'The money is screened and credited to an account.',
      details: [
        { name: 'venture_id', label: 'Venture of the account' },
        { name: 'account_id', label: 'Account', description: 'Its id.' },
      ],
    },
  },
  reconciliation: {
    match: {
      ...both,
      label: 'Match by hand',
      what: 'The statement entry belongs to an existing booking.',
      details: [
        { name: 'venture_id', label: 'Venture that booked it' },
        { name: 'id', label: 'Transfer, unapplied payment or break', description: 'Its id. It must be on no statement yet.' },
      ],
    },
  },
}

export function decisionWords(kind: string, decision: string): DecisionWords {
  return ofKind[kind]?.[decision] ?? ofAllKinds[decision] ?? { ...both, label: words(decision), what: '' }
}

/** The details of the form; undefined if the decision has none. */
export function detailsOf(kind: string, decision: string, texts: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const { details = [] } = decisionWords(kind, decision)
  if (details.length === 0) return undefined
  return Object.fromEntries(details.flatMap(({ name }) => (texts[name]?.trim() ? [[name, texts[name].trim()]] : [])))
}

/** Whether every required detail is filled in. */
export function isComplete(kind: string, decision: string, texts: Readonly<Record<string, string>>): boolean {
  const { details = [] } = decisionWords(kind, decision)
  return details.every(({ name, isOptional }) => isOptional || texts[name]?.trim())
}

type Fired = { rule?: { kind?: string } }

/** A summary of a case, as far as the list has the data. */
export function summaryOf({ kind, payload }: Pick<Case, 'kind' | 'payload'>): string {
  const {
    proposes,
    rules = [],
    debit_amount,
    debit_currency,
    review_above,
    reason,
    message_id,
    subject_kind,
    from_bic,
  } = payload as {
    [name: string]: string | undefined
  } & { rules?: readonly Fired[] }
  if (kind === 'amount') return `${grouped(debit_amount ?? '')} ${debit_currency ?? ''}, above ${grouped(review_above ?? '')}`
  if (kind === 'rule') return rules.map(({ rule }) => words(rule?.kind ?? '')).join(', ')
  if (kind === 'name_hit') return words(subject_kind ?? '')
  if (kind === 'hit') return proposes ? `Proposed: ${proposes}` : 'Needs a review'
  if (kind === 'payee_guessing') return `By ${from_bic ?? ''}`
  if (kind === 'recall') return [reason, from_bic && `from ${from_bic}`].filter(Boolean).join(' ')
  if (kind === 'reconciliation' || kind === 'break') return words(String(payload['kind'] ?? ''))
  if (kind === 'manual') return beginningOf(reason ?? '')
  return message_id ?? ''
}

type Waiting = Pick<Case, 'id' | 'severity' | 'due_at' | 'assignee_id'>

/** The next case to work on: assigned to the person or to nobody, urgent first, then by due date. */
export function nextOf<One extends Waiting>(cases: readonly One[], current: string, me: string): One | undefined {
  const mine = cases.filter(({ id, assignee_id }) => id !== current && (assignee_id === null || assignee_id === me))
  const isUrgent = ({ severity }: Waiting) => (severity === 'URGENT' ? 0 : 1)
  return mine.sort((a, b) => isUrgent(a) - isUrgent(b) || a.due_at.localeCompare(b.due_at))[0]
}
