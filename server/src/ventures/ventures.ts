// Ventures: the tenants and their API keys.
import { uuidv7 } from 'uuidv7'
import { type EventType, emit } from '../events/events.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf, type KeyKind, makeKey, prefixOf } from './ventures.keys.ts'
import { Venture, type VentureList, type VentureRegistration, type VentureUpdate, type VentureWithKey } from './ventures.schemas.ts'
import {
  insertVenture,
  lockVenture,
  selectVenture,
  selectVentureIds,
  selectVentures,
  updateKey,
  updateVentureRow,
  type VentureRow,
} from './ventures.sql.ts'

export type { Venture, VentureWithKey }

type Bank = { database: Database; keyKind: KeyKind }

export function registerVenture(
  { database, keyKind }: Bank,
  { name }: VentureRegistration,
  companions?: Companions,
): Promise<VentureWithKey> {
  const api_key = makeKey(keyKind)
  const api_key_prefix = prefixOf(api_key)
  const venture: Venture = { id: uuidv7(), name, status: 'ACTIVE', api_key_prefix, created_at: new Date().toISOString() }
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      tx.evidence = selectVenture(venture.id)
      await insertVenture(tx, venture, { api_key_hash: hashOf(api_key), api_key_prefix })
      return { ...venture, api_key }
    }),
  )
}

export function listVentures(database: Database, query: VentureList): Promise<Venture[]> {
  return database.rows(selectVentures(query))
}

/** The ids of all ventures, for work that is done for each of them. */
export async function listVentureIds(database: Database): Promise<string[]> {
  return (await database.rows(selectVentureIds)).map(({ id }) => id)
}

export async function getVenture(database: Database, id: string): Promise<Venture> {
  return (await database.first(selectVenture(id))) ?? refuse('venture_not_found')
}

/** An update that changes nothing writes nothing and emits no event. */
export function updateVenture(database: Database, id: string, update: VentureUpdate): Promise<Venture> {
  return database.transaction(async (tx) => {
    const current = (await tx.first(lockVenture(id))) ?? refuse('venture_not_found')
    const { name = current.name, status = current.status } = update
    if (name === current.name && status === current.status) return current
    const venture = (await updateVentureRow(tx, id, update)) ?? refuse('venture_not_found')
    return emitChange(tx, 'venture.updated', venture)
  })
}

/** The old key is invalid after the commit. `replacing` is the hash of the caller's key, or null if the operator replaces a lost key. */
export function rotateKey({ database, keyKind }: Bank, id: string, replacing: string | null): Promise<VentureWithKey> {
  const api_key = makeKey(keyKind)
  const key = { api_key_hash: hashOf(api_key), api_key_prefix: prefixOf(api_key) }
  return database.transaction(async (tx) => {
    const venture = (await updateKey(tx, id, key, replacing)) ?? refuseRotation(replacing)
    return { ...(await emitChange(tx, 'venture.key_rotated', venture)), api_key }
  })
}

function refuseRotation(replacing: string | null): never {
  if (replacing === null) refuse('venture_not_found')
  refuse('unauthorized', { detail: 'This API key has just been rotated by another request. Use the new key.' })
}

async function emitChange(tx: Tx, type: EventType, row: VentureRow): Promise<Venture> {
  const venture = shown(Venture, row)
  emit(tx, { venture_id: venture.id, type, object: venture, sequence: row.sequence })
  return venture
}
