// The schemas of mandates in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  described,
  Formed,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  UpdatedAt,
} from '../platform/http/schemas.ts'

export const mandateSchemes = ['CORE', 'B2B'] as const
export const mandateStates = ['ACTIVE', 'CANCELLED', 'EXPIRED'] as const
/** The first and last of several collections also count as recurring, because the scheme no longer uses FRST and FNAL. */
export const mandateSequences = ['RCUR', 'OOFF'] as const

const Scheme = Choice(mandateSchemes, {
  description: 'CORE: any debtor. B2B: the debtor is not a consumer and cannot claim the money back.',
})
const Sequence = Choice(mandateSequences, { description: 'RCUR: for any number of collections. OOFF: for one.' })
const State = Choice(mandateStates, { description: 'EXPIRED: it was not used for 36 months.' })

export const Mandate = Resource(
  'Mandate',
  {
    id: described(Id, 'The id of the mandate. The service assigns it.'),
    account_id: { ...Id, description: 'The account that receives the money.' },
    reference: Type.String({ description: 'The reference by which the debtor knows the mandate. It is unique for the creditor.' }),
    creditor_id: Type.String({ description: 'The SEPA creditor identifier of the client who collects.' }),
    scheme: Scheme,
    sequence_type: Sequence,
    debtor_name: Type.String({ description: 'The name of the debtor.' }),
    debtor_iban: Type.String({ description: 'The IBAN of the account that is debited.' }),
    signed_on: described(CalendarDate, 'The day on which the debtor signed it.'),
    state: State,
    last_used_on: Nullable({ ...CalendarDate, description: 'The latest settlement date of a collection that used it.' }),
    expires_on: { ...CalendarDate, description: 'The last day on which it can be used. Each use extends it.' },
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  "A debtor's signed consent to direct debits.",
)
export type Mandate = Static<typeof Mandate>

export const NewMandate = Body('NewMandate', {
  account_id: { ...Id, description: 'The account that receives the money.' },
  reference: Formed(
    "^(?!/)(?!.*//)[A-Za-z0-9+?/:().,' -]{1,35}(?<![/ ])$",
    'must have 1 to 35 characters of the SEPA character set, without a slash at the beginning or the end, without two in a row, and without a space at the end',
    { description: 'The reference by which the debtor knows the mandate. It is unique for the creditor.' },
  ),
  creditor_id: Type.String({
    minLength: 1,
    maxLength: 35,
    description: 'The SEPA creditor identifier of the client who collects, in upper or lower case.',
  }),
  scheme: Scheme,
  sequence_type: Sequence,
  debtor_name: described(Name, 'The name of the debtor, at most 140 characters.'),
  debtor_iban: Type.String({
    minLength: 1,
    maxLength: 34,
    description: 'The IBAN of the account that is debited, in a SEPA country, without spaces.',
  }),
  signed_on: { ...CalendarDate, description: 'The day on which the debtor signed it.' },
  last_used_on: OptionalField({ ...CalendarDate, description: 'For a mandate that was used at another bank: the day of its last use.' }),
})
export type NewMandate = Static<typeof NewMandate>

export const MandateList = Query({
  ...Paging,
  account_id: Type.Optional(described(Id, 'Returns only mandates for this account.')),
  state: Type.Optional(described(State, 'Returns only mandates in this state.')),
})
export type MandateList = Static<typeof MandateList>
