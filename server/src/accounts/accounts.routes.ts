import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { alone, changes, partly, reads } from '../platform/http/access.ts'
import { exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { qrSvg } from '../platform/http/qr.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Account, AccountEntry, AccountList, AccountUpdate, EntryList, EpcQr, NewAccount } from './accounts.schemas.ts'
import {
  type Accounts,
  activateAccount,
  actOnAccount,
  closeAccount,
  createAccount,
  getAccount,
  getEpcQr,
  listAccounts,
  listEntries,
  updateAccount,
} from './accounts.ts'

const params = PathId('account_id')
const tags = ['Accounts']

/** Changes to these fields are always audited. */
const limits = ['daily_limit', 'monthly_limit', 'yearly_limit']

export async function accountRoutes(app: App, { accounts, approvals }: { accounts: Accounts; approvals: Approvals }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { account_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.account_id,
  })

  app.post(
    '/accounts',
    {
      config: {
        access: changes('accounts', alone('The account can be used once its client is verified.')),
        audit: 'people',
        refusals: ['client_not_found'],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/accounts/${id}` },
        another: { account_name: 'Another name' },
        example: {
          body: { client_id: exampleIds.client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR', daily_limit: '1000.00' },
        },
      },
      schema: {
        operationId: 'createAccount',
        tags,
        summary: 'Create an account',
        description: 'The account is PENDING and can transact once it is activated. The bank assigns its number, an IBAN.',
        body: NewAccount,
        response: { 201: Account },
      },
    },
    async (request) => createAccount(accounts, request.venture.id, request.body, request.companions),
  )

  app.get(
    '/accounts',
    {
      config: { access: reads('accounts'), refusals: [] },
      schema: {
        operationId: 'listAccounts',
        tags,
        summary: 'List accounts, newest first',
        description: '`search` looks in the name, the number and the external id.',
        querystring: AccountList,
        response: { 200: Type.Array(Account) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listAccounts(accounts, request.venture.id, request.query)),
  )

  app.get(
    '/accounts/:account_id',
    {
      config: { access: reads('accounts'), refusals: ['account_not_found'] },
      schema: {
        operationId: 'getAccount',
        tags,
        summary: 'Get an account',
        description: 'The account with its current balances.',
        params,
        response: { 200: Account },
      },
    },
    async (request) => getAccount(accounts, keyOf(request)),
  )

  app.get(
    '/accounts/:account_id/epc-qr',
    {
      config: { access: reads('accounts'), refusals: ['account_not_found', 'epc_qr_not_possible'] },
      schema: {
        operationId: 'getEpcQr',
        tags,
        summary: 'Get a QR code for receiving money',
        description:
          'A payer scans it with a banking app, which fills in a SEPA credit transfer to the account (EPC069-12, version 002). The account must be ' +
          'ACTIVE and in EUR.',
        params,
        querystring: EpcQr,
        response: { 200: { content: { 'image/svg+xml': { schema: Type.String() }, 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const text = await getEpcQr(accounts, keyOf(request), request.query)
      if (request.query.format === 'text') return reply.type('text/plain; charset=utf-8').send(text)
      return reply.type('image/svg+xml').send(qrSvg(text))
    },
  )

  app.put(
    '/accounts/:account_id',
    {
      config: {
        access: changes(
          'accounts',
          partly('Raising a limit makes a larger payment possible. Lowering one protects, and a name moves no money.'),
        ),
        audit: { fields: limits },
        refusals: ['account_not_found', ...fourEyes],
        example: { body: { account_name: 'Household', monthly_limit: '5000.00' } },
        trial: { body: { description: 'Changed' } },
      },
      schema: {
        operationId: 'updateAccount',
        tags,
        summary: 'Update an account',
        description:
          'Changes the name, the description and the limits. Absent fields stay as they are; null clears the description or a limit. The status ' +
          'is changed with the activate, freeze and close actions. With four-eyes approval, two people of the bank raise a limit in a MANAGED ' +
          'venture: the response to the first is then an approval, with status 202.',
        params,
        body: AccountUpdate,
        response: { 200: Account, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await updateAccount(accounts, approvals, keyOf(request), request.body, request)),
  )

  app.post(
    '/accounts/:account_id/activate',
    {
      config: {
        access: changes('accounts', partly('Two people activate an account that the bank froze.')),
        audit: 'people',
        refusals: ['account_not_found', 'account_transition_not_allowed', 'compliance_pending', 'reserved_to_bank', ...fourEyes],
        createsNothing: 'The status of the account shows whether it was done.',
        trial: { fresh: 'pendingAccount' },
      },
      schema: {
        operationId: 'activateAccount',
        tags,
        summary: 'Activate an account',
        description:
          'From PENDING or SUSPENDED. The client must be verified, unless no verification is required, and neither blocked nor blacklisted. With ' +
          'four-eyes approval, two people activate an account that the bank froze: the response is then an approval, with status 202.',
        params,
        response: { 200: Account, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await activateAccount(accounts, approvals, keyOf(request), request)),
  )

  app.post(
    '/accounts/:account_id/freeze',
    {
      config: {
        access: changes('accounts', alone('It protects.')),
        audit: 'people',
        refusals: ['account_not_found', 'account_transition_not_allowed'],
        createsNothing: 'The status of the account shows whether it was done.',
        trial: { fresh: 'activeAccount' },
      },
      schema: {
        operationId: 'freezeAccount',
        tags,
        summary: 'Freeze (suspend) an account',
        description:
          'From ACTIVE. New transfers are refused. If the bank freezes it, unsent transfers are put ON_HOLD; transfers that were already sent still settle.',
        params,
        response: { 200: Account },
      },
    },
    async (request) => actOnAccount(accounts, keyOf(request), 'freeze', request),
  )

  app.post(
    '/accounts/:account_id/close',
    {
      config: {
        access: changes('accounts', partly('Two people close an account that the bank froze.')),
        audit: 'people',
        refusals: ['account_not_found', 'account_transition_not_allowed', 'account_not_empty', 'reserved_to_bank', ...fourEyes],
        createsNothing: 'The status of the account shows whether it was done.',
        trial: { fresh: 'activeAccount' },
      },
      schema: {
        operationId: 'closeAccount',
        tags,
        summary: 'Close an account',
        description:
          'From ACTIVE or SUSPENDED, if the current and the reserved balance are zero. A closed account cannot be reopened. With four-eyes approval, two ' +
          'people close an account that the bank froze: the response is then an approval, with status 202.',
        params,
        response: { 200: Account, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await closeAccount(accounts, approvals, keyOf(request), request)),
  )

  app.get(
    '/accounts/:account_id/entries',
    {
      config: { access: reads('accounts'), refusals: ['account_not_found'] },
      schema: {
        operationId: 'listEntries',
        tags,
        summary: 'List the ledger entries of an account, newest first',
        description: 'Each entry contains the balance after it.',
        params,
        querystring: EntryList,
        response: { 200: Type.Array(AccountEntry) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listEntries(accounts, keyOf(request), request.query)),
  )
}
