// The content of the message to the other bank, in words.
import type { TransferDryRun } from '@vostro/sdk'
import { minuteOf } from '../../ui/words.ts'

type Message = NonNullable<TransferDryRun['message']>
type Text = Message['texts'][number]

const labels: Readonly<Record<Text['field'], string>> = {
  dr_name: 'Payer’s name',
  cr_name: 'Payee’s name',
  purpose: 'Purpose',
  structured_reference: 'Structured reference',
  unique_reference: 'Reference',
}

const insteadOf: Partial<Readonly<Record<Text['field'], string>>> = {
  purpose: 'Not sent. The structured reference is sent instead.',
  unique_reference: 'Not sent because it does not fit. The transfer’s id is sent instead.',
}

/** A text as the other bank reads it. `note`: how it differs from what was typed; undefined if it does not. */
export type TextSent = { label: string; sent: string | null; note: string | undefined }

export function textSent({ field, given, sent }: Text): TextSent {
  const label = labels[field]
  if (sent === null) return { label, sent, note: insteadOf[field] ?? 'Not sent.' }
  return { label, sent, note: sent === given ? undefined : `Typed: ${given}` }
}

/** When the payment would leave. Rails without cut-offs send at once. */
export const leaves = ({ cut_off }: Pick<Message, 'cut_off'>): string =>
  cut_off === null ? 'At once' : `At the cut-off ${minuteOf(cut_off)}`
