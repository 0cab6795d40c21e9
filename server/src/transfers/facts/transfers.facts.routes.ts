// The HTTP routes of the bank's side: reports of what the scheme has done, and money that no account can receive. Cases decide about such money.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, getApproval, isApproval } from '../../audit/audit.ts'
import { changesAtBank, readsAtBank, together } from '../../platform/http/access.ts'
import { exampleIban, exampleIds, exampleRails } from '../../platform/http/examples.ts'
import type { App } from '../../platform/http/http.ts'
import { sendPage } from '../../platform/http/lists.ts'
import { PathId } from '../../platform/http/schemas.ts'
import { Transfer } from '../life/transfers.schemas.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import { getBreak } from './transfers.breaks.ts'
import { getFact } from './transfers.claims.ts'
import { payOutTogether, reportTogether } from './transfers.facts.approvals.ts'
import {
  BookedFact,
  BookedFactList,
  Break,
  BreakList,
  ForcedDebitReport,
  InboundReport,
  PayoutOrder,
  ReturnReport,
  UnappliedList,
  UnappliedPayment,
} from './transfers.facts.schemas.ts'
import { findFact, selectBreaks, selectFacts, selectUnapplied } from './transfers.facts.sql.ts'
import { getUnapplied } from './transfers.unapplied.ts'

const tags = ['Money from outside (bank)']
const twoPeople = 'With four-eyes approval, it waits for a second person: the response is then an approval, with status 202.'

type Options = { transfers: Transfers; approvals: Approvals }

export async function factRoutes(app: App, bank: Options): Promise<void> {
  const { transfers, approvals } = bank
  const { database } = transfers
  const inbound = PathId('inbound_payment_id')
  const unapplied = PathId('unapplied_payment_id')
  const broken = PathId('break_id')
  // The effect is one transaction. Its id finds the result: the booking, or the pending approval.
  const creates = {
    answer: async (_request: never, id: string) => (await findFact(database, id)) ?? getApproval(approvals, id),
    location: ({ id }: { id: string }) => `/api/v1/operator/inbound-payments/${id}`,
    waits: isApproval,
  }

  app.post(
    '/operator/inbound-payments',
    {
      config: {
        access: changesAtBank(together('It credits an account.')),
        audit: 'always',
        refusals: ['inbound_payment_booked', 'transfer_method_invalid', 'balance_too_large', ...fourEyes],
        creates,
        another: { amount: '2.00' },
        example: {
          body: {
            sender: 'COBADEFFXXX',
            kind: 'pacs.008',
            tx_id: 'TX-2026-1001',
            iban: 'LT121000011101001000',
            amount: '30.00',
            currency: 'EUR',
            rail: exampleRails.payments,
            purpose: 'Invoice 1001',
            dr_name: 'Charles Babbage',
            dr_iban: exampleIban,
          },
          own: ['iban'],
        },
        trial: { fresh: ['managed', 'message'], kinds: { tx_id: 'label' } },
      },
      schema: {
        operationId: 'reportInboundPayment',
        tags,
        summary: 'Report a payment that another bank has sent',
        description:
          'Finds the account of a managed venture by its IBAN. An active account receives the payment; if the account is not active, the money ' +
          'waits in CREDIT_TECH_BALANCE for a decision; if there is no such account, or it is closed or in another currency, the bank keeps the ' +
          'money as an unapplied payment. A message is booked once: a repetition gets a 409 that names the booking. ' +
          twoPeople,
        body: InboundReport,
        response: { 201: BookedFact, 202: Approval },
      },
    },
    async ({ body, actor, companions }) => reportTogether(bank, 'report-inbound-payment', body, { actor, companions }),
  )

  app.get(
    '/operator/inbound-payments',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { fresh: 'unapplied' },
      },
      schema: {
        operationId: 'listInboundPayments',
        tags,
        summary: 'List the booked messages, newest first',
        description: 'Messages from other banks, each with its booking.',
        querystring: BookedFactList,
        response: { 200: Type.Array(BookedFact) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectFacts(database, request.query)),
  )

  app.get(
    '/operator/inbound-payments/:inbound_payment_id',
    {
      config: {
        access: readsAtBank,
        refusals: ['inbound_payment_not_found'],
        trial: { fresh: 'unapplied' },
      },
      schema: {
        operationId: 'getInboundPayment',
        tags,
        summary: 'Get the booking of a message',
        description: 'Whether the message became a transfer, an unapplied payment, a break or a collection.',
        params: inbound,
        response: { 200: BookedFact },
      },
    },
    async ({ params }) => getFact(transfers, params.inbound_payment_id),
  )

  app.post(
    '/operator/returned-payments',
    {
      config: {
        access: changesAtBank(together('It credits an account.')),
        audit: 'always',
        refusals: [
          'venture_not_found',
          'transfer_not_found',
          'inbound_payment_booked',
          'settled_on_us',
          'venture_not_managed',
          'parent_invalid',
          'balance_too_large',
          ...fourEyes,
        ],
        creates,
        another: { amount: '0.02' },
        example: {
          body: {
            sender: 'COBADEFFXXX',
            kind: 'pacs.004',
            tx_id: 'TX-2026-1002',
            venture_id: exampleIds.venture_id,
            transfer_id: exampleIds.transfer_id,
            amount: '0.01',
          },
        },
        trial: { fresh: ['managed', 'message'], kinds: { tx_id: 'label' } },
      },
      schema: {
        operationId: 'reportReturnedPayment',
        tags,
        summary: 'Report a returned payment',
        description:
          'Credits the account that paid, even if it is suspended or its client is blocked. If the account is closed, the bank keeps the money as an ' +
          'unapplied payment of the client. ' +
          twoPeople,
        body: ReturnReport,
        response: { 201: BookedFact, 202: Approval },
      },
    },
    async ({ body, actor, companions }) => reportTogether(bank, 'report-returned-payment', body, { actor, companions }),
  )

  app.post(
    '/operator/forced-debits',
    {
      config: {
        access: changesAtBank(together('It takes money from an account.')),
        audit: 'always',
        refusals: [
          'venture_not_found',
          'account_not_found',
          'inbound_payment_booked',
          'venture_not_managed',
          'transfer_method_invalid',
          'parent_invalid',
          'balance_too_large',
          ...fourEyes,
        ],
        creates,
        another: { amount: '0.02' },
        example: {
          body: {
            sender: 'COBADEFFXXX',
            kind: 'chargeback',
            tx_id: 'TX-2026-1003',
            venture_id: exampleIds.venture_id,
            account_id: exampleIds.account_id,
            amount: '0.01',
            transfer_type: 'ADJUSTMENT',
            method: exampleRails.payments,
            explanation: 'The debtor asked for the direct debit back.',
          },
        },
        trial: { fresh: ['managed', 'message'], kinds: { tx_id: 'label' } },
      },
      schema: {
        operationId: 'forceDebit',
        tags,
        summary: 'Book a debit that the scheme has already carried out',
        description:
          'A returned direct debit, a card clearing above its hold, or a chargeback. It needs no funds: the account may go into debt, which later ' +
          'credits reduce. If the account is closed, the bank books a receivable and opens a break. ' +
          twoPeople,
        body: ForcedDebitReport,
        response: { 201: BookedFact, 202: Approval },
      },
    },
    async ({ body, actor, companions }) => reportTogether(bank, 'force-debit', body, { actor, companions }),
  )

  app.post(
    '/operator/pay-outs',
    {
      config: {
        access: changesAtBank(together('It sends money away.')),
        audit: 'always',
        refusals: [
          'account_not_found',
          'account_not_suspended',
          'beneficiary_not_found',
          'beneficiary_invalid',
          'client_sanctioned',
          'venture_not_found',
          'venture_not_managed',
          'insufficient_funds',
          'transfer_method_invalid',
          ...fourEyes,
        ],
        creates: {
          answer: async ({ body }: { body: PayoutOrder }, id: string) =>
            (await transfers.find(`${body.venture_id}/${id}`)) ?? getApproval(approvals, id),
          location: ({ id }: { id: string }) => `/api/v1/transfers/${id}`,
          waits: isApproval,
        },
        another: { purpose: 'Another purpose' },
        example: {
          body: {
            venture_id: exampleIds.venture_id,
            account_id: exampleIds.account_id,
            beneficiary_id: exampleIds.beneficiary_id,
            purpose: 'Balance of the closed account',
          },
        },
        trial: { fresh: 'suspended' },
      },
      schema: {
        operationId: 'payOutBlockedClient',
        tags,
        summary: "Pay the balance of a suspended account out to the client's own account elsewhere",
        description: `Neither a block of the client nor limits stop it. What was frozen for sanctions is never paid out. ${twoPeople}`,
        body: PayoutOrder,
        response: { 201: Transfer, 202: Approval },
      },
    },
    async ({ body, actor, companions }) => payOutTogether(bank, body, { actor, companions }),
  )

  app.get(
    '/operator/unapplied-payments',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { fresh: 'unapplied' },
      },
      schema: {
        operationId: 'listUnappliedPayments',
        tags,
        summary: 'List unapplied payments, newest first',
        description: 'Money that has arrived for no open account. Each open unapplied payment has a case in which the bank decides.',
        querystring: UnappliedList,
        response: { 200: Type.Array(UnappliedPayment) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectUnapplied(database, request.query)),
  )

  app.get(
    '/operator/unapplied-payments/:unapplied_payment_id',
    {
      config: {
        access: readsAtBank,
        refusals: ['unapplied_payment_not_found'],
        trial: { fresh: 'unapplied' },
      },
      schema: {
        operationId: 'getUnappliedPayment',
        tags,
        summary: 'Get an unapplied payment',
        description: "The known details of the payer, and the bank's decision.",
        params: unapplied,
        response: { 200: UnappliedPayment },
      },
    },
    async ({ params }) => getUnapplied(transfers, params.unapplied_payment_id),
  )

  app.get(
    '/operator/breaks',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { fresh: 'break', kinds: { nostro_id: 'filter' } },
      },
      schema: {
        operationId: 'listBreaks',
        tags,
        summary: 'List breaks, newest first',
        description: 'Differences with clients or with the statements of a nostro. Each open break has a case.',
        querystring: BreakList,
        response: { 200: Type.Array(Break) },
      },
    },
    async (request, reply) => sendPage(request, reply, await selectBreaks(database, request.query)),
  )

  app.get(
    '/operator/breaks/:break_id',
    {
      config: {
        access: readsAtBank,
        refusals: ['break_not_found'],
        trial: { fresh: 'break' },
      },
      schema: {
        operationId: 'getBreak',
        tags,
        summary: 'Get a break',
        description: "The difference that was found, and the bank's decision.",
        params: broken,
        response: { 200: Break },
      },
    },
    async ({ params }) => getBreak(transfers, params.break_id),
  )
}
