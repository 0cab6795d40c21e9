// What people at the other bank do: they pay us, collect from us, and ask for their money back.
import type { SandboxBankPayment } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { recallReasonOf, recallReasons } from '../../ui/recalls.ts'
import { money } from '../../ui/words.ts'
import { debitSchemes, debitSequences, payingRails } from '../../values.made.ts'

const payFields: readonly Field[] = [
  { name: 'iban', label: 'IBAN of the payee', hint: 'An account of ours. It need not exist.', whole: true },
  { name: 'amount', label: 'Amount in EUR', placeholder: '30.00', amount: { currency: 'EUR' } },
  { name: 'rail', label: 'Rail', choices: payingRails },
  { name: 'name', label: 'Name of the payer', optional: true },
  { name: 'payer_iban', label: 'IBAN of the payer', optional: true },
  { name: 'payee_name', label: 'Name of the payee', optional: true },
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
      Somebody at another bank pays an account of ours. The simulated bank sends the payment as a message (pacs.008).
    </FormAction>
  )
}

const collectFields: readonly Field[] = [
  { name: 'iban', label: 'IBAN of the payer', hint: 'An account of ours. It need not exist.', whole: true },
  { name: 'amount', label: 'Amount in EUR', placeholder: '30.00', amount: { currency: 'EUR' } },
  { name: 'collection_date', label: 'Due date', hint: 'The next bank working day, if it is left empty.', type: 'date', optional: true },
  { name: 'name', label: 'Name of whoever collects', optional: true },
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
      Somebody at another bank collects from an account of ours. The simulated bank sends the direct debit as a message (pacs.003) and
      settles it on its due date, unless our bank has refused it.
    </FormAction>
  )
}

const recallFields: readonly Field[] = [{ name: 'reason', label: 'Reason', choices: recallReasons, nameOf: recallReasonOf }]

/** Only what the other bank has paid us, it can ask back. */
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
      done="Our bank is asked to give the payment back."
    >
      The simulated bank asks for {money(amount, currency)} of {debtor ?? 'somebody'} back (camt.056). Our bank gets a case about it.
    </FormAction>
  )
}
