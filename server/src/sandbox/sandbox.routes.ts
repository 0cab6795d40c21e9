// The sandbox's own routes: the verifier's stand-in with its page, and what lets a test decide without a browser.
import { Type } from 'typebox'
import { getClient } from '../clients/clients.ts'
import type { Database } from '../platform/database/database.ts'
import { escapeHtml, sendHtml } from '../platform/http/html.ts'
import type { App } from '../platform/http/http.ts'
import { Body, Choice, Decimal, Id, Name, PathId, Resource } from '../platform/http/schemas.ts'
import { Transfer, type Transfers } from '../transfers/transfers.ts'
import { deposit, settle, settlements } from './sandbox.money.ts'
import { decideApplication, findSandboxApplication, type Outcome, openSandboxApplication, outcomes } from './sandbox.verifier.ts'

const tags = ['Sandbox']
const Token = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{32}$' }) })
const Decision = Body('SandboxDecision', { outcome: Choice(outcomes) })

/** Under the API's prefix, with a venture's key. */
export async function sandboxApiRoutes(app: App, { database, transfers }: { database: Database; transfers: Transfers }): Promise<void> {
  app.post(
    '/sandbox/accounts/:account_id/deposits',
    {
      schema: {
        operationId: 'depositInSandbox',
        tags,
        summary: 'Bring money in, as a real inbound transfer that walks to COMPLETED',
        params: PathId('account_id'),
        body: Body('SandboxDeposit', { amount: Decimal }),
        response: { 201: Transfer },
      },
    },
    async (request, reply) => {
      const transfer = await deposit(transfers, request.venture.id, request.params.account_id, request.body.amount)
      return reply.code(201).header('location', `/api/v1/transfers/${transfer.id}`).send(transfer)
    },
  )

  app.post(
    '/sandbox/transfers/:transfer_id/settle',
    {
      schema: {
        operationId: 'settleInSandbox',
        tags,
        summary: 'Walk a transfer along real moves to its end',
        description: 'RETURNED completes an outbound transfer and returns it by a child; an inbound one goes by TO_RETURN to REJECTED.',
        params: PathId('transfer_id'),
        body: Body('SandboxSettlement', { outcome: Choice(settlements) }),
        response: { 200: Transfer },
      },
    },
    async (request) => settle(transfers, request.venture.id, request.params.transfer_id, request.body.outcome),
  )

  app.post(
    '/sandbox/clients/:client_id/verification',
    {
      schema: {
        operationId: 'decideSandboxVerification',
        tags,
        summary: "Make the sandbox verifier send its signed event about a client's application",
        params: PathId('client_id'),
        body: Decision,
        response: { 202: Resource('SandboxVerification', { client_id: Id, outcome: Choice(outcomes) }) },
      },
    },
    async (request, reply) => {
      const { id } = await getClient(database, request.venture.id, request.params.client_id)
      await decideApplication(database, 'client_id', id, request.body.outcome)
      return reply.code(202).send({ client_id: id, outcome: request.body.outcome })
    },
  )
}

/** The verifier's own face, at the root: its API for the adapter, and the page behind `kyc_link`. */
export async function sandboxVerifierRoutes(
  app: App,
  { database, publicUrl }: { database: Database; publicUrl: () => string },
): Promise<void> {
  const hidden = { hide: true }
  // The page sends plain forms, which need no script.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  )

  app.post(
    '/sandbox/verifier/applications',
    {
      config: { key: 'relay' },
      schema: { ...hidden, body: Type.Object({ client_id: Id, first_name: Name, last_name: Name }, { additionalProperties: false }) },
    },
    async (request) => {
      const { id, token } = await openSandboxApplication(database, request.body)
      return { id, link: `${publicUrl()}/sandbox/verifier/${token}` }
    },
  )

  app.get('/sandbox/verifier/:token', { config: { key: 'none' }, schema: { ...hidden, params: Token } }, async (request, reply) => {
    const { name, decision } = await findSandboxApplication(database, request.params.token)
    return sendHtml(reply, { title: 'Identity verification (sandbox)', body: decisionForm(name, decision) })
  })

  app.post(
    '/sandbox/verifier/:token',
    { config: { key: 'none' }, schema: { ...hidden, params: Token, body: Decision } },
    async (request, reply) => {
      await decideApplication(database, 'token', request.params.token, request.body.outcome)
      return reply.redirect(`/sandbox/verifier/${request.params.token}`, 303)
    },
  )
}

const labels: Record<Outcome, string> = {
  APPROVED: 'Approve',
  DECLINED: 'Decline',
  REVIEW: 'Ask for a review',
  ABORTED: 'Abandon',
}

function decisionForm(name: string, decision: Outcome | null): string {
  const buttons = outcomes.map((outcome) => `<button name="outcome" value="${outcome}">${labels[outcome]}</button>`)
  const state = decision === null ? 'Nothing has been decided yet.' : `The last decision was <strong>${decision}</strong>.`
  return `<p>This page stands in for a real verifier. What should become of the application of <strong>${escapeHtml(name)}</strong>?</p>
<p role="status">${state}</p>
<form method="post">${buttons.join('')}</form>`
}
