// What the message of a payment says besides the fields of a transfer. It is kept as the other side said it, and never changes.
import { type Static, Type } from 'typebox'
import { Body, Choice, described, Formed, Name, OptionalField } from '../../platform/http/schemas.ts'

const Given = (description: string) => Type.Optional(Type.String({ description }))

const partyFields = {
  name: Given('The name of the party.'),
  bic: Given('The BIC of an organisation.'),
  lei: Given('The LEI of an organisation.'),
  country_code: Given('The country of its address, as an ISO 3166-1 alpha-3 code.'),
}

const Party = (description: string) => Type.Optional(Type.Object(partyFields, { description }))

/** The places of banks between those of the payer and the payee. */
export const agentRoles = [
  'instructing',
  'previous_1',
  'previous_2',
  'previous_3',
  'intermediary_1',
  'intermediary_2',
  'intermediary_3',
] as const

const PaymentAgent = Type.Object(
  {
    role: Choice(agentRoles, { description: 'Its place: the bank that sent the message, one before it, or one between it and the payee.' }),
    bic: Given('The BIC of the bank.'),
    name: Given('The name of the bank.'),
  },
  { description: 'A bank between those of the payer and the payee.' },
)

export const TransferDetails = Type.Object(
  {
    end_to_end_id: Given("The payer's reference, which every bank passes on unchanged. For a direct debit, that of the creditor."),
    instruction_id: Given('The reference between the bank that sent the message and the next one.'),
    uetr: Given('The unique end-to-end transaction reference: a UUID that all banks use for the payment.'),
    transaction_id: Given('The id that the other bank gave to the transaction.'),
    clearing_reference: Given('The reference that the clearing system gave to the payment.'),
    holder_name: Given('The name that the other side gave to the holder of the account.'),
    initiating_party: Party('The party that ordered the payment in the name of the payer.'),
    ultimate_debtor: Party('The party in whose name the payer pays.'),
    ultimate_creditor: Party('The party for which the payee receives the money.'),
    creditor_id: Given('The identifier under which the creditor collects direct debits.'),
    mandate_reference: Given('The reference of the mandate of a direct debit.'),
    mandate_signed_on: Given('The day on which that mandate was signed.'),
    mandate_scheme: Given('The scheme of that mandate, such as `CORE` or `B2B`.'),
    mandate_sequence: Given('The place of the direct debit in its sequence, such as `RCUR`.'),
    agents: Type.Optional(Type.Array(PaymentAgent, { description: 'The banks between those of the payer and the payee.' })),
    additional_remittance: Type.Optional(
      Type.Array(Type.String(), { description: 'What the payer wrote in addition to structured references.' }),
    ),
    instructions: Type.Optional(Type.Array(Type.String(), { description: 'What the payer asked the banks to do, in words.' })),
  },
  {
    title: 'TransferDetails',
    description:
      'What the message of the payment says besides the fields of the transfer, as the other side said it. A field that the message ' +
      'does not have is left out, and so are the details of a transfer without any.',
  },
)
export type TransferDetails = Static<typeof TransferDetails>
export type PaymentParty = NonNullable<TransferDetails['initiating_party']>
export type PaymentAgent = NonNullable<TransferDetails['agents']>[number]

/** What a message says, with the codes that are fields of the transfer. */
export const Said = Type.Object({
  purpose_code: Given('The reason for the payment, as a code of ISO 20022.'),
  category_purpose_code: Given('The category of the payment, as a code of ISO 20022.'),
  structured_reference: Given('A machine-readable reference, such as an RF creditor reference.'),
  structured_reference_issuer: Given('The issuer of the format of that reference.'),
  ...TransferDetails.properties,
})
export type Said = Static<typeof Said>

/** Its two parts: fields of the transfer, and its details, if there are any. */
export function partsOf(said: Said) {
  const {
    purpose_code = null,
    category_purpose_code = null,
    structured_reference = null,
    structured_reference_issuer = null,
    ...rest
  } = said
  return {
    codes: { purpose_code, category_purpose_code, structured_reference, structured_reference_issuer },
    details: unlessEmpty<TransferDetails>(rest),
  }
}

/** The fields that have a value; undefined if none has. */
export function unlessEmpty<Fields extends object>(said: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields | undefined {
  const given = Object.entries(said).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Fields)
}

const orderedParty = {
  name: described(Name, 'The name of the party.'),
  bic: OptionalField(
    Formed('^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', {
      transform: 'upper',
      description: 'The BIC of an organisation.',
    }),
  ),
  lei: OptionalField(
    Formed('^[A-Za-z0-9]{18}[0-9]{2}$', 'must be an LEI of 20 characters', {
      transform: 'upper',
      description: 'The LEI of an organisation.',
    }),
  ),
}

const OrderedParty = (description: string) => OptionalField(Type.Object(orderedParty, { description, additionalProperties: false }))

/** What an order of a MANAGED venture may say to the payee. */
export const OrderDetails = Body('TransferOrderDetails', {
  end_to_end_id: OptionalField(
    Formed(
      "^(?![ /])(?!.*//)(?!.*[ /]$)(?=.*[A-Za-z0-9])[A-Za-z0-9/?:().,'+ -]{1,35}$",
      'must have 1 to 35 of the characters that banks carry, without a slash at either end or two slashes in a row',
      {
        description:
          'The reference for the payee, which every bank passes on unchanged. Default: `unique_reference` if banks can carry it.',
      },
    ),
  ),
  ultimate_debtor: OrderedParty('The party in whose name the account pays, if it is another one.'),
  ultimate_creditor: OrderedParty('The party for which the payee receives the money, if it is another one.'),
})
export type OrderDetails = Static<typeof OrderDetails>

/** The details of a transfer whose order gives them. */
export function detailsOfOrder({ end_to_end_id, ultimate_debtor, ultimate_creditor }: OrderDetails): TransferDetails | undefined {
  return unlessEmpty<TransferDetails>({
    end_to_end_id: end_to_end_id ?? undefined,
    ultimate_debtor: partyOf(ultimate_debtor),
    ultimate_creditor: partyOf(ultimate_creditor),
  })
}

function partyOf(party: OrderDetails['ultimate_debtor']): PaymentParty | undefined {
  return party == null
    ? undefined
    : unlessEmpty<PaymentParty>({ name: party.name, bic: party.bic ?? undefined, lei: party.lei ?? undefined })
}
