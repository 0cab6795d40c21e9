// What the messages of other banks say besides what is booked, for the payee or the payer to read.
import { type CreditTransfer, type DirectDebit, type Message, paymentTypeOf, type Return } from '../../iso20022/iso20022.ts'
import { oneLine } from '../../platform/http/characters.ts'
import { agentRoles, type PaymentAgent, type PaymentParty, type Said, unlessEmpty } from '../../transfers/life/transfers.details.ts'
import { alpha2ToAlpha3 } from '../../values/country.ts'

type Payment = CreditTransfer | DirectDebit

/** Both kinds of payments of other banks, with the parties that both have. */
type Sent = { message: Message<'pacs.008.001.08'> | Message<'pacs.003.001.08'>; payment: Payment }

/** What a credit transfer says to the payee. */
export function saidOfPayment(message: Message<'pacs.008.001.08'>, payment: CreditTransfer): Said {
  const { creditor, instructions_for_creditor_bank = [], instructions_for_next_bank = [] } = payment
  const asked = [...instructions_for_creditor_bank, ...instructions_for_next_bank].flatMap(({ information }) => textOf(information) ?? [])
  return said({ message, payment }, { holder_name: textOf(creditor.name), instructions: asked })
}

/** What a direct debit says to the payer. */
export function saidOfDebit(message: Message<'pacs.003.001.08'>, debit: DirectDebit): Said {
  const { debtor, creditor_id, mandate_reference, mandate_signed_on } = debit
  const type = paymentTypeOf(message, debit)
  return said(
    { message, payment: debit },
    {
      holder_name: textOf(debtor.name),
      creditor_id: textOf(creditor_id),
      mandate_reference: textOf(mandate_reference),
      mandate_signed_on,
      mandate_scheme: type?.local_instrument,
      mandate_sequence: type?.sequence_type,
    },
  )
}

/** What a return says to the sender of the payment. */
export function saidOfReturn({
  return_id,
  original_end_to_end_id,
  original_instruction_id,
  original_uetr,
  clearing_reference,
}: Return): Said {
  return given({
    end_to_end_id: referenceOf(original_end_to_end_id),
    instruction_id: textOf(original_instruction_id),
    uetr: original_uetr,
    transaction_id: textOf(return_id),
    clearing_reference: textOf(clearing_reference),
  })
}

type Told = { [Field in keyof Said]: Said[Field] | undefined }

const given = (told: Told): Said => unlessEmpty<Said>(told as { [Field in keyof Said]: Said[Field] }) ?? {}

function said({ message, payment }: Sent, more: Told): Said {
  const { references = [] } = payment
  const [structured] = references.filter(({ reference }) => textOf(reference) !== undefined)
  return given({
    end_to_end_id: referenceOf(payment.end_to_end_id),
    instruction_id: textOf(payment.instruction_id),
    uetr: payment.uetr,
    transaction_id: textOf(payment.tx_id),
    clearing_reference: textOf(payment.clearing_reference),
    initiating_party: partyOf(payment.initiating_party),
    ultimate_debtor: partyOf(payment.ultimate_debtor),
    ultimate_creditor: partyOf(payment.ultimate_creditor),
    agents: agentsOf({ message, payment }),
    additional_remittance: references.flatMap(({ additional = [] }) => additional.flatMap((line) => textOf(line) ?? [])),
    purpose_code: textOf(payment.purpose),
    category_purpose_code: textOf(paymentTypeOf(message, payment)?.category_purpose),
    structured_reference: textOf(structured?.reference),
    structured_reference_issuer: textOf(structured?.issuer),
    ...more,
  })
}

/** Other banks may send characters that could hide or reorder what people read. */
const textOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : oneLine(text) || undefined)

/** A bank that has to say something says this if there is nothing. */
const referenceOf = (reference: string | undefined): string | undefined => (reference === 'NOTPROVIDED' ? undefined : textOf(reference))

function partyOf(party: Payment['ultimate_debtor']): PaymentParty | undefined {
  if (party === undefined) return undefined
  const { name, bic, lei, address } = party
  const country_code = address?.country === undefined ? undefined : alpha2ToAlpha3(address.country)
  return unlessEmpty<PaymentParty>({ name: textOf(name), bic, lei, country_code })
}

/** The banks on the way. The one that sent the message is usually that of the other side, which the transfer has. */
function agentsOf({ message, payment }: Sent): PaymentAgent[] {
  const sender = payment.instructing_bic ?? message.instructing_bic
  const others: readonly (string | undefined)[] = [payment.debtor_bic, payment.creditor_bic]
  const banks: { [Role in PaymentAgent['role']]?: { bic?: string | undefined; name?: string | undefined } | undefined } = {
    ...payment,
    ...(sender !== undefined && !others.includes(sender) && { instructing: { bic: sender } }),
  }
  return agentRoles.flatMap((role) => {
    const { bic, name } = banks[role] ?? {}
    const bank = unlessEmpty<Omit<PaymentAgent, 'role'>>({ bic, name: textOf(name) })
    return bank === undefined ? [] : [{ role, ...bank }]
  })
}
