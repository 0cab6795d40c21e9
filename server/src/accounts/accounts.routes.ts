// The HTTP routes of accounts.
import { Type } from 'typebox'
import { Approval, type Approvals, sendOrWait } from '../audit/audit.ts'
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

export async function accountRoutes(app: App, { accounts, approvals }: { accounts: Accounts; approvals: Approvals }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { account_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.account_id,
  })

  app.post(
    '/accounts',
    {
      config: { creates: { answer: 'kept', location: ({ id }) => `/api/v1/accounts/${id}` } },
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
      schema: {
        operationId: 'getAccount',
        tags,
        summary: 'Get an account',
        description: 'The account with its balances as they are now.',
        params,
        response: { 200: Account },
      },
    },
    async (request) => getAccount(accounts, keyOf(request)),
  )

  app.get(
    '/accounts/:account_id/epc-qr',
    {
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
      schema: {
        operationId: 'updateAccount',
        tags,
        summary: 'Update an account',
        description:
          'Changes the name, the description and the limits. Absent fields stay as they are; null clears the description or a limit. The status is ' +
          'changed with the activate, freeze and close actions. With four eyes, two people of the bank raise a limit in a MANAGED venture: the response ' +
          'to the first is then an approval, with status 202.',
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
      schema: {
        operationId: 'activateAccount',
        tags,
        summary: 'Activate an account',
        description:
          'From PENDING or SUSPENDED. The client must be verified, unless no verification is required, and neither blocked nor blacklisted. With four eyes, what ' +
          'the bank froze is activated by two people: the response is then an approval, with status 202.',
        params,
        response: { 200: Account, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await activateAccount(accounts, approvals, keyOf(request), request)),
  )

  app.post(
    '/accounts/:account_id/freeze',
    {
      schema: {
        operationId: 'freezeAccount',
        tags,
        summary: 'Freeze (suspend) an account',
        description:
          'From ACTIVE. New transfers are refused. If the bank freezes it, unsent transfers are put ON_HOLD; what was sent settles.',
        params,
        response: { 200: Account },
      },
    },
    async (request) => actOnAccount(accounts, keyOf(request), 'freeze', request),
  )

  app.post(
    '/accounts/:account_id/close',
    {
      schema: {
        operationId: 'closeAccount',
        tags,
        summary: 'Close an account',
        description:
          'From ACTIVE or SUSPENDED, if the current and the reserved balance are zero. A closed account cannot be reopened. With four eyes, what the ' +
          'bank froze is closed by two people: the response is then an approval, with status 202.',
        params,
        response: { 200: Account, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await closeAccount(accounts, approvals, keyOf(request), request)),
  )

  app.get(
    '/accounts/:account_id/entries',
    {
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
