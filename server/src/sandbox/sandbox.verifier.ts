// The stand-in for an identity verifier: it stores applications, lets a person decide them on a page, and reports each decision by a signed
// event over HTTP, like a real verifier.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { fixed, read, write } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
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

export type SandboxApplication = {
  id: string
  client_id: string
  /** The applicant's name. */
  name: string
  /** The name of the client's venture; null if the service has no such client. */
  venture: string | null
  token: string
  events_sent: number
  decision: Outcome | null
}

type StoredApplication = Omit<SandboxApplication, 'venture'>

const columns = fixed`id, client_id, name, token, events_sent, decision`

/** A separate statement, because in a distributed database the client is on another server. */
async function withVenture(reader: Reader, stored: StoredApplication): Promise<SandboxApplication> {
  const venture = await reader.first(read<{ name: string }>`
    select venture.name from clients client join ventures venture on venture.id = client.venture_id where client.id = ${stored.client_id}::uuid`)
  return { ...stored, venture: venture?.name ?? null }
}

const sendEventJob = 'sandbox.send_kyc_event'

/** Opens an application, or returns the client's existing one. A client whose last name is an outcome is decided immediately. */
export function openSandboxApplication(database: Database, client: { client_id: string; first_name: string; last_name: string }) {
  return database.transaction(async (tx) => {
    const token = randomBytes(24).toString('base64url')
    const opened = await tx.first(write<StoredApplication>`
      insert into sandbox_applications (id, client_id, name, token)
      values (${uuidv7()}, ${client.client_id}, ${`${client.first_name} ${client.last_name}`}, ${token})
      on conflict (client_id) do nothing
      returning ${columns}`)
    if (opened === undefined) return withVenture(tx, (await find(tx, 'client_id', client.client_id)) ?? refuse('application_not_found'))
    const magic = outcomes.find((outcome) => outcome === client.last_name.toUpperCase())
    if (magic !== undefined) await decide(tx, opened, magic)
    return withVenture(tx, opened)
  })
}

export async function findSandboxApplication(database: Database, token: string): Promise<SandboxApplication> {
  const stored = await database.first(read<StoredApplication>`select ${columns} from sandbox_applications where token = ${token}`)
  return withVenture(database, stored ?? refuse('application_not_found'))
}

const patience_ms = 5_000
const pause_ms = 100

/**
 * Decides the application of a client. A job opens it a moment after the onboarding details were submitted, so a decision right after
 * submitting waits for it here.
 */
export async function decideForClient(
  database: Database,
  { venture_id, client_id }: { venture_id: string; client_id: string },
  outcome: Outcome,
  companions?: Companions,
): Promise<void> {
  const end = performance.now() + patience_ms
  while (await isBeingOpened(database, venture_id, client_id)) {
    if (performance.now() >= end) {
      refuse('application_not_found', {
        detail:
          `The onboarding details were submitted, but the verifier has not opened the application within ${patience_ms / 1000} seconds. ` +
          'Try again in a moment. If this persists, look for failed jobs of the kind kyc.open_application in the log of the service.',
      })
    }
    await sleep(pause_ms)
  }
  await decideApplication(database, { client_id }, outcome, companions)
}

/** Whether the client's onboarding details were submitted, but the sandbox has no application yet. */
async function isBeingOpened(database: Database, venture_id: string, client_id: string): Promise<boolean> {
  const waiting = await database.first(read`
    select id from onboarding_details where venture_id = ${venture_id} and client_id = ${client_id} and kyc_application_id is null`)
  if (waiting === undefined) return false
  return (await database.first(read`select id from sandbox_applications where client_id = ${client_id}`)) === undefined
}

type Sought = { token: string } | { client_id: string }

export async function decideApplication(database: Database, sought: Sought, outcome: Outcome, companions?: Companions): Promise<void> {
  const [by, value] = 'token' in sought ? (['token', sought.token] as const) : (['client_id', sought.client_id] as const)
  const decideOne = async (tx: Tx): Promise<StoredApplication> => {
    const application = (await find(tx, by, value)) ?? refuse('application_not_found', notOpened[by])
    await decide(tx, application, outcome)
    return application
  }
  await database.transaction((tx) => accompanied(tx, companions, () => decideOne(tx)))
}

const notOpened = {
  token: { detail: 'There is no application at this address. Check the kyc_link of the onboarding details.' },
  client_id: {
    detail:
      'The client has no application at the sandbox verifier. Submit the onboarding details first: ' +
      'POST /api/v1/clients/{client_id}/onboarding/details.',
  },
}

function find(tx: Tx, by: 'token' | 'client_id', value: string): Promise<StoredApplication | undefined> {
  return by === 'token'
    ? tx.first(read<StoredApplication>`
        select ${columns} from sandbox_applications where token = ${value} for update`)
    : tx.first(read<StoredApplication>`
        select ${columns} from sandbox_applications where client_id = ${value} for update`)
}

async function decide(tx: Tx, { id, client_id, events_sent }: StoredApplication, outcome: Outcome): Promise<void> {
  const sequence = events_sent + 1
  await tx.run(write`update sandbox_applications set decision = ${outcome}, events_sent = ${sequence} where id = ${id}`)
  await enqueue(tx, sendEventJob, {
    id: uuidv7(),
    type: eventTypes[outcome],
    created_at: now().toISOString(),
    application_id: id,
    client_id,
    sequence,
    data: { note: `Decided in the sandbox: ${outcome}` },
  })
}

type Options = { url(): string; apiKey: string; webhookSecret: string }

/** Sends events like a verifier: signed, over HTTP, until they are accepted. */
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
