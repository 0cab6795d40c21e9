// What the message to the other bank would say, in words.
import type { TransferDryRun } from '@vostro/sdk'
import { minuteOf } from '../../ui/words.ts'

type Message = NonNullable<TransferDryRun['message']>
type Text = Message['texts'][number]

const labels: Readonly<Record<Text['field'], string>> = {
  dr_name: 'Name of the payer',
  cr_name: 'Name of the payee',
  purpose: 'Purpose',
  structured_reference: 'Structured reference',
  unique_reference: 'Reference',
}

const insteadOf: Partial<Readonly<Record<Text['field'], string>>> = {
  purpose: 'Not sent: the structured reference takes its place.',
  unique_reference: 'Not sent: it does not fit, and the id of the transfer takes its place.',
}

/** A text as the other bank reads it. `note`: what is different from what was typed; undefined if nothing is. */
export type TextSent = { label: string; sent: string | null; note: string | undefined }

export function textSent({ field, given, sent }: Text): TextSent {
  const label = labels[field]
  if (sent === null) return { label, sent, note: insteadOf[field] ?? 'Not sent.' }
  return { label, sent, note: sent === given ? undefined : `Typed: ${given}` }
}

/** When it would leave. A rail without cut-offs sends what starts. */
export const leaves = ({ cut_off }: Pick<Message, 'cut_off'>): string =>
  cut_off === null ? 'At once, when it starts' : `With the cut-off of ${minuteOf(cut_off)}`
