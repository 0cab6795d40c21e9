// The routes of the demo bank, and the receiver of its webhooks.

import { createHash } from 'node:crypto'
import { adminAtBank, anybody, readsAtBank, sandboxOnly } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/http.ts'
import { DemoRunShown, NewDemoRun } from './sandbox.demo.schemas.ts'
import type { Demo } from './sandbox.demo.ts'

const tags = ['Sandbox (bank)']

export async function demoRoutes(app: App, { demo }: { demo: Demo }): Promise<void> {
  // Before the service stops accepting requests: the demo bank is filled by requests.
  app.addHook('preClose', () => demo.stop())

  app.post(
    '/sandbox/demo',
    {
      config: {
        access: adminAtBank(sandboxOnly('It fills an empty service with invented data.')),
        audit: 'always',
        refusals: ['service_not_empty', 'demo_running', 'demo_not_possible'],
        createsNothing: 'There is only one demo bank: a repeated start returns the existing run.',
        example: { body: { seed: 7 } },
      },
      schema: {
        operationId: 'startDemo',
        tags,
        summary: 'Fill an empty service with the demo bank',
        description:
          'Three ventures, 40 clients, 60 accounts in four currencies, 2,000 transfers over 90 days, cases to decide, 300 card payments, and ' +
          'more. All of it is invented, and the same seed gives the same data. It takes about a minute and continues after the response; `GET ' +
          '/sandbox/demo` shows the progress. The test clock moves about 90 days forwards in the meantime, so that the first orders are that old. ' +
          'A request during the run returns the existing run.',
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
        summary: 'Get the progress of the demo bank',
        description: 'There is at most one demo bank, and any instance may be filling it.',
        response: { 200: DemoRunShown },
      },
    },
    async () => demo.get(),
  )
}

/** One in this many deliveries fails. */
const failing = 20

/** The systems of the demo bank's ventures: they accept webhooks, store nothing, and sometimes fail, so that there are retries to see. */
export async function demoReceiverRoutes(app: App): Promise<void> {
  const options = {
    config: { access: anybody, rawBody: true, createsNothing: 'It stands in for a partner, which does not support the header.' },
    schema: { hide: true },
  } as const
  app.post('/sandbox/receiver', options, async ({ headers }, reply) => {
    // Another attempt has another timestamp, so no delivery fails forever.
    const attempt = `${headers['webhook-id']} ${headers['webhook-timestamp']}`
    const number = createHash('sha256').update(attempt).digest().readUInt32BE()
    return reply.code(number % failing === 0 ? 503 : 204).send()
  })
}
