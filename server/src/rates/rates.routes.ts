import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, readsAtBank, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { NewRate, Rate } from './rates.schemas.ts'
import { listRates, proposeRate } from './rates.ts'

const tags = ['Rates (bank)']

export async function rateRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  app.get(
    '/operator/rates',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listRates',
        tags,
        summary: 'List current and future exchange rates',
        description: "The bank's exchange rates, which apply to orders of MANAGED ventures.",
        response: { 200: Type.Array(Rate) },
      },
    },
    async () => listRates(approvals.database),
  )

  app.put(
    '/operator/rates',
    {
      config: {
        access: adminAtBank(together('It decides what an exchange costs.')),
        audit: 'always',
        refusals: [...fourEyes],
        example: { body: { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' } },
      },
      schema: {
        operationId: 'setRate',
        tags,
        summary: 'Set an exchange rate',
        description:
          'For one pair of currencies in one direction; the inverse is never derived. If several rates of a pair are valid at the same time, the ' +
          'one that was set last applies. Without `valid_from` the rate is valid at once. With four-eyes approval, setting a rate needs a second ' +
          'person: the response is then an approval, with status 202.',
        body: NewRate,
        response: { 200: Rate, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await proposeRate(approvals, request.body, request)),
  )
}
