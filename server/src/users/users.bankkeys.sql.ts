// SQL statements for bank keys.
import { anchorRevocations } from '../platform/anchors.ts'
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, read, stated, write } from '../platform/database/sql.ts'
import type { BankKeyScope } from '../platform/http/access.ts'
import { pageOf } from '../platform/http/lists.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import type { Use } from '../platform/last-uses.ts'
import { BankKey, type BankKeyList } from './users.bankkeys.schemas.ts'

export type FoundBankKey = { key_hash: string; id: string; scope: BankKeyScope }

const isValid = fixed`revoked_at is null and (expires_at is null or expires_at > bank_now())`

export const selectByHashes = (hashes: readonly string[]) => read<FoundBankKey>`
  select key_hash, id, scope from bank_keys where key_hash = any(${hashes}) and ${isValid}`

const columns = columnsOf(BankKey)

export function insertBankKey(tx: Tx, row: BankKey & { key_hash: string }): Promise<number> {
  return tx.run(stated`
    insert into bank_keys (id, key_hash, name, prefix, scope, expires_at, created_at)
    values (${row.id}, ${row.key_hash}, ${row.name}, ${row.prefix}, ${row.scope}, ${row.expires_at}, ${row.created_at})`)
}

export const selectBankKey = (id: string) => read<BankKey>`select ${columns} from bank_keys where id = ${id}`

export const selectBankKeys = (query: BankKeyList) => read<BankKey>`select ${columns} from bank_keys ${pageOf(query, {})}`

/** Keys are counted one transaction after the other, so that two of them cannot both take the last place. */
export async function lockBankKeys(tx: Tx): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(${bankKeysLock})`)
}
const bankKeysLock = 5_648_775

export const countBankKeys = read<{ count: number }>`select count(*)::int as count from bank_keys where revoked_at is null`

/** A key that has already been revoked keeps its time of revocation. */
export async function revokeBankKeyRow(tx: Tx, id: string, at: string): Promise<BankKey | undefined> {
  const revoked = await tx.first(stated<BankKey>`
    update bank_keys set revoked_at = coalesce(revoked_at, ${at}) where id = ${id} returning ${columns}`)
  if (revoked !== undefined) anchorRevocations(tx, 'bank_keys', revoked.revoked_at ?? at, [{ venture_id: bankId, id }])
  return revoked
}

/** Revokes a key again in a restored database. Returns 1 if it was valid there, otherwise 0. */
export function revokeBankKeyAgain(tx: Tx, { id, at }: { id: string; at: string }): Promise<number> {
  return tx.run(stated`update bank_keys set revoked_at = ${at} where id = ${id} and revoked_at is null`)
}

export function writeBankKeyUses(tx: Tx, uses: readonly Use[]): Promise<number> {
  return tx.run(write`
    update bank_keys set last_used_at = greatest(last_used_at, used.at)
    from unnest(${uses.map(({ name }) => name)}::text[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (key_hash, at)
    where bank_keys.key_hash = used.key_hash`)
}
