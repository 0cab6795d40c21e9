import type { VostroEvent } from '@vostro/sdk'
import { money, shortId, words } from '../../ui/words.ts'

const names = ['unique_reference', 'name', 'display', 'order_ref', 'reference', 'description', 'url', 'first_name'] as const

/** A short summary of an event: the name of its object, its amount, and its status change. */
export function summaryOf({ data: { object, previous_status } }: Pick<VostroEvent, 'data'>): string {
  const fields = object as Readonly<Record<string, unknown>>
  const textOf = (field: string): string | undefined =>
    typeof fields[field] === 'string' && fields[field] !== '' ? fields[field] : undefined
  const amount = textOf('debit_amount') ?? textOf('amount')
  const currency = textOf('debit_currency') ?? textOf('currency')
  const status = textOf('status') ?? textOf('kyc_status')
  return [
    names.map(textOf).find((name) => name !== undefined) ?? shortId(object.id),
    amount !== undefined && currency !== undefined ? money(amount, currency) : undefined,
    status !== undefined && previous_status !== null ? `${words(previous_status)} → ${words(status)}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
