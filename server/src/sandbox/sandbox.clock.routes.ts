// The routes of the test clock, with which tests need not wait for due dates, expiries, cycles and retries.
import { type Static, Type } from 'typebox'
import { aheadBy_s, now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { adminAtBank, readsAtBank, sandboxOnly } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { Body, Resource, Timestamp } from '../platform/http/schemas.ts'
import { advanceClock, mostAhead_s } from '../platform/test-clock.ts'

const tags = ['Sandbox (bank)']

const TestClock = Resource('TestClock', {
  now: { ...Timestamp, description: 'The time of the service.' },
  ahead_s: Type.Integer({ description: 'How many seconds it is ahead of the real time.' }),
})

const Advance = Body('ClockAdvance', {
  advance: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    minimum: 1,
    maximum: mostAhead_s,
    maxLength: 50,
    description:
      'By how much: a number of seconds, or an ISO 8601 duration such as `P1DT12H`. Months and years are calendar months and years.',
  }),
})

const clock = (): Static<typeof TestClock> => ({ now: now().toISOString(), ahead_s: aheadBy_s() })

export async function testClockRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/sandbox/clock',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'getTestClock',
        tags,
        summary: 'Get the time of the service',
        description: 'In the sandbox, the time can be moved forwards, so it may differ from the real time.',
        response: { 200: TestClock },
      },
    },
    async () => clock(),
  )

  app.post(
    '/sandbox/clock',
    {
      config: {
        access: adminAtBank(sandboxOnly('Outside the sandbox, time is real.')),
        audit: 'always',
        refusals: [],
        createsNothing: 'If the response is lost, read the clock before moving it again.',
        example: { body: { advance: 'PT1H' } },
        trial: { body: { advance: 1 } },
      },
      schema: {
        operationId: 'advanceTestClock',
        tags,
        summary: 'Move the time of the service forwards',
        description:
          'Everything that depends on the time follows: due dates, expiries (of keys and links too), cycles and retries, and timestamps of new ' +
          'rows. The clock never moves back, and at most ten years ahead of the real time. Other instances follow within about a second. Sessions ' +
          'last as long as before, and webhook signatures carry the real time, because receivers compare it with their own clocks.',
        body: Advance,
        response: { 200: TestClock },
      },
    },
    async ({ body: { advance }, companions }) => {
      await advanceClock(database, advance, companions)
      return clock()
    },
  )
}
