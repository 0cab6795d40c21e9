// Clients: the people whom a venture serves. Their identity is fixed at registration; their contact data can change.

import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, changesOf, requireSequence, subjectOf } from '../audit/audit.ts'
import { type EventType, emit } from '../events/events.ts'
import { type Actor, type By, isVentures, theService } from '../platform/actor.ts'
import { Batches } from '../platform/batches.ts'
import { now } from '../platform/clock.ts'
import { type Accompanied, accompanied, acquireCompanions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { ageOn, todayUtc } from '../values/calendar.ts'
import { emailKey } from '../values/email.ts'
import { Refusal, refuse } from '../values/refusals.ts'
import { findManaged, getVenture, requireUnreserved, type Venture } from '../ventures/ventures.ts'
import { findClients } from './clients.find.ts'
import { enqueueHold, type Frozen, holdJob } from './clients.hold.ts'
import {
  Client,
  type ClientList,
  type ClientUpdate,
  identityFields,
  KycStatus,
  type PersonRegistration,
  RiskLevel,
} from './clients.schemas.ts'
import { enqueueScreening, screenJob, type ToScreen, toScreen } from './clients.screening.ts'
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
import { countClientsInVerification } from './clients.statistics.ts'

export type { ClientRow, Frozen, ToScreen }
export { Client, countClientsInVerification, enqueueHold, findClients, holdJob, KycStatus, RiskLevel, screenJob, toScreen }

const minAge = 18

/** The venture that a client belongs to, and who processes its transfers. */
type Owner = Pick<Venture, 'id' | 'control'>

/** Registrations share transactions: each must claim its email, and concurrent registrations wait for the same commit. */
export type Registrations = Batches<Registration, Client>

/** `open`: decided while the venture made every move itself. */
type Registration = Accompanied & { client: ClientRow; actor: Actor; open: boolean }

export function openRegistrations(database: Database): Registrations {
  return new Batches<Registration, Client>((commands, since_ms) => database.transaction((tx) => register(tx, commands), since_ms), {
    wait_ms: database.limits.queue_ms,
    gathers: database.favoursLargeBatches,
    apart: database.placement.apart(({ client }) => client.venture_id),
  })
}

async function register(tx: Tx, commands: readonly Registration[]): Promise<(Client | Refusal)[]> {
  // One after the other, because a registration that is refused here must not claim an email that another one wants.
  const companions = await acquireCompanions(tx, commands, true)
  const managed = await findManaged(
    tx,
    commands.filter(({ open }) => open).map(({ client }) => client.venture_id),
  )
  const refusals = commands.map(({ client, open }, index) => {
    return companions.refusalOf(index) ?? (open && managed.has(client.venture_id) ? new Refusal('resource_changed', overtaken) : undefined)
  })
  const free = commands.filter((_, index) => refusals[index] === undefined).map(({ client }) => client)
  const claimed = await claimEmails(tx, free)
  const results = commands.map(({ client }, index) => {
    return refusals[index] ?? (claimed.has(client.id) ? client : new Refusal('email_used'))
  })
  const accepted = free.filter(({ id }) => claimed.has(id))
  if (accepted.length > 0) {
    const actors = new Map(commands.map(({ client, actor }) => [client.id, actor]))
    insertClients(tx, accepted)
    emit(
      tx,
      ...accepted.map((client) => ({
        actor: actors.get(client.id) ?? theService,
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

const overtaken = {
  detail: "The bank has just started to process the venture's transfers. Send the request again: what it may ask for has changed.",
}

/** A registration by a person of the bank. With four-eyes approval, it takes two people to decide that a client needs no verification. */
export function registerByBank(
  approvals: Approvals,
  registrations: Registrations,
  venture: Owner,
  person: PersonRegistration,
  by: By,
): Promise<Client | Approval> {
  const id = uuidv7()
  const wanted = { venture_id: venture.id, action: registerAction, resource_id: id, payload: person, reference: emailKey(person.email) }
  return actOrRequest(approvals, wanted, by, (allowed) => registerPerson(registrations, venture, person, { ...allowed, id }))
}

const registerAction = 'register-client'
const seenFields = ['first_name', 'last_name', 'date_of_birth', 'nationality', 'email', 'kyc_level', 'risk_level'] as const

/** `id`: generated here unless the caller has to know it beforehand. */
export async function registerPerson(
  registrations: Registrations,
  venture: Owner,
  person: PersonRegistration,
  { id = uuidv7(), ...by }: By & { id?: string },
): Promise<Client> {
  // A client that does not exist yet has no changes, so the sequence is 0.
  if (venture.control === 'MANAGED') requireUnreserved('registerPerson', person, by, 0)
  const at = now()
  const age = ageOn(person.date_of_birth, todayUtc(at))
  if (age < minAge)
    refuse('client_underage', {
      detail: `A client must be at least ${minAge} years old; according to date_of_birth, this one is ${Math.max(age, 0)}.`,
    })
  const { kyc_level = 'FULL_KYC', risk_level = 'Low' } = person
  const client: ClientRow = {
    ...unsetOptionalFields,
    ...person,
    venture_id: venture.id,
    id,
    kyc_level,
    risk_level,
    kyc_status: kyc_level === 'NOT_REQUIRED' ? 'NOT_STARTED' : 'CREATED',
    kyc_note: null,
    blocked: false,
    is_blacklisted: false,
    blacklisted_comment: null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    sequence: 1,
    blocked_by_bank: false,
    blacklisted_by_bank: false,
  }
  by.witness?.(subjectOf({ changes: changesOf<ClientRow>(seenFields, {}, client) }))
  const { venture_id } = client
  const companions =
    venture.control === 'MANAGED'
      ? [...(by.companions ?? []), toScreen({ venture_id, kind: 'client', id, cause: 'created' })]
      : by.companions
  return registrations.submit({ client, actor: by.actor, open: venture.control === 'OPEN', companions })
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

export function updateClient(database: Database, venture: Owner, id: string, update: ClientUpdate, by: By): Promise<Client> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const client = await getLockedClient(tx, venture.id, id)
      requireSequence(client, by.sequence)
      requireSameIdentity(client, update)
      if (venture.control === 'MANAGED') requireUnreserved('updateClient', { client, update }, by, client.sequence)
      const next = { ...client, ...update, ...marksAfter(client, update, by) }
      by.witness?.(subjectOf({ changes: changesOf<ClientRow>(Object.keys(update) as (keyof ClientUpdate)[], client, next) }))
      if (Object.keys(next).every((field) => next[field as keyof ClientRow] === client[field as keyof ClientRow]))
        return shown(Client, client)
      if (emailKey(next.email) !== emailKey(client.email)) {
        // Claim the new email first: while this transaction waits for it, others must not have to wait for the old one.
        if (!(await claimEmails(tx, [next])).has(id)) refuse('email_used')
        await releaseEmail(tx, client.email)
      }
      if (venture.control === 'MANAGED' && isFrozenNow(client, next)) await enqueueHold(tx, { venture_id: venture.id, client_id: id })
      if (venture.control === 'MANAGED' && next.country_code !== client.country_code)
        await enqueueScreening(tx, { venture_id: venture.id, kind: 'client', id, cause: 'changed' })
      return saveClient(tx, next, 'client.updated')
    }),
  )
}

/** Blacklists a client for the bank, in the transaction of the cause. The service then holds the client's unsent transfers. */
export async function blacklistByBank(tx: Tx, venture_id: string, id: string): Promise<void> {
  const client = await getLockedClient(tx, venture_id, id)
  if (client.blacklisted_by_bank) return
  await enqueueHold(tx, { venture_id, client_id: id })
  await saveClient(tx, { ...client, is_blacklisted: true, blacklisted_by_bank: true }, 'client.updated')
}

/** With four-eyes approval, it takes two people of the bank to lift the bank's own block or blacklisting, or to lower a client's risk. */
export function changeClient(
  approvals: Approvals,
  venture: Owner,
  { id, update }: { id: string; update: ClientUpdate },
  by: By,
): Promise<Client | Approval> {
  const action = update.blocked === false || update.is_blacklisted === false ? unblockAction : changeAction
  return actOrRequest(approvals, { venture_id: venture.id, action, resource_id: id, payload: update }, by, (allowed) =>
    updateClient(approvals.database, venture, id, update, allowed),
  )
}

const unblockAction = 'unblock-client'
const changeAction = 'change-client'

/** A block or blacklisting by the bank is marked as the bank's, even if the venture has already blocked the client. */
function marksAfter(client: ClientRow, { blocked, is_blacklisted }: ClientUpdate, { actor }: By) {
  const after = (given: boolean | undefined, mark: boolean) => (given === undefined ? mark : given && (mark || !isVentures(actor)))
  return {
    blocked_by_bank: after(blocked, client.blocked_by_bank),
    blacklisted_by_bank: after(is_blacklisted, client.blacklisted_by_bank),
  }
}

function isFrozenNow(before: ClientRow, after: ClientRow): boolean {
  return (after.blocked_by_bank && !before.blocked_by_bank) || (after.blacklisted_by_bank && !before.blacklisted_by_bank)
}

/** What the bank's people can do with clients only together. The payload is the update. */
export function clientApprovals(database: Database): ApprovalHandler[] {
  const registrations = openRegistrations(database)
  const change = (action: string): ApprovalHandler => ({
    action,
    operations: ['updateClient'],
    async carryOut({ venture_id, resource_id, sequence, payload }, by) {
      const venture = await getVenture(database, venture_id)
      return updateClient(database, venture, resource_id, payload as ClientUpdate, { ...by, approved: true, sequence })
    },
  })
  return [
    change(unblockAction),
    change(changeAction),
    {
      action: registerAction,
      operations: ['registerPerson'],
      async carryOut({ venture_id, resource_id: id, payload }, by) {
        const venture = await getVenture(database, venture_id)
        return registerPerson(registrations, venture, payload as PersonRegistration, { ...by, approved: true, id })
      },
    },
  ]
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
  const saved = { ...client, updated_at: now().toISOString(), sequence: client.sequence + 1 }
  const { venture_id, sequence } = saved
  const object = shown(Client, saved)
  writeClient(tx, saved)
  emit(tx, { venture_id, type, object, sequence, ...(previous_status === undefined ? {} : { previous_status }) })
  return object
}
