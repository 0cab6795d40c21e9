// Common fields of reported messages.
import type { Field } from '../form.tsx'

export const fromWhere: readonly Field[] = [
  { name: 'sender', label: 'Sending bank', hint: 'Its BIC.', placeholder: 'COBADEFFXXX' },
  { name: 'tx_id', label: 'Transaction id', hint: 'As in the message. Each id is booked once.' },
]
