// The routes of the demo bank, and the receiver of its webhooks.

import { createHash } from 'node:crypto'
import { adminAtBank, anybody, readsAtBank, sandboxOnly } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/http.ts'
import { DemoRunShown, NewDemoRun } from './sandbox.demo.schemas.ts'
import type { Demo } from './sandbox.demo.ts'

const tags = ['Sandbox (bank)']

export async function demoRoutes(app: App, { demo }: { demo: Demo }): Promise<void> {
  // Before requests are no longer taken: the demo bank is made of requests.
  app.addHook('preClose', () => demo.stop())

  app.post(
    '/sandbox/demo',
    {
      config: {
        access: adminAtBank(sandboxOnly('It fills an empty service with invented data.')),
        audit: 'always',
        refusals: ['service_not_empty', 'demo_running', 'demo_not_possible'],
        createsNothing: 'There is one demo bank: a repeated start returns the run that is there.',
        example: { body: { seed: 7 } },
      },
      schema: {
        operationId: 'startDemo',
        tags,
        summary: 'Fill an empty service with the demo bank',
        description:
          'Three ventures, 40 clients, 60 accounts in four currencies, 2,000 transfers over 90 days, cases to decide, 300 card payments, and more, all of it ' +
          'invented, and the same for the same seed. It takes about a minute and goes on after the response; `GET /sandbox/demo` shows how far it is. ' +
          'Time passes meanwhile: the test clock moves about 90 days forwards, and what was ordered first is then that long ago. A request while it is ' +
          'under way returns the run that is there.',
        body: NewDemoRun,
        response: { 202: DemoRunShown },
      },
    },
    async (request, reply) => reply.code(202).send(await demo.start(app, request.body.seed, request.companions)),
  )

  app.get(
    '/sandbox/demo',
    {
      config: { access: readsAtBank, refusals: ['demo_not_started'] },
      schema: {
        operationId: 'getDemo',
        tags,
        summary: 'See how far the demo bank is',
        description: 'There is one demo bank at most, whichever instance fills the service.',
        response: { 200: DemoRunShown },
      },
    },
    async () => demo.get(),
  )
}

/** One in so many deliveries fails. */
const failing = 20

/** The systems of the demo bank's ventures: they take webhooks, keep nothing, and fail now and then, so that there are retries to look at. */
export async function demoReceiverRoutes(app: App): Promise<void> {
  const options = {
    config: { access: anybody, rawBody: true, createsNothing: 'It stands in for a partner, which knows no such header.' },
    schema: { hide: true },
  } as const
  app.post('/sandbox/receiver', options, async ({ headers }, reply) => {
    // Another attempt has another time, so nothing fails for ever.
    const attempt = `${headers['webhook-id']} ${headers['webhook-timestamp']}`
    const number = createHash('sha256').update(attempt).digest().readUInt32BE()
    return reply.code(number % failing === 0 ? 503 : 204).send()
  })
}
