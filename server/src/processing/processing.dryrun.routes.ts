import { alone, changes } from '../platform/http/access.ts'
import { exampleOrder, orderTrials } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { TransferOrder } from '../transfers/life/transfers.schemas.ts'
import { DryRun } from './processing.dryrun.schemas.ts'
import { type DryRuns, dryRun } from './processing.dryrun.ts'

type Options = { dryRuns: DryRuns }

export async function dryRunRoutes(app: App, { dryRuns }: Options): Promise<void> {
  app.post(
    '/transfers/dry-run',
    {
      config: {
        access: changes('transfers', alone('It changes nothing.')),
        audit: 'never',
        refusals: ['account_not_found'],
        createsNothing: 'It stores nothing.',
        example: { body: { ...exampleOrder, unique_reference: 'INVOICE-2026-1002' } },
        trial: [
          { ...orderTrials.pays, answers: { accepted: true } },
          { ...orderTrials.collects, answers: { accepted: true } },
        ],
      },
      schema: {
        operationId: 'dryRunTransfer',
        tags: ['Transfers'],
        summary: 'Simulate an order',
        description:
          'Takes the body of a create and returns what would happen now, without storing anything: the derived transfer with its rate, fee and ' +
          'settlement date, how far it would get, what would stop it, and the remaining limits and funds. The status is 200 even if the order ' +
          'would be refused; `refusal` then gives the reason.',
        body: TransferOrder,
        response: { 200: DryRun },
      },
    },
    async ({ venture, body: order, actor }) => dryRun(dryRuns, { venture_id: venture.id, order }, actor),
  )
}
