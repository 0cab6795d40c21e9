// The routes of card money: its balance, the payout settings, and the payouts.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../../audit/audit.ts'
import { changes, empowering, onlyAdmins, partly, reads, together } from '../../platform/http/access.ts'
import { exampleIds } from '../../platform/http/examples.ts'
import type { App } from '../../platform/http/http.ts'
import { sendPage } from '../../platform/http/lists.ts'
import { PathId } from '../../platform/http/schemas.ts'
import { CardBalance, Payout, PayoutList, PayoutOrder, PayoutSettings, PayoutSettingsUpdate } from './payments.payouts.schemas.ts'
import { getPayoutSettings, updatePayoutSettings } from './payments.payouts.settings.ts'
import { createPayout, getBalance, getPayout, getPayoutOfTransfer, listPayouts, type Payouts, payOutByBank } from './payments.payouts.ts'

const params = PathId('payout_id')
const tags = ['Payouts']

export async function payoutRoutes(app: App, { payouts, approvals }: { payouts: Payouts; approvals: Approvals }): Promise<void> {
  // A repeated request finds the transfer of the payout.
  const getMade = ({ venture }: FastifyRequest, transfer_id: string) => getPayoutOfTransfer(payouts, venture.id, transfer_id)

  app.get(
    '/balance',
    {
      config: { access: reads('payments'), refusals: [] },
      schema: {
        operationId: 'getBalance',
        tags,
        summary: 'Get the balance of your card money',
        description: 'The proceeds of card payments by currency: the amount payable to you, and the amount already paid out.',
        response: { 200: CardBalance },
      },
    },
    async (request) => getBalance(payouts, request.venture.id),
  )

  app.get(
    '/payout-settings',
    {
      config: { access: reads('payments'), refusals: [] },
      schema: {
        operationId: 'getPayoutSettings',
        tags,
        summary: 'Get your payout settings',
        description: 'The account to which card money is paid out every day.',
        response: { 200: PayoutSettings },
      },
    },
    async (request) => getPayoutSettings(payouts, request.venture.id),
  )

  app.put(
    '/payout-settings',
    {
      config: {
        access: onlyAdmins(changes('payments', partly('Card money is paid out to the chosen account. One person can stop payouts.'))),
        audit: 'always',
        refusals: ['account_not_found', 'account_not_active', ...fourEyes],
        example: { body: { payout_account_id: exampleIds.payout_account_id } },
      },
      schema: {
        operationId: 'updatePayoutSettings',
        tags,
        summary: 'Set the account for your card money',
        description:
          'The account must be ACTIVE. Card money in its currency is paid out to it once a day and by `POST /payouts`; money in other currencies ' +
          'stays payable. `null` stops payouts. With four-eyes approval, two people of the bank set the account of a MANAGED venture: the ' +
          'response to the first is then an approval, with status 202.',
        body: PayoutSettingsUpdate,
        response: { 200: PayoutSettings, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await updatePayoutSettings(payouts, approvals, request.venture, request.body, request)),
  )

  app.post(
    '/payouts',
    {
      config: {
        access: empowering(changes('payments', together('It moves money of the venture.'))),
        audit: 'people',
        refusals: [
          'payout_account_missing',
          'nothing_to_pay_out',
          'payout_changed',
          'account_not_found',
          'account_not_active',
          'balance_too_large',
          ...fourEyes,
        ],
        optionalBody: true,
        creates: { answer: getMade, location: ({ id }) => `/api/v1/payouts/${id}`, waits: isApproval },
        another: { description: 'Another description' },
        example: { body: { description: 'Card sales of November' } },
        trial: { fresh: 'cardSale' },
      },
      schema: {
        operationId: 'createPayout',
        tags,
        summary: 'Pay out card money',
        description:
          'Moves all card money that is available in the currency of your payout account to that account, with a completed transfer (INBOUND, ' +
          "CARD, PAYMENT). The bank's fee is deducted. With four-eyes approval, two people of the bank do it for a MANAGED venture: the response " +
          'to the first is then an approval, with status 202.',
        body: PayoutOrder,
        response: { 201: Payout, 202: Approval },
      },
    },
    async ({ venture, body: order, actor, companions }, reply) =>
      actor.kind === 'operator'
        ? sendOrWait(reply, await payOutByBank(payouts, approvals, { venture, order }, { actor, companions }))
        : createPayout(payouts, { venture_id: venture.id, order, companions }),
  )

  app.get(
    '/payouts',
    {
      config: { access: reads('payments'), refusals: [] },
      schema: {
        operationId: 'listPayouts',
        tags,
        summary: 'List payouts, newest first',
        description: 'Card money that was paid out to the venture or recovered from it.',
        querystring: PayoutList,
        response: { 200: Type.Array(Payout) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listPayouts(payouts, request.venture.id, request.query)),
  )

  app.get(
    '/payouts/:payout_id',
    {
      config: { access: reads('payments'), refusals: ['payout_not_found'] },
      schema: {
        operationId: 'getPayout',
        tags,
        summary: 'Get a payout',
        description: 'The payout with its fee and the transfer that credits the account.',
        params,
        response: { 200: Payout },
      },
    },
    async (request) => getPayout(payouts, request.venture.id, request.params.payout_id),
  )
}
