// Previews an order: its create and moves, decided by the real code over rows that are thrown away.
import { theService } from '../../platform/actor.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Policy, policyOf } from '../../policies/policies.ts'
import { Refusal } from '../../values/refusals.ts'
import { Batch, type BatchAccount } from '../deciding/transfers.batch.ts'
import type { CreateCommand } from '../deciding/transfers.commands.ts'
import { decide } from '../deciding/transfers.decide.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import { type StandingNow, standingIn } from '../deciding/transfers.standing.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { TransferUpdate } from '../life/transfers.schemas.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { selectOwners } from '../writing/transfers.lock.sql.ts'
import { findClaims } from '../writing/transfers.lock.ts'
import { planBatch } from '../writing/transfers.plan.ts'
import { selectChildRows, selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { findCollected, findRails, findTerms } from '../writing/transfers.terms.ts'

type Decided = { transfer: TransferRow; account: BatchAccount; policy: Policy | undefined; bank: BankIdentity; now: Date }

/** Each move changes the transfer, and the balances and limits of its account. */
export class Preview {
  readonly transfer: TransferRow
  readonly account: BatchAccount
  /** Undefined if the venture processes its own transfers. */
  readonly policy: Policy | undefined
  readonly #batch: Batch
  readonly #bank: BankIdentity
  readonly #now: Date

  constructor(batch: Batch, { transfer, account, policy, bank, now }: Decided) {
    this.transfer = transfer
    this.account = account
    this.policy = policy
    this.#batch = batch
    this.#bank = bank
    this.#now = now
  }

  /** As the worker would find it now. */
  get standing(): StandingNow {
    const standing = standingIn(this.#batch, this.transfer)
    if (standing === undefined) throw new Error('an order was accepted without an account')
    return standing
  }

  /** The verification of the payee that the order would rely on. */
  get verification() {
    return this.#batch.verification(this.transfer)
  }

  /** Makes moves of the service. If they are refused, returns why, and nothing has moved. */
  move([status, ...steps]: readonly TransferStatus[], reason: Omit<TransferUpdate, 'status'> = {}): Refusal | undefined {
    const { venture_id, id: transfer_id } = this.transfer
    if (status === undefined) return undefined
    const command = {
      kind: 'update',
      venture_id,
      transfer_id,
      update: { status, ...reason },
      steps,
      actor: theService,
      now: this.#now,
    } as const
    const result = this.#batch.attempt(() => decide(this.#batch, this.#bank, command))
    return result instanceof Refusal ? result : undefined
  }
}

/** An order that would be refused, with the current account. */
export type RefusedPreview = { refusal: Refusal; account: BatchAccount | undefined; policy: Policy | undefined }

export async function previewTransfer(database: Database, bank: BankIdentity, command: CreateCommand): Promise<Preview | RefusedPreview> {
  const { batch, result } = await previewBatch(database, bank, command)
  const { venture_id, id, order, now } = command
  const account = batch.account(venture_id, order.account_id)
  const policy = account?.managed ? await policyOf(database, venture_id) : undefined
  if (result instanceof Refusal) return { refusal: result, account, policy }
  const transfer = batch.transfer(venture_id, id)
  if (transfer === undefined || account === undefined) throw new Error('an accepted order left no transfer or account')
  return new Preview(batch, { transfer, account, policy, bank, now })
}

/** Decides a create over rows that were read without a lock. Nothing is written: the batch is thrown away. */
async function previewBatch(database: Database, bank: BankIdentity, command: CreateCommand): Promise<{ batch: Batch; result: object }> {
  const plan = await planBatch(database, [command])
  const { beneficiaries } = plan
  const [{ accounts, clients }, transfers, children, claims] = await Promise.all([
    selectOwners(database, plan.accounts),
    selectTransferRows(database, plan.transfers),
    selectChildRows(database, plan.parents),
    findClaims(database, [command.order.unique_reference]),
  ])
  const mandates = await findCollected(database, [command])
  const terms = await findTerms(database, [command], { accounts, transfers, beneficiaries })
  const rails = await findRails(database, bank, accounts)
  const batch = new Batch({ accounts, transfers, children, clients, beneficiaries, claims, mandates, rails, ...terms })
  return { batch, result: batch.attempt(() => decide(batch, bank, command)) }
}
