// The schemas of the demo bank.
import { type Static, Type } from 'typebox'
import { Body, Choice, Nullable, Resource } from '../../platform/http/schemas.ts'

export const NewDemoRun = Body('NewDemoRun', {
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Determines the names, the amounts and the events. The same seed gives the same bank. Default: 1.',
    }),
  ),
})

export const DemoRunShown = Resource(
  'DemoRun',
  {
    seed: Type.Integer({ description: 'The seed of the bank. The same seed gives the same bank.' }),
    status: Choice(['RUNNING', 'DONE', 'FAILED'], { description: 'Whether the bank is being filled, is full, or could not be finished.' }),
    done: Type.Integer({ description: 'How much of the work, out of `total`, is done.' }),
    total: Type.Integer({ description: 'The amount of work, in requests, days and other steps. 0 until it is known.' }),
    step: Type.String({ description: 'The current step in words, such as `Day 12 of 90`.' }),
    digest: Nullable(
      Type.String({
        description:
          'SHA-256 over everything that people see, with dates as days since the start, in hexadecimal digits; null until the bank is ' +
          'full. Ids and keys are left out, so two banks of one seed have the same digest.',
      }),
    ),
    detail: Nullable(Type.String({ description: 'Why the bank could not be finished, in a sentence; null unless `status` is FAILED.' })),
  },
  'The filling of an empty sandbox with the demo bank.',
)
export type DemoRunShown = Static<typeof DemoRunShown>
