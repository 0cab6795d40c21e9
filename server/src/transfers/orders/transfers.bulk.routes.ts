// The HTTP route for many orders in one request.
import type { FastifyRequest } from 'fastify'
import type { Approvals } from '../../audit/audit.ts'
import { changes, empowering, never } from '../../platform/http/access.ts'
import { exampleOrder } from '../../platform/http/examples.ts'
import type { App } from '../../platform/http/http.ts'
import { problemOf } from '../../platform/http/problems.ts'
import { requireUnreserved } from '../../ventures/ventures.ts'
import { bulkLimit_bytes, createTransfers, type ShownProblem } from './transfers.bulk.ts'
import { BulkResult, TransferBulk } from './transfers.orders.schemas.ts'
import type { Transfers } from './transfers.orders.ts'

type Options = {
  transfers: Transfers
  approvals: Approvals
  /** Counts the request as several, if requests are rate-limited. */
  countMore(request: FastifyRequest, more: number): void
}

export async function bulkRoutes(app: App, { transfers, approvals, countMore }: Options): Promise<void> {
  app.post(
    '/transfers/bulk',
    {
      bodyLimit: bulkLimit_bytes,
      // The body is parsed in pieces, so that it does not delay other requests.
      config: {
        access: empowering(
          changes('transfers', never('The bank orders one payment at a time, so that a second person sees each of them.')),
        ),
        audit: 'people',
        refusals: ['bulk_refused', 'approval_required'],
        creates: { answer: 'kept' },
        another: { atomic: false },
        rawBody: true,
        envelope: TransferBulk,
        example: {
          body: {
            atomic: true,
            transfers: [
              { ...exampleOrder, unique_reference: 'PAYROLL-2026-11-0001' },
              { ...exampleOrder, unique_reference: 'PAYROLL-2026-11-0002', debit_amount: '45.00' },
            ],
          },
        },
        trial: { body: { transfers: [{ ...exampleOrder, debit_amount: '1.00' }] } },
      },
      schema: {
        operationId: 'createTransfers',
        tags: ['Transfers'],
        summary: 'Create many transfers',
        description:
          'Takes up to 1,000 orders in a body of up to 2 MiB. Each is checked like a single create, one after the other: an order counts towards ' +
          'the limits for the next one, and the second of two orders with the same `unique_reference` is refused. Unless `atomic` is false, one ' +
          'refused order means that all are refused, with `bulk_refused`, which lists each refused order with its `index` and its `problem`. With ' +
          '`atomic` false, the status is 200 even if orders were refused; their results say why. With four-eyes approval, people of the bank ' +
          'order payments of a MANAGED venture one at a time, with single creates. An `Idempotency-Key` covers the whole request; a repetition ' +
          'must have the same body, byte for byte.',
        response: { 200: BulkResult },
      },
    },
    async (request) => {
      const { venture, actor, companions } = request
      const approved = actor.kind === 'operator' && !approvals.fourEyes
      if (venture.control === 'MANAGED') requireUnreserved('createTransfers', {}, { actor, approved })
      return createTransfers(transfers, {
        venture_id: venture.id,
        bytes: request.body as Buffer,
        actor,
        approved,
        companions,
        onRead: (orders) => countMore(request, orders - 1),
        problemOf: (refusal) => problemOf(refusal, request) as ShownProblem,
      })
    },
  )
}
