// Common fields of reported messages.
import type { Field } from '../form.tsx'

export const kinds = ['pacs.004', 'pacs.003', 'pacs.007', 'pacs.008', 'camt.054', 'card.clearing', 'card.reversal', 'chargeback'] as const

export const fromWhere: readonly Field[] = [
  { name: 'sender', label: 'Sending bank', hint: 'Its BIC.', placeholder: 'COBADEFFXXX' },
  { name: 'tx_id', label: 'Transaction id', hint: 'As in the message. Each id is booked once.' },
]
