// The schemas of the demo bank.
import { type Static, Type } from 'typebox'
import { Body, Choice, Nullable, Resource } from '../../platform/http/schemas.ts'

export const NewDemoRun = Body('NewDemoRun', {
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Chooses the names, the amounts and what happens when. The same seed gives the same bank. The default is 1.',
    }),
  ),
})

export const DemoRunShown = Resource(
  'DemoRun',
  {
    seed: Type.Integer({ description: 'From what the bank is made. The same seed gives the same bank.' }),
    status: Choice(['RUNNING', 'DONE', 'FAILED'], { description: 'Whether the bank is being filled, is full, or could not be finished.' }),
    done: Type.Integer({ description: 'How much of the work is done, out of `total`.' }),
    total: Type.Integer({ description: 'How much work there is: requests, days and whatever else takes time. 0 until that is known.' }),
    step: Type.String({ description: 'What is being done, in words for a person, such as `Day 12 of 90`.' }),
    digest: Nullable(
      Type.String({
        description:
          'SHA-256 over all that people see, with days since the start in place of dates, in hexadecimal digits; null until the bank is full. Ids and keys ' +
          'are not in it, so two banks of one seed have the same digest.',
      }),
    ),
    detail: Nullable(Type.String({ description: 'Why the bank could not be finished, in a sentence; null unless `status` is FAILED.' })),
  },
  'The filling of an empty sandbox with the demo bank.',
)
export type DemoRunShown = Static<typeof DemoRunShown>
