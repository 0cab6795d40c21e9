// The schemas of recalls.
import { type Static, Type } from 'typebox'
import { type ReasonCode, reasonCodes, servesFor } from '../../iso20022/iso20022.ts'
import {
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  described,
  Formed,
  Id,
  Nullable,
  OptionalField,
  Resource,
  UpdatedAt,
} from '../../platform/http/schemas.ts'

const codes = Object.keys(reasonCodes) as ReasonCode[]
const wordsOf = (list: readonly ReasonCode[]): string => list.map((code) => `${code}: ${reasonCodes[code].words}`).join(' ')

/** The reasons for recalling a payment, and for refusing a recall. */
export const recallReasons = codes.filter((code) => servesFor(code, 'recall'))
export const refusalReasons = codes.filter((code) => servesFor(code, 'refuse'))

export const recallStates = ['REQUESTED', 'ACCEPTED', 'REFUSED'] as const
export const recallDirections = ['IN', 'OUT'] as const

export const Recall = Resource('Recall', {
  id: described(Id, 'The id of the recall. The service assigns it.'),
  transfer_id: { ...Id, description: 'The payment to be returned.' },
  direction: Choice(recallDirections, { description: 'OUT: the bank asks for the payment. IN: another bank asks for it.' }),
  case_reference: Type.String({ description: 'The id of the request in its message.' }),
  reason: Type.String({ description: 'The code of the reason.' }),
  state: Choice(recallStates, { description: "The other bank's answer. The money itself comes back as a return." }),
  answer_reason: Nullable(Type.String({ description: 'Why the payment is not given back.' })),
  due_on: Nullable(described(CalendarDate, 'By when the other bank should answer; null if there is no such day.')),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type Recall = Static<typeof Recall>

export const RecallRequest = Body('RecallRequest', {
  reason: Choice(recallReasons, { description: wordsOf(recallReasons) }),
  information: OptionalField(
    Formed("^[A-Za-z0-9/\\-?:().,'+ ]{1,105}$", 'must have 1 to 105 letters, digits, spaces and / - ? : ( ) . , + and apostrophes', {
      description: 'For the other bank, in the characters of the scheme.',
    }),
  ),
})
export type RecallRequest = Static<typeof RecallRequest>

/** The details of a decision to refuse a recall. */
export const RecallRefusal = Body('RecallRefusal', { reason: Choice(refusalReasons, { description: wordsOf(refusalReasons) }) })
export type RecallRefusal = Static<typeof RecallRefusal>
