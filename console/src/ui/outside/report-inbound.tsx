// Reports money that arrived without a readable message.
import { inboundRails } from '../../values.made.ts'
import { api } from '../api.ts'
import { type Field, FormAction } from '../form.tsx'
import { fromWhere } from './messages.ts'

const fields: readonly Field[] = [
  ...fromWhere,
  { name: 'iban', label: 'Payee’s IBAN', whole: true },
  { name: 'amount', label: 'Amount', placeholder: '30.00', amount: { currencyIn: 'currency' } },
  { name: 'currency', label: 'Currency', placeholder: 'EUR' },
  { name: 'rail', label: 'Rail', choices: inboundRails },
  { name: 'dr_name', label: 'Payer’s name', optional: true },
  { name: 'dr_iban', label: 'Payer’s IBAN', optional: true },
  { name: 'dr_bank_bic', label: 'BIC of the payer’s bank', optional: true },
  { name: 'dr_address', label: 'Payer’s street', optional: true },
  { name: 'dr_city', label: 'Payer’s city', optional: true },
  { name: 'dr_postal_code', label: 'Payer’s postal code', optional: true },
  { name: 'dr_country_code', label: 'Payer’s country', hint: 'Three letters, such as DEU.', optional: true },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

export function ReportInbound() {
  return (
    <FormAction
      operation="reportInboundPayment"
      label="Report a payment"
      size="lg"
      fields={fields}
      initial={{ currency: 'EUR', rail: inboundRails[0] }}
      run={(given) => api.operator.inboundPayments.report({ ...given, kind: 'pacs.008' } as never)}
      done="The payment was booked."
    >
      Another bank has paid, and no message of it was read. The account with this IBAN is credited; if there is none that can take it, the
      bank keeps the money as an unapplied payment.
    </FormAction>
  )
}
