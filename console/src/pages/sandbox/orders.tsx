// Orders at the simulated bank: payments to us, collections from us, and recalls.
import type { SandboxBankPayment } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { recallReasonOf, recallReasons } from '../../ui/recalls.ts'
import { money } from '../../ui/words.ts'
import { debitSchemes, debitSequences, payingRails } from '../../values.made.ts'

const payFields: readonly Field[] = [
  { name: 'iban', label: 'Payee’s IBAN', hint: 'An IBAN of this bank. The account need not exist.', whole: true },
  { name: 'amount', label: 'Amount in EUR', placeholder: '30.00', amount: { currency: 'EUR' } },
  { name: 'rail', label: 'Rail', choices: payingRails },
  { name: 'name', label: 'Payer’s name', optional: true },
  { name: 'payer_iban', label: 'Payer’s IBAN', optional: true },
  { name: 'payee_name', label: 'Payee’s name', optional: true },
  { name: 'end_to_end_id', label: 'Reference', optional: true },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

export function PayIn() {
  return (
    <FormAction
      operation="payFromSandboxBank"
      label="Pay in"
      size="lg"
      fields={payFields}
      initial={{ rail: payingRails[0] }}
      run={(given) => api.sandbox.bank.pay(given as never)}
      done="The payment is on its way."
    >
      Simulates a payment from another bank to an account here. The simulated bank sends it as a message (pacs.008).
    </FormAction>
  )
}

const collectFields: readonly Field[] = [
  { name: 'iban', label: 'Payer’s IBAN', hint: 'An IBAN of this bank. The account need not exist.', whole: true },
  { name: 'amount', label: 'Amount in EUR', placeholder: '30.00', amount: { currency: 'EUR' } },
  { name: 'collection_date', label: 'Due date', hint: 'Leave empty for the next bank working day.', type: 'date', optional: true },
  { name: 'name', label: 'Creditor’s name', optional: true },
  { name: 'creditor_id', label: 'Creditor identifier', optional: true },
  { name: 'mandate_reference', label: 'Mandate reference', optional: true },
  { name: 'mandate_signed_on', label: 'Mandate signed on', type: 'date', optional: true },
  { name: 'scheme', label: 'Scheme', choices: debitSchemes, nameOf: String },
  { name: 'sequence_type', label: 'Sequence', choices: debitSequences, nameOf: String },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

export function Collect() {
  return (
    <FormAction
      operation="debitFromSandboxBank"
      label="Collect"
      title="Collect by direct debit"
      size="lg"
      fields={collectFields}
      initial={{ scheme: 'CORE', sequence_type: 'RCUR' }}
      run={(given) => api.sandbox.bank.debit(given as never)}
      done="The direct debit is on its way."
    >
      Simulates a direct debit of an account here by a creditor at another bank. The simulated bank sends it as a message (pacs.003) and
      settles it on its due date, unless this bank has refused it.
    </FormAction>
  )
}

const recallFields: readonly Field[] = [{ name: 'reason', label: 'Reason', choices: recallReasons, nameOf: recallReasonOf }]

/** The other bank can recall only payments that it made to us. */
export function RecallIt({ payment }: { payment: SandboxBankPayment }) {
  const { id, direction, kind, amount, currency, debtor } = payment
  if (id === null || direction !== 'IN' || kind !== 'CREDIT_TRANSFER') return null
  return (
    <FormAction
      operation="recallFromSandboxBank"
      label="Recall"
      title="Recall the payment"
      button={{ size: 'compact-xs' }}
      fields={recallFields}
      initial={{ reason: 'DUPL' }}
      columns={1}
      run={(given) => api.sandbox.bank.recall({ bank_payment_id: id, ...given })}
      done="The recall was sent."
    >
      The simulated bank recalls {money(amount, currency)} from {debtor ?? 'an unnamed payer'} (camt.056). This bank gets a case about it.
    </FormAction>
  )
}
