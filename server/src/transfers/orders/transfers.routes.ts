import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Accounts, getAccount } from '../../accounts/accounts.ts'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../../audit/audit.ts'
import { changes, empowering, partly, reads, together } from '../../platform/http/access.ts'
import { exampleOrder, orderTrials } from '../../platform/http/examples.ts'
import type { App } from '../../platform/http/http.ts'
import { sendPage } from '../../platform/http/lists.ts'
import { PathId, Query } from '../../platform/http/schemas.ts'
import { isUuid } from '../../platform/http/validation.ts'
import type { FoundKey } from '../../users/users.ts'
import { moving } from '../../values/refusals.ts'
import { flowsShown } from '../life/transfers.flows.ts'
import { Transfer, TransferMove, TransferOrder, TransferUpdate } from '../life/transfers.schemas.ts'
import { orderByBank, updateByBank } from './transfers.approvals.ts'
import { listHistory, listTransferEntries } from './transfers.history.ts'
import { listAccountTransfers, listTransfers } from './transfers.list.ts'
import { TransferEntry, TransferFlow, TransferList, Transition } from './transfers.orders.schemas.ts'
import { createTransfer, type FoundTransfer, getTransfer, type Transfers, updateTransfer } from './transfers.orders.ts'
import { listTransitions } from './transfers.standing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the transfer was read together with the key. */
    transfer: FoundTransfer | undefined
  }
}

const params = PathId('transfer_id')
const tags = ['Transfers']
const { account_id: _, ...accountFilters } = TransferList.properties

/** Refusals that stop an order. */
const ordering = [
  'account_not_found',
  'account_not_active',
  'client_blocked',
  'unique_reference_used',
  'beneficiary_required',
  'beneficiary_invalid',
  'beneficiary_mismatch',
  'receiver_not_active',
  'transfer_method_invalid',
  'method_not_available',
  'rail_suspended',
  'mandate_invalid',
  'mandate_not_active',
  'rate_missing',
  'exchange_not_today',
  'limit_exceeded',
  'instant_not_possible',
  'invalid_iban',
  'payee_check_required',
  'payee_check_not_accepted',
  'amount_mismatch',
  'currency_mismatch',
  'parent_invalid',
] as const

/** What keeps a booking from completing at once, which two people of the bank order. */
const booking = ['insufficient_funds', 'balance_too_large'] as const

type Options = { accounts: Accounts; transfers: Transfers; approvals: Approvals }

export async function transferRoutes(app: App, { accounts, transfers, approvals }: Options): Promise<void> {
  const { database } = transfers
  app.decorateRequest('transfer')

  /** The most frequent request. One query reads both the key and the transfer, for 1.3 times the throughput. */
  async function findWithKey(request: FastifyRequest, key_hash: string): Promise<FoundKey | undefined> {
    const { transfer_id } = request.params as { transfer_id: string }
    // The schema has not checked the path yet: the key comes first.
    if (!isUuid(transfer_id)) return undefined
    const found = await transfers.findWithKey(`${key_hash}/${transfer_id.toLowerCase()}`)
    request.transfer = found
    if (found === undefined) return undefined
    const { venture_id: id, control, key_id, scopes, seen_by_bank } = found
    return { venture: { id, control }, key_id, scopes, seen_by_bank }
  }

  app.post(
    '/transfers',
    {
      config: {
        access: empowering(changes('transfers', together('It moves the money of a client or a payer.'))),
        audit: 'people',
        refusals: [...ordering, ...booking, 'reserved_to_bank', ...fourEyes],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/transfers/${id}`, waits: isApproval },
        another: { purpose: 'Another purpose' },
        example: { body: exampleOrder },
        trial: [orderTrials.pays, orderTrials.collects],
      },
      schema: {
        operationId: 'createTransfer',
        tags,
        summary: 'Create a transfer',
        description:
          'An outbound transfer needs an account, a `unique_reference`, a beneficiary and an amount; everything else is derived. A given `method` ' +
          'must fit the type, the currencies, the amount and the beneficiary; without one, a fitting method is chosen. A return, reversal or ' +
          'cancellation uses the method of its parent and goes back to the debtor of its parent. Funds are checked when they are reserved, that ' +
          'is, when the transfer moves to RESERVED. With four-eyes approval, two people of the bank place an order that is reserved to the bank: ' +
          'the response to the first is then an approval, with status 202, whose `resource_id` becomes the id of the transfer.',
        body: TransferOrder,
        response: { 201: Transfer, 202: Approval },
      },
    },
    async ({ venture, body: order, actor, companions }, reply) => {
      const request = { venture_id: venture.id, order, actor, companions }
      return actor.kind === 'operator'
        ? sendOrWait(reply, await orderByBank(transfers, approvals, request, request))
        : createTransfer(transfers, request)
    },
  )

  app.get(
    '/transfers',
    {
      config: { access: reads('transfers'), refusals: [] },
      schema: {
        operationId: 'listTransfers',
        tags,
        summary: 'List transfers, newest first',
        description:
          '`search` looks in `unique_reference`, `purpose`, `cr_name` and `dr_name`, and finds a whole end-to-end id, UETR or `transaction_id`; ' +
          '`currency` matches either side.',
        querystring: TransferList,
        response: { 200: Type.Array(Transfer) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listTransfers(database, request.venture.id, request.query)),
  )

  app.get(
    '/transfer-flows',
    {
      config: { access: reads('transfers'), refusals: [] },
      schema: {
        operationId: 'listTransferFlows',
        tags,
        summary: 'List the flows of transfers',
        description:
          'The state machines of transfers: the statuses and the moves of each flow, and the transfers that follow it. They are the same for all ' +
          'ventures and change only with the version of the service. The transitions of a transfer show which moves are possible now.',
        response: { 200: Type.Array(TransferFlow) },
      },
    },
    async () => flowsShown,
  )

  app.get(
    '/accounts/:account_id/transfers',
    {
      config: { access: reads('transfers'), refusals: ['account_not_found'] },
      schema: {
        operationId: 'listAccountTransfers',
        tags,
        summary: 'List the transfers of an account, newest first',
        description: 'Takes the same filters as the list of all transfers.',
        params: PathId('account_id'),
        querystring: Query({ ...accountFilters, account_id: TransferList.properties.account_id }),
        response: { 200: Type.Array(Transfer) },
      },
    },
    async (request, reply) => {
      const { account_id } = request.params
      await getAccount(accounts, { venture_id: request.venture.id, id: account_id })
      // The specification also lists account_id as a filter here. Another account has no transfers in this list.
      if (request.query.account_id !== undefined && request.query.account_id !== account_id) return []
      return sendPage(request, reply, await listAccountTransfers(database, request.venture.id, { ...request.query, account_id }))
    },
  )

  app.get(
    '/transfers/:transfer_id',
    {
      config: {
        access: reads('transfers'),
        refusals: ['transfer_not_found'],
        findWithKey,
      },
      schema: {
        operationId: 'getTransfer',
        tags,
        summary: 'Get a transfer',
        description: 'The transfer as it is now. Instead of polling, use webhooks.',
        params,
        response: { 200: Transfer },
      },
    },
    async (request) => request.transfer ?? getTransfer(transfers, request.venture.id, request.params.transfer_id),
  )

  app.put(
    '/transfers/:transfer_id',
    {
      config: {
        access: {
          ...changes(
            'transfers',
            partly("One person stops a transfer; two let it continue. People of the bank never sign a client's orders."),
          ),
          scopes: ['transfers', 'sign'],
        },
        audit: 'people',
        refusals: [
          ...moving,
          'reserved_to_bank',
          'not_yours_to_sign',
          'signer_not_allowed',
          'signature_mismatch',
          'signature_not_requested',
          ...fourEyes,
        ],
        example: { body: { status: 'RESERVED' } },
        trial: { body: { third_party_status: 'ACCP' } },
      },
      schema: {
        operationId: 'updateTransfer',
        tags,
        summary: 'Update a transfer',
        description:
          'Moves the transfer to another status, records information about it, or both. Only moves that `transitions` shows as allowed are ' +
          'possible; a terminal status cannot change. Absent fields stay as they are; null clears a field. `signed_at` is set when the transfer ' +
          'becomes SIGNED, unless it is given, and may be at most five minutes in the future. With four-eyes approval, two people of the bank ' +
          'make a change that none of them may make alone: the response to the first is then an approval, with status 202.',
        params,
        body: TransferUpdate,
        response: { 200: Transfer, 202: Approval },
      },
    },
    async ({ venture, params: { transfer_id }, body: update, actor, companions }, reply) => {
      const request = { venture_id: venture.id, transfer_id, update, actor, companions }
      return actor.kind === 'operator'
        ? sendOrWait(reply, await updateByBank(transfers, approvals, request, request))
        : updateTransfer(transfers, request)
    },
  )

  app.get(
    '/transfers/:transfer_id/transitions',
    {
      config: { access: reads('transfers'), refusals: ['transfer_not_found'] },
      schema: {
        operationId: 'listTransferTransitions',
        tags,
        summary: 'List the possible next statuses of a transfer, and what blocks them',
        description: 'Every possible next status, whether the move is allowed now, and if not, the code of the obstacle.',
        params,
        response: { 200: Type.Array(Transition) },
      },
    },
    async ({ venture, params: { transfer_id }, actor }) =>
      listTransitions(transfers, venture.id, transfer_id, { actor, approved: !approvals.fourEyes }),
  )

  app.get(
    '/transfers/:transfer_id/history',
    {
      config: { access: reads('transfers'), refusals: ['transfer_not_found'] },
      schema: {
        operationId: 'listTransferHistory',
        tags,
        summary: 'List the status changes of a transfer, oldest first',
        description: 'All status changes since the creation, with who made them and why.',
        params,
        response: { 200: Type.Array(TransferMove) },
      },
    },
    async (request) => listHistory(transfers, request.venture.id, request.params.transfer_id, request.actor),
  )

  app.get(
    '/transfers/:transfer_id/entries',
    {
      config: { access: reads('transfers'), refusals: ['transfer_not_found'] },
      schema: {
        operationId: 'listTransferEntries',
        tags,
        summary: 'List the ledger entries of a transfer, oldest first',
        description:
          "The entries of the transfer on client accounts and on the venture's internal accounts. A transfer that has not moved money yet has none: a hold is not an entry.",
        params,
        response: { 200: Type.Array(TransferEntry) },
      },
    },
    async (request) => listTransferEntries(transfers, request.venture.id, request.params.transfer_id),
  )
}
