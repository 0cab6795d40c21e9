// The HTTP routes of the bank's keys.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, alone, readsAtBank, sensitive, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { BankKey, BankKeyList, BankKeyWithSecret, NewBankKey } from './users.bankkeys.schemas.ts'
import { createBankKey, getBankKey, listBankKeys, revokeBankKey } from './users.bankkeys.ts'

const tags = ['Keys (bank)']
const params = PathId('bank_key_id')

export async function bankKeyRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  const { database } = approvals

  app.post(
    '/operator/keys',
    {
      config: {
        access: sensitive(adminAtBank(together('A new key acts for the bank.'))),
        audit: 'always',
        refusals: ['key_limit', ...fourEyes],
        creates: { answer: 'secret', location: ({ id }) => `/api/v1/operator/keys/${id}` },
        another: { name: 'Another name' },
        example: { body: { name: 'List importer', scope: 'lists', expires_at: '2030-12-31T00:00:00Z' } },
      },
      schema: {
        operationId: 'createBankKey',
        tags,
        summary: 'Create a key of the bank',
        description:
          'For a connector, a program of the bank that does one thing. The response contains the key, which is shown only once. With four-eyes ' +
          'approval, this needs a second person: the response is then an approval, with status 202, and the approver gets the key.',
        body: NewBankKey,
        response: { 201: BankKeyWithSecret, 202: Approval },
      },
    },
    async ({ body, actor, companions }, reply) => sendOrWait(reply, await createBankKey(approvals, body, { actor, companions })),
  )

  app.get(
    '/operator/keys',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listBankKeys',
        tags,
        summary: 'List the keys of the bank, newest first',
        description: 'Revoked and expired keys stay in the list.',
        querystring: BankKeyList,
        response: { 200: Type.Array(BankKey) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listBankKeys(database, request.query)),
  )

  app.get(
    '/operator/keys/:bank_key_id',
    {
      config: { access: readsAtBank, refusals: ['api_key_not_found'] },
      schema: {
        operationId: 'getBankKey',
        tags,
        summary: 'Get a key of the bank',
        description: "The key's scope, and when it was last used. The key itself is never shown again.",
        params,
        response: { 200: BankKey },
      },
    },
    async (request) => getBankKey(database, request.params.bank_key_id),
  )

  app.post(
    '/operator/keys/:bank_key_id/revoke',
    {
      config: {
        access: adminAtBank(alone('It protects.')),
        audit: 'always',
        refusals: ['api_key_not_found'],
        createsNothing: 'A key is revoked once.',
        trial: { fresh: 'bankKey' },
      },
      schema: {
        operationId: 'revokeBankKey',
        tags,
        summary: 'Revoke a key of the bank',
        description: 'The key stops working at once, and stays in the list.',
        params,
        response: { 200: BankKey },
      },
    },
    async ({ params, companions }) => revokeBankKey(database, params.bank_key_id, companions),
  )
}
