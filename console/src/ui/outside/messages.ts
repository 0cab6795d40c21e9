// What reports of messages from outside have in common.
import type { Field } from '../form.tsx'

export const fromWhere: readonly Field[] = [
  { name: 'sender', label: 'Sending bank', hint: 'Its BIC.', placeholder: 'COBADEFFXXX' },
  { name: 'tx_id', label: 'Transaction id', hint: 'As the message has it. It is booked once.' },
]
