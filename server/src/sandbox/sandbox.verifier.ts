// The stand-in for an identity verifier: it keeps applications, lets a person decide them on a page, and tells the decision by
// a signed event over HTTP, like a real one.
import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Database, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { callPartner } from '../platform/outgoing/partner.ts'
import { signedHeaders } from '../platform/standard-webhooks.ts'
import { refuse } from '../values/refusals.ts'

export const outcomes = ['APPROVED', 'DECLINED', 'REVIEW', 'ABORTED'] as const
export type Outcome = (typeof outcomes)[number]

const eventTypes: Record<Outcome, string> = {
  APPROVED: 'verification.approved',
  DECLINED: 'verification.declined',
  REVIEW: 'verification.review',
  ABORTED: 'verification.aborted',
}

type SandboxApplication = { id: string; client_id: string; name: string; token: string; events_sent: number; decision: Outcome | null }

const sendEventJob = 'sandbox.send_kyc_event'

/** Opens an application, or finds the client's. A client whose last name is an outcome is decided at once. */
export function openSandboxApplication(database: Database, client: { client_id: string; first_name: string; last_name: string }) {
  return database.transaction(async (tx) => {
    const token = randomBytes(24).toString('base64url')
    const opened = await tx.first(write<SandboxApplication>`
      insert into sandbox_applications (id, client_id, name, token)
      values (${uuidv7()}, ${client.client_id}, ${`${client.first_name} ${client.last_name}`}, ${token})
      on conflict (client_id) do nothing
      returning id, client_id, name, token, events_sent, decision`)
    if (opened === undefined) return (await find(tx, 'client_id', client.client_id)) ?? refuse('application_not_found')
    const magic = outcomes.find((outcome) => outcome === client.last_name.toUpperCase())
    if (magic !== undefined) await decide(tx, opened, magic)
    return opened
  })
}

export async function findSandboxApplication(database: Database, token: string): Promise<SandboxApplication> {
  return (
    (await database.first(
      read<SandboxApplication>`select id, client_id, name, token, events_sent, decision from sandbox_applications where token = ${token}`,
    )) ?? refuse('application_not_found')
  )
}

export function decideApplication(database: Database, by: 'token' | 'client_id', value: string, outcome: Outcome): Promise<void> {
  return database.transaction(async (tx) => decide(tx, (await find(tx, by, value)) ?? refuse('application_not_found'), outcome))
}

function find(tx: Tx, by: 'token' | 'client_id', value: string): Promise<SandboxApplication | undefined> {
  return by === 'token'
    ? tx.first(read<SandboxApplication>`
        select id, client_id, name, token, events_sent, decision from sandbox_applications where token = ${value} for update`)
    : tx.first(read<SandboxApplication>`
        select id, client_id, name, token, events_sent, decision from sandbox_applications where client_id = ${value} for update`)
}

async function decide(tx: Tx, { id, client_id, events_sent }: SandboxApplication, outcome: Outcome): Promise<void> {
  const sequence = events_sent + 1
  await tx.run(write`update sandbox_applications set decision = ${outcome}, events_sent = ${sequence} where id = ${id}`)
  await enqueue(tx, sendEventJob, {
    id: uuidv7(),
    type: eventTypes[outcome],
    created_at: new Date().toISOString(),
    application_id: id,
    client_id,
    sequence,
    data: { note: `Decided in the sandbox: ${outcome}` },
  })
}

type Options = { url(): string; apiKey: string; webhookSecret: string }

/** Sends events as a verifier would: signed, over HTTP, until they are taken. */
export function sandboxJobs({ url, apiKey, webhookSecret }: Options): Handlers {
  return {
    [sendEventJob]: {
      async run(event: { id: string }) {
        const body = JSON.stringify(event)
        const { ok, status } = await callPartner(`${url()}/api/v1/kyc/webhook`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': apiKey,
            ...signedHeaders([webhookSecret], { id: event.id, body }),
          },
          body,
        })
        if (!ok) throw new Error(`the event was answered with status ${status}`)
      },
    },
  }
}
