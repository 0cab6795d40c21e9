// The sandbox's routes: the stand-in for the verifier with its page, and routes that let a test act for the outside world.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getClient } from '../clients/clients.ts'
import type { Database } from '../platform/database/database.ts'
import { prefersHtml } from '../platform/http/accept.ts'
import { anybody, changes, relayOnly, sandboxOnly } from '../platform/http/access.ts'
import { pageHeaders } from '../platform/http/html.ts'
import type { App } from '../platform/http/http.ts'
import { Body, Choice, Decimal, described, Formed, Id, Name, PathId, Resource } from '../platform/http/schemas.ts'
import { Transfer } from '../transfers/life/transfers.schemas.ts'
import { catalogue, moving, Refusal } from '../values/refusals.ts'
import { completeDeposit, deposit, type SandboxBank, settle, settlements } from './sandbox.money.ts'
import { applicationPage, errorPage } from './sandbox.verifier.pages.ts'
import { decideApplication, decideForClient, findSandboxApplication, openSandboxApplication, outcomes } from './sandbox.verifier.ts'

const tags = ['Sandbox']
const Token = Type.Object({ token: Formed('^[A-Za-z0-9_-]{32}$', 'must be the token of a link to the verifier') })
const Decision = Body('SandboxDecision', {
  outcome: Choice(outcomes, { description: "The verifier's decision. REVIEW: a person reviews it. ABORTED: the client gave up." }),
})

/** Under the API's prefix, with a venture's key. */
export async function sandboxApiRoutes(app: App, { database, ...bank }: SandboxBank & { database: Database }): Promise<void> {
  const { transfers } = bank
  // For a repeated request after the first one was interrupted between two moves.
  const completeMade = ({ venture }: FastifyRequest, id: string) => completeDeposit(bank, venture, id)

  app.post(
    '/sandbox/accounts/:account_id/deposits',
    {
      config: {
        access: changes('transfers', sandboxOnly('Outside the sandbox, money arrives over rails.')),
        audit: 'people',
        refusals: ['account_not_found', 'account_not_active', 'balance_too_large', 'client_blocked', 'transfer_method_invalid'],
        creates: { answer: completeMade, location: ({ id }) => `/api/v1/transfers/${id}` },
        another: { amount: '2.00' },
        example: { body: { amount: '100.00' } },
      },
      schema: {
        operationId: 'depositInSandbox',
        tags,
        summary: 'Deposit money',
        description:
          'Creates an inbound transfer and moves it to COMPLETED, as if a payment had arrived on the account. Where the bank processes transfers, ' +
          'it is screened first, and may have to wait.',
        params: PathId('account_id'),
        body: Body('SandboxDeposit', { amount: described(Decimal, 'The amount in the currency of the account, such as `100.00`.') }),
        response: { 201: Transfer },
      },
    },
    async ({ venture, params, body: { amount }, actor, companions }) =>
      deposit(bank, venture, params.account_id, { amount, actor, companions }),
  )

  app.post(
    '/sandbox/transfers/:transfer_id/settle',
    {
      config: {
        access: changes('transfers', sandboxOnly('Outside the sandbox, the clearing system answers.')),
        audit: 'people',
        refusals: [...moving, 'account_not_active', 'processed_by_bank', 'transfer_method_invalid'],
        createsNothing: 'A transfer is settled once.',
        example: { body: { outcome: 'COMPLETED' } },
        trial: { fresh: 'transfer' },
      },
      schema: {
        operationId: 'settleInSandbox',
        tags,
        summary: 'Settle a transfer',
        description:
          'Moves the transfer to its final status, step by step, as a bank would. RETURNED completes an outbound transfer and returns its money ' +
          'with a child transfer; an inbound transfer goes to TO_RETURN and then to REJECTED.',
        params: PathId('transfer_id'),
        body: Body('SandboxSettlement', { outcome: Choice(settlements, { description: 'How the transfer ends.' }) }),
        response: { 200: Transfer },
      },
    },
    async ({ venture, params: { transfer_id }, body: { outcome }, actor, companions }) =>
      settle(transfers, venture, { transfer_id, outcome }, { actor, companions }),
  )

  app.post(
    '/sandbox/clients/:client_id/verification',
    {
      config: {
        access: changes('clients', sandboxOnly('Outside the sandbox, the verifier decides.')),
        audit: 'people',
        refusals: ['client_not_found', 'application_not_found'],
        createsNothing: 'An application may be decided again.',
        example: { body: { outcome: 'APPROVED' } },
        trial: { body: { outcome: 'REVIEW' } },
      },
      schema: {
        operationId: 'decideSandboxVerification',
        tags,
        summary: "Decide a client's application at the sandbox verifier",
        description:
          'The verifier reports the decision with a signed event, as a real one does. If called right after the onboarding details were ' +
          'submitted, it waits up to 5 seconds for the application to be opened.',
        params: PathId('client_id'),
        body: Decision,
        response: {
          202: Resource('SandboxVerification', {
            client_id: described(Id, 'The client.'),
            outcome: Choice(outcomes, { description: "The verifier's decision. The event is on its way." }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { id } = await getClient(database, request.venture.id, request.params.client_id)
      await decideForClient(database, { venture_id: request.venture.id, client_id: id }, request.body.outcome, request.companions)
      return reply.code(202).send({ client_id: id, outcome: request.body.outcome })
    },
  )
}

/** The verifier itself, mounted at the root: its API for the adapter, and the page behind `kyc_link`. */
export async function sandboxVerifierRoutes(
  app: App,
  { database, publicUrl }: { database: Database; publicUrl: () => string },
): Promise<void> {
  const hidden = { hide: true } as const
  // The page sends plain HTML forms, which need no script.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  )

  app.post(
    '/sandbox/verifier/applications',
    {
      config: { access: relayOnly, createsNothing: 'It stands in for a partner, which does not support the header.' },
      schema: { ...hidden, body: Type.Object({ client_id: Id, first_name: Name, last_name: Name }, { additionalProperties: false }) },
    },
    async (request) => {
      const { id, token } = await openSandboxApplication(database, request.body)
      return { id, link: `${publicUrl()}/sandbox/verifier/${token}` }
    },
  )

  await app.register(async (pages: App) => {
    pages.setErrorHandler<FastifyError>((error, request, reply) => {
      const status = error instanceof Refusal ? catalogue[error.code].status : (error.statusCode ?? 500)
      if (status >= 500 || !prefersHtml(request)) throw error
      // A mistyped token makes the link malformed, but to a person it is simply a page that does not exist.
      return sendPage(reply, errorPage(request.method === 'GET' ? 404 : status), status)
    })

    pages.get('/sandbox/verifier/:token', { config: { access: anybody }, schema: { ...hidden, params: Token } }, async (request, reply) =>
      sendPage(reply, applicationPage(await findSandboxApplication(database, request.params.token))),
    )

    pages.post(
      '/sandbox/verifier/:token',
      {
        config: { access: anybody, createsNothing: 'It stands in for a partner, which does not support the header.' },
        schema: { ...hidden, params: Token, body: Decision },
      },
      async (request, reply) => {
        await decideApplication(database, { token: request.params.token }, request.body.outcome)
        return reply.redirect(`/sandbox/verifier/${request.params.token}`, 303)
      },
    )
  })
}

function sendPage(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).headers(pageHeaders()).type('text/html; charset=utf-8').send(text)
}
