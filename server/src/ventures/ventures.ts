// Ventures: the tenants and their API keys.

import {
  type Approval,
  type ApprovalHandler,
  type Approvals,
  type ApprovedRequest,
  actOrRequest,
  requestApproval,
  requireSequence,
} from '../audit/audit.ts'
import { type EventType, emit } from '../events/events.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { hasAllScopes, type Scope, scopes } from '../platform/http/access.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { refuse } from '../values/refusals.ts'
import { isValidKey, revokeAllKeys, revokeValidKey } from './ventures.apikeys.sql.ts'
import { type Bank, createKey, issueKey, type KeyRing, openKeyRing, requireFuture } from './ventures.apikeys.ts'
import { hashOf, isBankKey, isWellFormed, type KeyKind, makeKey, prefixOf } from './ventures.keys.ts'
import { cancellable, holdable, type Operation, type Reservation, requireUnreserved, reservationOf } from './ventures.reserved.ts'
import {
  type ApiKeyWithSecret,
  type Control,
  type NewApiKey,
  Venture,
  type VentureList,
  type VentureRegistration,
  type VentureUpdate,
  type VentureWithKey,
} from './ventures.schemas.ts'
import {
  countKeyChange,
  holdControls,
  houseId,
  insertVenture,
  lockVenture,
  oldestPrefix,
  selectManagedIds,
  selectVenture,
  selectVentureIds,
  selectVentures,
  selectVenturesByName,
  updateVentureRow,
  type VentureRow,
  ventureColumns,
} from './ventures.sql.ts'

export type { Control, KeyRing, Operation, Reservation, Scope, VentureWithKey }
export {
  cancellable,
  hasAllScopes,
  hashOf,
  holdable,
  houseId,
  isBankKey,
  isValidKey,
  isWellFormed,
  makeKey,
  oldestPrefix,
  openKeyRing,
  prefixOf,
  requireUnreserved,
  reservationOf,
  scopes,
  Venture,
  ventureColumns,
}

/** The key that the bank creates for a new venture. The response shows it to the bank. */
const firstKey = { name: 'First key', scopes, expires_at: null, seen_by_bank: true } as const

/** The ventures of one bank. */
export type Registry = {
  database: Database
  keyKind: KeyKind
  defaultControl: Control
  /** Whether the bank may process for ventures: moving real money of clients takes two people. */
  mayManage: boolean
  books: Books
}

export type Ventures = Registry & { approvals: Approvals }

/** A venture's data is to the right of this folder, so this function is injected. */
type Books = {
  /** Whether the venture has a client, a transfer or an entry. */
  exist(tx: Tx, venture_id: string): Promise<boolean>
}

export function registerVenture(
  { database, keyKind, defaultControl, mayManage }: Registry,
  { name, control = defaultControl }: VentureRegistration,
  companions?: Companions,
): Promise<VentureWithKey> {
  if (control === 'MANAGED' && !mayManage) refuse('four_eyes_off')
  const id = uuidv7()
  const created_at = now().toISOString()
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      tx.evidence = selectVenture(id)
      const venture: Venture = { id, name, status: 'ACTIVE', control, api_key_prefix: null, created_at }
      await insertVenture(tx, venture)
      const { api_key, prefix } = await issueKey(tx, keyKind, { ...firstKey, venture_id: id })
      return { ...venture, api_key_prefix: prefix, api_key }
    }),
  )
}

export function listVentures(database: Database, query: VentureList): Promise<Venture[]> {
  return database.rows(selectVentures(query))
}

/** The ids of all ventures, for work that has to be done for each of them. */
export async function listVentureIds(database: Database): Promise<string[]> {
  return (await database.rows(selectVentureIds)).map(({ id }) => id)
}

export function findVenturesByName(database: Database, name: string, limit: number): Promise<{ id: string; name: string }[]> {
  return database.rows(selectVenturesByName(name, limit))
}

/** Also finds the house, because the bank's people may read its books. */
export function findVenture(database: Reader, id: string): Promise<VentureRow | undefined> {
  return database.first(selectVenture(id))
}

/** The ids of the ventures whose transfers the bank processes. */
export async function listManagedIds(database: Database): Promise<string[]> {
  return (await database.rows(selectManagedIds)).map(({ id }) => id)
}

/** Whether the bank processes the venture's transfers. This cannot change until the transaction ends. */
export async function isManaged(tx: Tx, venture_id: string): Promise<boolean> {
  const [{ control } = refuse('venture_not_found')] = await holdControls(tx, [venture_id])
  return control === 'MANAGED'
}

/** Which of these ventures the bank processes for. This cannot change until the transaction ends. */
export async function findManaged(tx: Tx, venture_ids: readonly string[]): Promise<Set<string>> {
  const rows = venture_ids.length === 0 ? [] : await holdControls(tx, [...new Set(venture_ids)])
  return new Set(rows.filter(({ control }) => control === 'MANAGED').map(({ id }) => id))
}

/** The bank's side can only book something for ventures whose transfers it processes. */
export async function requireManaged(database: Database, id: string): Promise<void> {
  if ((await getVenture(database, id)).control !== 'MANAGED') refuse('venture_not_managed')
}

export async function getVenture(database: Database, id: string): Promise<VentureRow> {
  const venture = id === houseId ? undefined : await findVenture(database, id)
  return venture ?? refuse('venture_not_found')
}

const enableAction = 'enable-venture'
const controlAction = 'change-control'
const replaceKeyAction = 'replace-venture-key'
const createKeyAction = 'create-venture-key'

/** One person can do what protects. With four-eyes approval, enabling a venture again and changing its control take a second one. */
export function updateVenture(
  { approvals, ...registry }: Ventures,
  id: string,
  update: VentureUpdate,
  by: By,
): Promise<Venture | Approval> {
  const action = update.control === undefined ? enableAction : controlAction
  return actOrRequest(approvals, { venture_id: id, action, resource_id: id, payload: update }, by, (allowed) =>
    changeVenture(registry, id, update, allowed),
  )
}

/** An update that changes nothing writes nothing and emits no event. */
function changeVenture(
  { database, books, mayManage }: Registry,
  id: string,
  update: VentureUpdate,
  { companions, approved = false, sequence }: By,
): Promise<Venture> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const current = (await lockVenture(tx, id)) ?? refuse('venture_not_found')
      requireSequence(current, sequence)
      const { name = current.name, status = current.status, control = current.control } = update
      if (name === current.name && status === current.status && control === current.control) return shown(Venture, current)
      if (control !== current.control && control === 'MANAGED' && !mayManage) refuse('four_eyes_off')
      // Anything that depends on the control begins with a client, who is registered under a lock of the venture, so this cannot change any
      // more.
      if (control !== current.control && (await books.exist(tx, id))) refuse('venture_has_books')
      // Decided under the lock, because the venture may just have been disabled.
      const releases = control !== current.control || (status === 'ACTIVE' && current.status !== 'ACTIVE')
      if (releases && !approved) refuse('approval_required', { sequence: current.sequence })
      await updateVentureRow(tx, id, update)
      return emitChange(tx, 'venture.updated', id)
    }),
  )
}

/** What the bank's people can do with ventures only together. */
export function ventureApprovals(registry: Registry): ApprovalHandler[] {
  const change = ({ resource_id, sequence }: ApprovedRequest, update: VentureUpdate, by: By) =>
    changeVenture(registry, resource_id, update, { ...by, approved: true, sequence })
  return [
    {
      action: enableAction,
      operations: ['updateVenture'],
      carryOut: (approval, by) => change(approval, { ...approval.payload, status: 'ACTIVE' }, by),
    },
    { action: controlAction, operations: ['updateVenture'], carryOut: (approval, by) => change(approval, approval.payload, by) },
    {
      action: replaceKeyAction,
      operations: ['replaceVentureKey'],
      carryOut: ({ resource_id, sequence }, by) => replaceKeys(registry, resource_id, { ...by, sequence }),
    },
    {
      action: createKeyAction,
      operations: ['createVentureKey', 'createKey'],
      carryOut: ({ resource_id, sequence, payload }, by) =>
        createKey(registry, resource_id, payload as NewApiKey, { ...by, sequence, seen_by_bank: true }),
    },
  ]
}

/** Replaces a venture's key by another with the same name, scopes and expiry. The old key is invalid after the commit. */
export function rotateOwnKey(
  { database, keyKind }: Bank,
  key: { venture_id: string; id: string },
  companions?: Companions,
): Promise<VentureWithKey> {
  const { venture_id } = key
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      // Rotations of one venture take turns, so the second of two rotations with the same key finds it revoked.
      const venture = await lockVenture(tx, venture_id)
      const old = venture?.status === 'ACTIVE' ? await revokeValidKey(tx, key, now().toISOString()) : undefined
      if (old === undefined)
        return refuse('unauthorized', { detail: 'This API key has just been rotated by another request. Use the new key.' })
      const { api_key } = await issueKey(tx, keyKind, { ...old, venture_id })
      return { ...(await emitKeyChange(tx, venture_id)), api_key }
    }),
  )
}

/** For a lost key. With four-eyes approval, the approver gets the new key. */
export async function replaceVentureKey({ approvals, ...registry }: Ventures, id: string, by: By): Promise<VentureWithKey | Approval> {
  if (!approvals.fourEyes) return replaceKeys(registry, id, by)
  return requestForVenture(approvals, id, { action: replaceKeyAction, payload: {} }, by)
}

/** Creates a key for a venture, which the bank therefore sees. With four-eyes approval, the approver gets it. */
export async function createVentureKey(
  { approvals, ...registry }: Ventures,
  id: string,
  wanted: NewApiKey,
  by: By,
): Promise<ApiKeyWithSecret | Approval> {
  if (!approvals.fourEyes) return createKey(registry, id, wanted, { ...by, seen_by_bank: true })
  requireFuture(wanted)
  return requestForVenture(approvals, id, { action: createKeyAction, payload: wanted }, by)
}

async function requestForVenture(approvals: Approvals, id: string, wanted: { action: string; payload: object }, by: By): Promise<Approval> {
  const { sequence } = await getVenture(approvals.database, id)
  return requestApproval(approvals, { venture_id: id, resource_id: id, sequence, ...wanted }, by)
}

/** Revokes all keys of a venture and creates one with all scopes. */
function replaceKeys({ database, keyKind }: Bank, id: string, { companions, sequence }: By): Promise<VentureWithKey> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      requireSequence((await lockVenture(tx, id)) ?? refuse('venture_not_found'), sequence)
      await revokeAllKeys(tx, id, now().toISOString())
      const { api_key } = await issueKey(tx, keyKind, { ...firstKey, venture_id: id })
      return { ...(await emitKeyChange(tx, id)), api_key }
    }),
  )
}

async function emitKeyChange(tx: Tx, id: string): Promise<Venture> {
  await countKeyChange(tx, id)
  return emitChange(tx, 'venture.key_rotated', id)
}

async function emitChange(tx: Tx, type: EventType, id: string): Promise<Venture> {
  const row = (await tx.first(selectVenture(id))) ?? refuse('venture_not_found')
  const venture = shown(Venture, row)
  emit(tx, { venture_id: venture.id, type, object: venture, sequence: row.sequence })
  return venture
}
