// The health of an instance, for the people of the bank.
import { type Gap, OperatorHealth } from './health.schemas.ts'
import { getOperatorHealth } from './health.ts'
import { readsAtBank } from './http/access.ts'
import type { App } from './http/http.ts'
import type { Metrics } from './metrics.ts'

export async function healthRoutes(app: App, { metrics, findGaps }: { metrics: Metrics; findGaps: () => Promise<Gap[]> }): Promise<void> {
  app.get(
    '/operator/health',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'getOperatorHealth',
        tags: ['Overview (bank)'],
        summary: 'Get the health of the service',
        description:
          'Requests and their latency, connections, deliveries, jobs and the request log, from the metrics of all instances on the answering ' +
          'machine; and what a bank outside the sandbox still lacks. For a monitoring system, `GET /metrics` has all metrics.',
        response: { 200: OperatorHealth },
      },
    },
    async () => getOperatorHealth(metrics, await findGaps()),
  )
}
