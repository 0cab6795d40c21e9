// The schemas of the search.
import { type Static, Type } from 'typebox'
import { foundKinds } from '../platform/found.ts'
import { Choice, described, Formed, Id, Nullable, Query, Resource } from '../platform/http/schemas.ts'

const Sought = Formed('\\S', 'must not be blank', { minLength: 1, maxLength: 255, nfc: true })

export const FindQuery = Query({
  text: described(
    Sought,
    'What was pasted or typed: an id, the reference of a transfer, mandate or order, the id that a bank gave to a payment, an email, an ' +
      'IBAN, or the beginning of a name.',
  ),
})

export const FoundResource = Resource('Found', {
  kind: Choice(foundKinds, { description: 'What was found.' }),
  id: described(Id, 'Its id.'),
  title: Type.String({ description: 'Its name for people: a name or a reference.' }),
  subtitle: Nullable(Type.String({ description: 'What distinguishes it from others, such as its status or its IBAN, or null.' })),
})
export type FoundResource = Static<typeof FoundResource>

export const FoundAnywhere = Resource('FoundAnywhere', {
  kind: Choice([...foundKinds, 'venture'], { description: 'What was found.' }),
  id: described(Id, 'Its id.'),
  venture_id: described(Id, 'Its venture.'),
  title: Type.String({
    description: 'Its name for people: a name or a reference. For a client the id, because names are shown only with an audit entry.',
  }),
})
export type FoundAnywhere = Static<typeof FoundAnywhere>
