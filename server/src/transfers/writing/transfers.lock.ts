// Claims the references of a batch, locks its rows, and reads what decides behind the locks.
import type { Tx } from '../../platform/database/database.ts'
import type { Claim } from '../deciding/transfers.batch.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { lockAccounts, lockOwners, lockTransfers, type Owners } from './transfers.lock.sql.ts'
import type { Plan } from './transfers.plan.ts'
import { claimReferences, findClaims } from './transfers.references.ts'
import { selectChildRows, selectTransferRows } from './transfers.rows.sql.ts'
import { holdTurn, type Turn, takeTurn } from './transfers.turns.ts'

/** What a batch is decided over. */
export type Locked = {
  /** The transfers that got their references. */
  granted: ReadonlySet<string>
  lockedAccounts: ReadonlySet<string>
  lockedTransfers: ReadonlySet<string>
  owners: Owners
  transfers: readonly TransferRow[]
  children: readonly TransferRow[]
}

/** Without `wait`, rows that another transaction has locked are skipped. */
export async function lockAndRead(tx: Tx, plan: Plan, { turn, wait }: { turn: Turn | undefined; wait: boolean }): Promise<Locked> {
  const [granted, , , lockedAccounts, lockedTransfers, owners, transfers, children] = await Promise.all([
    claimReferences(tx, plan.claims),
    turn === undefined ? undefined : holdTurn(tx, turn),
    turn === undefined ? undefined : takeTurn(tx, turn),
    lockAccounts(tx, plan.accounts, wait),
    lockTransfers(tx, plan.transfers, wait),
    lockOwners(tx, plan.accounts),
    selectTransferRows(tx, plan.transfers),
    selectChildRows(tx, plan.parents),
  ])
  return { granted, lockedAccounts, lockedTransfers, owners, transfers, children }
}

/**
 * For a speculative batch, whose other locks are sent together with the writes: nothing that is sent behind them is carried out unless all of them are
 * taken.
 */
export async function claimOnly(tx: Tx, plan: Plan, turn: Turn, { accounts, clients }: Owners): Promise<Locked> {
  const [granted] = await Promise.all([claimReferences(tx, plan.claims), holdTurn(tx, turn)])
  // Deciding changes accounts, and those of the snapshot must stay as they are.
  const copies = accounts.map((account) => ({ ...account }))
  const lockedAccounts = new Set(accounts.map(({ id }) => id))
  return { granted, lockedAccounts, lockedTransfers: new Set(), owners: { accounts: copies, clients }, transfers: [], children: [] }
}

/** The current claims on the references. Only those that were not granted need a query; usually all are granted. */
export async function claimsOf(tx: Tx, wanted: Plan['claims'], granted: ReadonlySet<string>): Promise<Map<string, Claim>> {
  const refused = wanted.filter(({ transfer_id }) => !granted.has(transfer_id)).map(({ unique_reference }) => unique_reference)
  const claims = refused.length === 0 ? new Map<string, Claim>() : await findClaims(tx, refused)
  for (const { unique_reference, venture_id, transfer_id } of wanted) {
    if (granted.has(transfer_id)) claims.set(unique_reference, { venture_id, transfer_id })
  }
  return claims
}
