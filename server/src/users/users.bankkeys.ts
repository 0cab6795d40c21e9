// Bank keys: each lets a connector do one thing, so that no connector needs the admin key or a person.

import { type Approval, type ApprovalHandler, type Approvals, actOrRequest } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { coalesce } from '../platform/coalesce.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import { LastUses } from '../platform/last-uses.ts'
import type { Logger } from '../platform/log.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { hashOf, makeKey, prefixOf } from '../ventures/ventures.ts'
import type { BankKey, BankKeyList, BankKeyWithSecret, NewBankKey } from './users.bankkeys.schemas.ts'
import {
  countBankKeys,
  type FoundBankKey,
  insertBankKey,
  lockBankKeys,
  revokeBankKeyRow,
  selectBankKey,
  selectBankKeys,
  selectByHashes,
  writeBankKeyUses,
} from './users.bankkeys.sql.ts'
import { bankId } from './users.sql.ts'

/** The maximum number of unrevoked bank keys. */
const mostKeys = 100

export type BankKeys = {
  /** The valid key with this hash. Nothing is cached, so a revoked key stops working immediately. */
  find(key_hash: string): Promise<FoundBankKey | undefined>
  /** When keys were last used, by hash. */
  uses: LastUses
}

export function openBankKeys(database: Database, log: Logger): BankKeys {
  const find = coalesce<string, FoundBankKey>(
    async (hashes) => new Map((await database.rows(selectByHashes(hashes))).map((row) => [row.key_hash, row])),
    { wait_ms: database.limits.answer_ms },
  )
  const write = async (uses: Parameters<typeof writeBankKeyUses>[1]) =>
    void (await database.transaction((tx) => writeBankKeyUses(tx, uses)))
  return { find, uses: new LastUses({ log, write }) }
}

const createAction = 'create-bank-key'

/** With four-eyes approval, it takes two people to give a connector rights. The approver gets the key. */
export function createBankKey(approvals: Approvals, wanted: NewBankKey, by: By): Promise<BankKeyWithSecret | Approval> {
  requireFuture(wanted)
  const id = uuidv7()
  const request = { venture_id: bankId, action: createAction, resource_id: id, payload: wanted }
  return actOrRequest(approvals, request, by, (allowed) => makeBankKey(approvals.database, id, wanted, allowed))
}

export function bankKeyApproval(database: Database): ApprovalHandler {
  return {
    action: createAction,
    operations: ['createBankKey'],
    carryOut: ({ resource_id, payload }, by) => makeBankKey(database, resource_id, payload as NewBankKey, { ...by, approved: true }),
  }
}

function makeBankKey(
  database: Database,
  id: string,
  { name, scope, expires_at = null }: NewBankKey,
  { companions, approved }: By,
): Promise<BankKeyWithSecret> {
  requireFuture({ expires_at })
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await lockBankKeys(tx)
      if (((await tx.first(countBankKeys))?.count ?? 0) >= mostKeys) refuse('key_limit')
      // A key that does not exist yet has no changes, so the sequence is 0.
      if (!approved) refuse('approval_required', { sequence: 0 })
      const api_key = makeKey('bank')
      const made = { id, prefix: prefixOf(api_key), created_at: now().toISOString() }
      const key: BankKey = { ...made, name, scope, expires_at, revoked_at: null, last_used_at: null }
      await insertBankKey(tx, { ...key, key_hash: hashOf(api_key) })
      tx.evidence = selectBankKey(id)
      return { ...key, api_key }
    }),
  )
}

function requireFuture({ expires_at }: Pick<NewBankKey, 'expires_at'>): void {
  if (expires_at != null && Date.parse(expires_at) <= now().getTime()) refuseField('expires_at', 'must be in the future')
}

export function listBankKeys(database: Database, query: BankKeyList): Promise<BankKey[]> {
  return database.rows(selectBankKeys(query))
}

export async function getBankKey(database: Database, id: string): Promise<BankKey> {
  return (await database.first(selectBankKey(id))) ?? refuse('api_key_not_found')
}

/** The key stops working immediately and stays in the list. Revoking protects, so one person is enough. */
export function revokeBankKey(database: Database, id: string, companions?: Companions): Promise<BankKey> {
  const at = now().toISOString()
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => (await revokeBankKeyRow(tx, id, at)) ?? refuse('api_key_not_found')),
  )
}
