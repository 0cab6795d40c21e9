// The schemas of what people add to cases: cases opened by hand, notes, files, links.
import { type Static, Type } from 'typebox'
import { Body, Choice, CreatedAt, described, Formed, GivenTime, Id, Nullable, OptionalField, Resource } from '../platform/http/schemas.ts'

/** A text that a person writes about a case. */
export const LongText = Formed('\\S', 'must not be blank', { minLength: 1, maxLength: 2_000, nfc: true })

const ByPerson = Nullable(Type.String({ format: 'uuid', description: 'The person who added it; null if it was the admin key.' }))
const Sha256 = Type.String({ description: 'The SHA-256 of the content in hexadecimal. The audit log has it too.' })

const aboutKinds = ['transfer', 'client', 'account', 'nothing'] as const

export const NewCaseByHand = Body('NewCaseByHand', {
  venture_id: OptionalField(described(Id, 'The venture concerned; null for a case of the bank, which is about `nothing`.')),
  about: Choice(aboutKinds, { description: 'What the case is about.' }),
  resource_id: OptionalField(described(Id, 'The id of the transfer, client or account; null if the case is about `nothing`.')),
  reason: described(LongText, 'Why the case is opened.'),
  severity: Type.Optional(Choice(['NORMAL', 'URGENT'], { description: 'URGENT if something should be stopped; NORMAL by default.' })),
  due_at: OptionalField(described(GivenTime, 'When it should be decided; in three days by default.')),
})
export type NewCaseByHand = Static<typeof NewCaseByHand>

export const NewCaseNote = Body('NewCaseNote', { text: described(LongText, 'The note. It can be neither changed nor deleted.') })

export const CaseNote = Resource(
  'CaseNote',
  {
    id: described(Id, 'The id of the note. The service assigns it.'),
    text: Type.String({ description: 'The note.' }),
    sha256: Sha256,
    created_by: ByPerson,
    created_at: CreatedAt,
  },
  'A note about a case.',
)
export type CaseNote = Static<typeof CaseNote>

export const CaseFile = Resource(
  'CaseFile',
  {
    id: described(Id, 'The id of the file. The service assigns it.'),
    question_id: Nullable(described(Id, 'The question that a venture answered with the file; null if a person of the bank added it.')),
    name: Type.String({ description: 'The name of the file.' }),
    type: Type.String({ description: 'The media type of the file.' }),
    size: Type.Integer({ description: 'The size of the file in bytes.' }),
    sha256: Sha256,
    created_by: Nullable(
      Type.String({ format: 'uuid', description: 'The person of the bank who added it; null if it was the admin key or a venture.' }),
    ),
    created_at: CreatedAt,
  },
  'A file of a case.',
)
export type CaseFile = Static<typeof CaseFile>

export const NewCaseLink = Body('NewCaseLink', { other_case_id: described(Id, 'The case to link with this one.') })
export type NewCaseLink = Static<typeof NewCaseLink>

export const CaseLink = Resource(
  'CaseLink',
  {
    id: described(Id, 'The id of the other case.'),
    kind: Type.String({ description: 'What the other case is about.' }),
    state: Type.String({ description: 'The state of the other case.' }),
    created_by: ByPerson,
    created_at: CreatedAt,
  },
  'A link between two cases, as seen from one of them.',
)
export type CaseLink = Static<typeof CaseLink>
