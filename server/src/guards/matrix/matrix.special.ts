// Rows of the matrix that need code: signed bodies, files, requests with preparation, and pages, which have no example.
import { randomUUID } from 'node:crypto'
import { referenceScript } from '../../platform/docs/docs.reference.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { someAsset } from '../../testing/testing.console.ts'
import { someNote } from '../../testing/testing.files.ts'
import { someList } from '../../testing/testing.lists.ts'
import type { Maker, Row } from './matrix.parts.ts'

export type Special = Partial<Omit<Row, 'door' | 'byPerson'>>

const row = (maker: Maker, more: Special = {}): Special => ({ makers: [maker], ...more })

const login = { userName: sandboxGatewayCredentials.user, password: sandboxGatewayCredentials.password }
const card = { expiry: '12/99', cvv: '777', action: 'pay' }

export const special: Readonly<Record<string, Special>> = {
  'POST /api/v1/operator/watchlists/:watchlist_id/versions': row(() => ({ files: { list: someList(`Nobody ${randomUUID()}`) } })),
  'POST /api/v1/operator/cases/:case_id/files': row(() => ({ files: { file: someNote() } })),
  'POST /api/v1/questions/:question_id/files': row(async (fixtures) => ({
    params: await fixtures.newQuestion(),
    files: { file: someNote() },
  })),
  'POST /api/v1/operator/verifications': row(
    async (fixtures) => {
      await fixtures.verificationsEnded()
      return {}
    },
    { settled: (fixtures) => fixtures.verificationsEnded() },
  ),
  'POST /api/v1/session/passkeys': row((fixtures) => fixtures.newPasskey()),
  'GET /api/v1/venture/audit-log': row(async ({ person, ids }) => {
    await person.put(`/clients/${ids.client_id}`, { address: randomUUID() })
    return { caller: person, query: { actor_id: person.id } }
  }),
  'POST /api/v1/kyc/webhook': {
    makers: [
      ({ ids }) => ({ signed: { type: 'verification.review', client_id: ids.client_id } }),
      ({ ids }) => ({ signed: { type: 'verification.review', application_id: ids.application_id } }),
    ],
    works: ({ body }) => body?.verdict === 'APPLIED',
    apart: ['id', 'received_at'],
  },

  'GET /docs/js/*': row(async () => ({ params: { '*': (await referenceScript()).name } })),
  'GET /docs/guides/*': row(() => ({ params: { '*': 'webhooks' } })),
  'GET /console/assets/*': row(async () => ({ params: { '*': await someAsset() } })),
  'GET /console/*': row(() => ({ params: { '*': 'sign-in' } })),

  'POST /pay/:token': row(() => ({ form: {} })),
  // A payment belongs to its link: no caller finds it under another link.
  'GET /pay/:token/:payment_id': { kinds: { payment_id: 'theirs' } },
  'GET /pay/*': row(() => ({ params: { '*': 'no/such/page' } }), { status: 404 }),

  'POST /sandbox/gateway/payment/rest/register.do': row(() => ({
    form: { ...login, orderNumber: randomUUID().slice(-12), amount: '500', currency: '978', returnUrl: 'https://shop.example/thanks' },
  })),
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': row(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('registered') },
  })),
  'POST /sandbox/gateway/payment/rest/refund.do': row(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('paid'), amount: '10', externalRefundId: fixtures.label },
  })),
  'POST /sandbox/gateway/payment/rest/reverse.do': row(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('paid') },
  })),
  'POST /sandbox/gateway/payment/rest/decline.do': row(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('registered') },
  })),
  'GET /sandbox/gateway/form/:order_id': row(async (fixtures) => ({ params: { order_id: await fixtures.newOrder('registered') } })),
  'POST /sandbox/gateway/form/:order_id': row(async (fixtures) => ({
    params: { order_id: await fixtures.newOrder('registered') },
    form: { ...card, number: '5555555555554444' },
  })),
  'GET /sandbox/gateway/acs/:order_id': row(async (fixtures) => ({ params: { order_id: await fixtures.newOrder('at its bank') } })),
  'POST /sandbox/gateway/acs/:order_id': row(async (fixtures) => ({
    params: { order_id: await fixtures.newOrder('at its bank') },
    form: { action: 'confirm' },
  })),

  'POST /sandbox/receiver': row(() => ({ body: {} }), { status: 204 }),
  // The stand-in has no ventures: it opens an application for any client that the service names.
  'POST /sandbox/verifier/applications': row(() => ({ body: { first_name: 'Ada', last_name: 'Lovelace' } }), {
    kinds: { client_id: 'label' },
  }),
  'GET /sandbox/verifier/:token': row(({ ids }) => ({ params: { token: ids.verifier_token } })),
  'POST /sandbox/verifier/:token': row(({ ids }) => ({ params: { token: ids.verifier_token }, body: { outcome: 'REVIEW' } })),
}
