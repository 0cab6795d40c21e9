import type { Database } from '../platform/database/database.ts'
import { readsOfVenture } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { Statistics, StatisticsQuery } from './desk.statistics.schemas.ts'
import { getStatistics } from './desk.statistics.ts'

export async function statisticsRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/statistics',
    {
      config: { access: { ...readsOfVenture, scopes: ['read'] }, refusals: [] },
      schema: {
        operationId: 'getStatistics',
        tags: ['Overview'],
        summary: 'Get the figures of the venture',
        description:
          'Balances by currency, transfers by status, the daily amounts of completed transfers, and what is waiting for a person. The figures are meant ' +
          'for a dashboard: they cover at most the newest 10,000 accounts and the newest 10,000 transfers, and the response says if there are more.',
        querystring: StatisticsQuery,
        response: { 200: Statistics },
      },
    },
    async ({ venture, query: { days = 30 } }) => getStatistics(database, venture.id, days),
  )
}
