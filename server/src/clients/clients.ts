// Clients: the persons whom a venture serves. Their identity is fixed at registration; contact data may change.
import { uuidv7 } from 'uuidv7'
import { type EventType, emit } from '../events/events.ts'
import { Batches } from '../platform/batches.ts'
import { type Accompanied, type Companions, claimCompanions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { ageOn, todayUtc } from '../values/calendar.ts'
import { emailKey } from '../values/email.ts'
import { Refusal, refuse } from '../values/refusals.ts'
import {
  Client,
  type ClientList,
  type ClientUpdate,
  identityFields,
  type KycStatus,
  type PersonRegistration,
  RiskLevel,
} from './clients.schemas.ts'
import {
  type ClientRow,
  claimEmails,
  insertClients,
  lockClient,
  releaseEmail,
  selectClient,
  selectClients,
  writeClient,
} from './clients.sql.ts'

export type { ClientRow, KycStatus }
export { Client, RiskLevel }

const minAge = 18

/** Registrations share transactions: each must claim its email, and concurrent registrations wait for one commit together. */
export type Registrations = Batches<Registration, Client>

type Registration = Accompanied & { client: ClientRow }

export function openRegistrations(database: Database): Registrations {
  return new Batches<Registration, Client>((commands, since_ms) => database.transaction((tx) => register(tx, commands), since_ms), {
    wait_ms: database.limits.queue_ms,
  })
}

async function register(tx: Tx, commands: readonly Registration[]): Promise<(Client | Refusal)[]> {
  // One after the other, because a registration that is refused here must not claim an email that another one wants.
  const companions = await claimCompanions(tx, commands, true)
  const free = commands.filter((_, index) => companions.refusalOf(index) === undefined).map(({ client }) => client)
  const claimed = await claimEmails(tx, free)
  const results = commands.map(({ client }, index) => {
    return companions.refusalOf(index) ?? (claimed.has(client.id) ? client : new Refusal('email_used'))
  })
  const accepted = free.filter(({ id }) => claimed.has(id))
  if (accepted.length > 0) {
    insertClients(tx, accepted)
    emit(
      tx,
      ...accepted.map((client) => ({
        venture_id: client.venture_id,
        type: 'client.created' as const,
        object: shown(Client, client),
        sequence: 1,
      })),
    )
  }
  companions.conclude(tx, (index) => results[index])
  return results
}

export function registerPerson(
  registrations: Registrations,
  venture_id: string,
  person: PersonRegistration,
  companions?: Companions,
): Promise<Client> {
  const now = new Date()
  const age = ageOn(person.date_of_birth, todayUtc(now))
  if (age < minAge)
    refuse('client_underage', {
      detail: `A client must be at least ${minAge} years old; by date_of_birth this one is ${Math.max(age, 0)}.`,
    })
  const { kyc_level = 'FULL_KYC', risk_level = 'Low' } = person
  const client: ClientRow = {
    ...unsetOptionalFields,
    ...person,
    venture_id,
    id: uuidv7(),
    kyc_level,
    risk_level,
    kyc_status: kyc_level === 'NOT_REQUIRED' ? 'NOT_STARTED' : 'CREATED',
    kyc_note: null,
    blocked: false,
    is_blacklisted: false,
    blacklisted_comment: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    sequence: 1,
  }
  return registrations.submit({ client, companions })
}

export const unsetOptionalFields = {
  middle_name: null,
  gender: null,
  state_province: null,
  second_email: null,
  mobile_phone_number: null,
  second_mobile_phone_number: null,
  external_client_code: null,
  planned_income: null,
  planned_expenditure: null,
}

export async function getClient(database: Database, venture_id: string, id: string): Promise<Client> {
  return (await database.first(selectClient(venture_id, id))) ?? refuse('client_not_found')
}

export function listClients(database: Database, venture_id: string, query: ClientList): Promise<Client[]> {
  return selectClients(database, venture_id, query)
}

export function updateClient(database: Database, venture_id: string, id: string, update: ClientUpdate): Promise<Client> {
  return database.transaction(async (tx) => {
    const client = await getLockedClient(tx, venture_id, id)
    requireSameIdentity(client, update)
    const next = { ...client, ...update }
    if (Object.keys(update).every((field) => next[field as keyof ClientRow] === client[field as keyof ClientRow]))
      return shown(Client, client)
    if (emailKey(next.email) !== emailKey(client.email)) {
      // Claim the new email first: while this transaction waits for it, others must not wait for our old one.
      if (!(await claimEmails(tx, [next])).has(id)) refuse('email_used')
      await releaseEmail(tx, client.email)
    }
    return saveClient(tx, next, 'client.updated')
  })
}

function requireSameIdentity(client: ClientRow, update: ClientUpdate): void {
  const changed = identityFields.filter((field) => update[field] !== undefined && update[field] !== client[field])
  if (changed.length === 0) return
  refuse('identity_field_immutable', {
    detail: `${changed.join(', ')} cannot be changed after registration. Leave identity fields out, or send their current values.`,
    errors: changed.map((field) => ({ field, message: 'cannot be changed after registration' })),
  })
}

export async function getLockedClient(tx: Tx, venture_id: string, id: string): Promise<ClientRow> {
  return (await lockClient(tx, venture_id, id)) ?? refuse('client_not_found')
}

/** Writes a locked client and emits an event. */
export async function saveClient(tx: Tx, client: ClientRow, type: EventType, previous_status?: KycStatus): Promise<Client> {
  const saved = { ...client, updated_at: new Date().toISOString(), sequence: client.sequence + 1 }
  const { venture_id, sequence } = saved
  const object = shown(Client, saved)
  writeClient(tx, saved)
  emit(tx, { venture_id, type, object, sequence, ...(previous_status === undefined ? {} : { previous_status }) })
  return object
}
