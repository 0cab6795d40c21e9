// The HTTP routes of the bank's side: reports of what the scheme has done, and decisions about money that no account can take.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { By } from '../../platform/actor.ts'
import type { App } from '../../platform/http/http.ts'
import { sendPage } from '../../platform/http/lists.ts'
import { PathId } from '../../platform/http/schemas.ts'
import { refuse } from '../../values/refusals.ts'
import { Transfer } from '../transfers.schemas.ts'
import { getTransfer, type Transfers } from '../transfers.ts'
import {
  Application,
  BookedFact,
  BookedFactList,
  Break,
  BreakList,
  Collection,
  ForcedDebitReport,
  InboundReport,
  PayoutOrder,
  ReturnReport,
  UnappliedList,
  UnappliedPayment,
  UnappliedPayout,
} from './transfers.facts.schemas.ts'
import { selectBreaks, selectFacts, selectUnapplied } from './transfers.facts.sql.ts'
import {
  applyUnapplied,
  collectBreak,
  decideInbound,
  forceDebit,
  getBreak,
  getFact,
  getUnapplied,
  payOutBlocked,
  payOutUnapplied,
  reportInboundPayment,
  reportReturnedPayment,
  returnUnapplied,
  writeOffBreak,
} from './transfers.facts.ts'

const tags = ['Money from outside (bank)']
const operator = { key: 'operator' } as const

type Options = { transfers: Transfers; fourEyes: boolean }

export async function factRoutes(app: App, { transfers, fourEyes }: Options): Promise<void> {
  const { database } = transfers

  /** The bank's people state facts of the scheme and decide on them together: with four eyes, nobody does so alone. */
  function byBank({ actor, companions }: Pick<FastifyRequest, 'actor' | 'companions'>): By {
    if (fourEyes) refuse('approval_required', { detail: 'With four eyes, nobody books or decides facts of the scheme alone.' })
    return { actor, companions, approved: true }
  }

  const inbound = PathId('inbound_payment_id')
  const unapplied = PathId('unapplied_payment_id')
  const broken = PathId('break_id')
  // The effect is one transaction, and what it made is found by its id.
  const creates = {
    answer: (_request: never, id: string) => getFact(transfers, id),
    location: ({ id }: { id: string }) => `/api/v1/operator/inbound-payments/${id}`,
  }

  app.post(
    '/operator/inbound-payments',
    {
      config: { ...operator, creates },
      schema: {
        operationId: 'reportInboundPayment',
        tags,
        summary: 'Report a payment that another bank has sent',
        description:
          'Finds the account of a managed venture by its IBAN. An active account receives the payment; for one that is not active the money waits ' +
          'in CREDIT_TECH_BALANCE for a decision; if there is no such account, if it is closed or in another currency, the bank keeps the money as an ' +
          'unapplied payment. The same message is booked once: a repetition is a 409 that names what was booked.',
        body: InboundReport,
        response: { 201: BookedFact },
      },
    },
    async (request) => reportInboundPayment(transfers, request.body, byBank(request)),
  )

  app.get(
    '/operator/inbound-payments',
    {
      config: operator,
      schema: {
        operationId: 'listInboundPayments',
        tags,
        summary: 'List the messages that were booked, newest first',
        querystring: BookedFactList,
        response: { 200: Type.Array(BookedFact) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectFacts(database, request.query)),
  )

  app.get(
    '/operator/inbound-payments/:inbound_payment_id',
    {
      config: operator,
      schema: {
        operationId: 'getInboundPayment',
        tags,
        summary: 'Get what was booked for a message',
        params: inbound,
        response: { 200: BookedFact },
      },
    },
    async ({ params }) => getFact(transfers, params.inbound_payment_id),
  )

  for (const [decision, summary] of [
    ['apply', 'Credit a payment that waits because its account is not active'],
    ['return', 'Return a payment that waits because its account is not active'],
  ] as const) {
    app.post(
      `/operator/inbound-payments/:inbound_payment_id/${decision}`,
      {
        config: operator,
        schema: { operationId: `${decision}InboundPayment`, tags, summary, params: inbound, response: { 200: Transfer } },
      },
      async (request) => decideInbound(transfers, request.params.inbound_payment_id, decision, byBank(request)),
    )
  }

  app.post(
    '/operator/returned-payments',
    {
      config: { ...operator, creates },
      schema: {
        operationId: 'reportReturnedPayment',
        tags,
        summary: 'Report that a payment has come back',
        description:
          'Credits the account that paid, even if it is suspended or its client is blocked. If the account is closed, the bank keeps the money as an ' +
          'unapplied payment of the client.',
        body: ReturnReport,
        response: { 201: BookedFact },
      },
    },
    async (request) => reportReturnedPayment(transfers, request.body, byBank(request)),
  )

  app.post(
    '/operator/forced-debits',
    {
      config: { ...operator, creates },
      schema: {
        operationId: 'forceDebit',
        tags,
        summary: 'Book a debit that the scheme has already carried out',
        description:
          'A returned direct debit, a card clearing above its hold, a chargeback. It needs no funds: the account may fall into debt, which credits ' +
          'reduce. If the account is closed, the bank books a receivable and opens a break.',
        body: ForcedDebitReport,
        response: { 201: BookedFact },
      },
    },
    async (request) => forceDebit(transfers, request.body, byBank(request)),
  )

  app.post(
    '/operator/pay-outs',
    {
      config: {
        ...operator,
        creates: {
          answer: (request: { body: PayoutOrder }, id: string) => getTransfer(transfers, request.body.venture_id, id),
          location: ({ id }: { id: string }) => `/api/v1/transfers/${id}`,
        },
      },
      schema: {
        operationId: 'payOutBlockedClient',
        tags,
        summary: "Pay the balance of a suspended account out to the client's own account elsewhere",
        description: 'Neither a block of the client nor limits stop it. What was frozen for sanctions is never paid out.',
        body: PayoutOrder,
        response: { 201: Transfer },
      },
    },
    async (request) => payOutBlocked(transfers, request.body, byBank(request)),
  )

  app.get(
    '/operator/unapplied-payments',
    {
      config: operator,
      schema: {
        operationId: 'listUnappliedPayments',
        tags,
        summary: 'List payments that no account could take, newest first',
        querystring: UnappliedList,
        response: { 200: Type.Array(UnappliedPayment) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectUnapplied(database, request.query)),
  )

  app.get(
    '/operator/unapplied-payments/:unapplied_payment_id',
    {
      config: operator,
      schema: {
        operationId: 'getUnappliedPayment',
        tags,
        summary: 'Get an unapplied payment',
        params: unapplied,
        response: { 200: UnappliedPayment },
      },
    },
    async ({ params }) => getUnapplied(transfers, params.unapplied_payment_id),
  )

  app.post(
    '/operator/unapplied-payments/:unapplied_payment_id/apply',
    {
      config: operator,
      schema: {
        operationId: 'applyUnappliedPayment',
        tags,
        summary: 'Apply an unapplied payment to an account',
        description:
          'The account receives the payment as if it had arrived there. Money of a known client goes to an account of that client only.',
        params: unapplied,
        body: Application,
        response: { 200: UnappliedPayment },
      },
    },
    async (request) => applyUnapplied(transfers, request.params.unapplied_payment_id, request.body, byBank(request)),
  )

  app.post(
    '/operator/unapplied-payments/:unapplied_payment_id/return',
    {
      config: operator,
      schema: {
        operationId: 'returnUnappliedPayment',
        tags,
        summary: 'Return an unapplied payment to its debtor',
        params: unapplied,
        response: { 200: UnappliedPayment },
      },
    },
    async (request) => returnUnapplied(transfers, request.params.unapplied_payment_id, byBank(request)),
  )

  app.post(
    '/operator/unapplied-payments/:unapplied_payment_id/pay-out',
    {
      config: operator,
      schema: {
        operationId: 'payOutUnappliedPayment',
        tags,
        summary: 'Pay an unapplied payment out to the client whose money it is',
        params: unapplied,
        body: UnappliedPayout,
        response: { 200: UnappliedPayment },
      },
    },
    async (request) => payOutUnapplied(transfers, request.params.unapplied_payment_id, request.body, byBank(request)),
  )

  app.get(
    '/operator/breaks',
    {
      config: operator,
      schema: {
        operationId: 'listBreaks',
        tags,
        summary: 'List breaks, newest first',
        querystring: BreakList,
        response: { 200: Type.Array(Break) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectBreaks(database, request.query)),
  )

  app.get(
    '/operator/breaks/:break_id',
    { config: operator, schema: { operationId: 'getBreak', tags, summary: 'Get a break', params: broken, response: { 200: Break } } },
    async ({ params }) => getBreak(transfers, params.break_id),
  )

  app.post(
    '/operator/breaks/:break_id/write-off',
    {
      config: operator,
      schema: { operationId: 'writeOffBreak', tags, summary: 'Write a break off', params: broken, response: { 200: Break } },
    },
    async (request) => writeOffBreak(transfers, request.params.break_id, byBank(request)),
  )

  app.post(
    '/operator/breaks/:break_id/collect',
    {
      config: operator,
      schema: {
        operationId: 'collectBreak',
        tags,
        summary: 'Collect a break',
        description: 'From another account of the client, which must have the money, or over a rail by which the client has paid.',
        params: broken,
        body: Collection,
        response: { 200: Break },
      },
    },
    async (request) => collectBreak(transfers, request.params.break_id, request.body, byBank(request)),
  )
}
