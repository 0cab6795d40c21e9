// The HTTP routes of nostros.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, getApproval, isApproval } from '../audit/audit.ts'
import { adminAtBank, alone, changesAtBank, readsAtBank, together } from '../platform/http/access.ts'
import { exampleRails } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import {
  EndedDay,
  EndOfDayOrder,
  NewNostro,
  Nostro,
  NostroEntry,
  NostroEntryList,
  NostroList,
  NostroStatement,
  NostroStatementList,
  OfDay,
  Reconciliation,
} from './reconciliation.schemas.ts'
import { findNostro } from './reconciliation.sql.ts'
import { endOfDay, getNostro, getReconciliation, listEntries, listNostros, listStatements, proposeNostro } from './reconciliation.ts'

const tags = ['Nostros (bank)']

export async function reconciliationRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  const { database } = approvals
  const params = PathId('nostro_id')

  app.post(
    '/operator/nostros',
    {
      config: {
        access: adminAtBank(together('Payments settle through it.')),
        audit: 'always',
        refusals: ['nostro_exists', ...fourEyes],
        creates: {
          answer: async (_request: never, id: string) =>
            (await findNostro(database, id)) === undefined ? getApproval(approvals, id) : getNostro(database, id),
          location: ({ id }: { id: string }) => `/api/v1/operator/nostros/${id}`,
          waits: isApproval,
        },
        another: { name: 'Another name' },
        example: {
          body: {
            name: 'Settlement in rand',
            account: 'ZA1000123',
            bic: 'SBZAZAJJ',
            currency: 'ZAR',
            rails: [exampleRails.abroad],
            prefunding: '250000.00',
          },
        },
        trial: { fresh: 'nostro' },
      },
      schema: {
        operationId: 'createNostro',
        tags,
        summary: "Add an account of the bank's own at a settlement bank",
        description:
          'Each rail settles a currency on one nostro. The opening balance of the first statement must equal `prefunding`. A nostro never ' +
          'changes. With four-eyes approval, it needs a second person: the response is then an approval, with status 202.',
        body: NewNostro,
        response: { 201: Nostro, 202: Approval },
      },
    },
    async ({ body, actor, companions }) => proposeNostro(approvals, body, { actor, companions }),
  )

  app.get(
    '/operator/nostros',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listNostros',
        tags,
        summary: 'List the nostros, newest first',
        description: "The bank's accounts at settlement banks, with their last known balances.",
        querystring: NostroList,
        response: { 200: Type.Array(Nostro) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listNostros(database, request.query)),
  )

  app.get(
    '/operator/nostros/:nostro_id',
    {
      config: { access: readsAtBank, refusals: ['nostro_not_found'] },
      schema: {
        operationId: 'getNostro',
        tags,
        summary: 'Get a nostro',
        description: 'The nostro with its last known balance and its open breaks.',
        params,
        response: { 200: Nostro },
      },
    },
    async (request) => getNostro(database, request.params.nostro_id),
  )

  app.get(
    '/operator/nostros/:nostro_id/statements',
    {
      config: { access: readsAtBank, refusals: ['nostro_not_found'] },
      schema: {
        operationId: 'listNostroStatements',
        tags,
        summary: 'List the applied statements of a nostro, newest first',
        description: 'The statements (camt.053) that were complete and followed on from the previous one.',
        params,
        querystring: NostroStatementList,
        response: { 200: Type.Array(NostroStatement) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listStatements(database, request.params.nostro_id, request.query)),
  )

  app.get(
    '/operator/nostros/:nostro_id/entries',
    {
      config: { access: readsAtBank, refusals: ['nostro_not_found'] },
      schema: {
        operationId: 'listNostroEntries',
        tags,
        summary: 'List the entries of a nostro, newest first',
        description: 'A batch entry appears once for each payment, if the settlement bank lists them.',
        params,
        querystring: NostroEntryList,
        response: { 200: Type.Array(NostroEntry) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listEntries(database, request.params.nostro_id, request.query)),
  )

  app.get(
    '/operator/nostros/:nostro_id/reconciliation',
    {
      config: { access: readsAtBank, refusals: ['nostro_not_found', 'nostro_statement_not_found'] },
      schema: {
        operationId: 'getReconciliation',
        tags,
        summary: 'Compare a statement of a nostro with the books',
        description: 'closing = prefunding - settlement - in_transit + breaks, with the books as they are now.',
        params,
        querystring: OfDay,
        response: { 200: Reconciliation },
      },
    },
    async (request) => getReconciliation(database, request.params.nostro_id, request.query.date),
  )

  app.post(
    '/operator/end-of-day',
    {
      config: {
        access: changesAtBank(alone('It compares books and statements without booking anything.')),
        audit: 'always',
        refusals: [],
        createsNothing: 'A day that has ended stays ended.',
        example: { body: { date: '2026-11-13' } },
      },
      schema: {
        operationId: 'endOfDay',
        tags,
        summary: 'End a day and look for payments missing on the statements',
        description:
          'Every booked payment that was due to settle by this day and is on no statement becomes a break. The service does the same ' +
          'automatically before it applies the next statement, and when the day is over.',
        body: EndOfDayOrder,
        response: { 200: Type.Array(EndedDay) },
      },
    },
    async (request) => endOfDay(database, request.body.date, request.companions),
  )
}
