// One batch in one transaction: plan, claim, lock and read, decide, write.
import { findAccounts } from '../../accounts/accounts.ts'
import { acquireCompanions } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { Pace } from '../../platform/pace.ts'
import { Refusal } from '../../values/refusals.ts'
import { Batch, type Claim } from '../deciding/transfers.batch.ts'
import { asksForCase, type Command, type CreateCommand } from '../deciding/transfers.commands.ts'
import { decide } from '../deciding/transfers.decide.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import { type StandingNow, standingIn } from '../deciding/transfers.standing.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import { isTerminal } from '../life/transfers.status.ts'
import { type ContinueNew, continueTransfers, isPlainOrder } from './transfers.continue.ts'
import type { Key } from './transfers.keys.ts'
import { findUndecided, type Owners } from './transfers.lock.sql.ts'
import { claimOnly, claimsOf, type Locked, lockAndRead, releaseClaims, type Turn, takeTurn } from './transfers.lock.ts'
import { type AccompaniedCommand, type Plan, planBatch } from './transfers.plan.ts'
import { lockSnapshot } from './transfers.snapshot.ts'
import { findCollected, findRails, findTerms } from './transfers.terms.ts'
import { writeChanges, writeNew } from './transfers.write.ts'

export type Result = Transfer | Refusal

/** Another transaction has locked a row of the command. The command is run again and then waits for it. */
export const lockedElsewhere = Symbol('locked by another transaction')

export type Outcome = Result | typeof lockedElsewhere

/** A managed transfer has changed. `standing`: as committed, if the batch knows all of it. */
export type Changed = Key & { standing?: StandingNow | undefined }

/** `isSpeculative`: decided over a snapshot rather than over locked rows. */
type Decided = { results: Outcome[]; managed: Changed[]; isSpeculative: boolean }

/** What the schedule knows about the rows left by earlier batches. */
type Speculation = {
  ownersFor(commands: readonly Command[], plan: Plan): Owners | undefined
  keep(owners: Owners, locked: ReadonlySet<string>): void
}

/** Only a batch with a turn can be speculative. */
type Run = {
  commands: readonly AccompaniedCommand[]
  continueNew: ContinueNew | undefined
  turn?: Turn | undefined
  speculation?: Speculation | undefined
}

export async function runBatch(tx: Tx, bank: BankIdentity, { commands, ...run }: Run, wait: boolean): Promise<Decided> {
  const [companions, planned] = await Promise.all([acquireCompanions(tx, commands, wait), planBatch(tx, commands)])
  // A command that its companion blocks takes no further part, so it neither waits nor makes others wait.
  const free = commands.filter((_, index) => companions.blockOf(index) === undefined)
  const plan = free.length === commands.length ? planned : await planBatch(tx, free)
  const decided = await decideBatch(tx, bank, { commands: free, plan, ...run }, wait)
  const next = decided.results.values()
  const results = commands.map((_, index) => {
    const block = companions.blockOf(index)
    return block === undefined ? (next.next().value as Outcome) : block === 'held' ? lockedElsewhere : block
  })
  companions.conclude(tx, (index) => (results[index] === lockedElsewhere ? undefined : results[index]))
  return { ...decided, results }
}

/** Runs one command in a transaction that another folder has opened, and waits for the locks. A refusal leaves nothing behind. */
export async function runInTransaction(tx: Tx, bank: BankIdentity, command: Command): Promise<Transfer> {
  const commands = [command]
  const [result] = (await decideBatch(tx, bank, { commands, plan: await planBatch(tx, commands) }, true)).results
  if (result instanceof Refusal) throw result
  return result as Transfer
}

type Planned = Partial<Run> & { commands: readonly Command[]; plan: Plan }

async function decideBatch(tx: Tx, bank: BankIdentity, run: Planned, wait: boolean): Promise<Decided> {
  const { commands, plan, continueNew, turn, speculation } = run
  const assumed = turn && speculation?.ownersFor(commands, plan)
  const locked = assumed ? await claimOnly(tx, plan, turn, assumed) : await lockAndRead(tx, plan, { turn, wait })
  const { granted, lockedAccounts, owners } = locked
  const claims = await claimsOf(tx, plan.claims, granted)
  const batch = await loadBatch(tx, bank, { commands, plan, locked, claims })
  const pace = new Pace()
  const isFree = wait ? () => true : freeIn(plan, locked)
  const results = await decideAll(batch, bank, { commands, claims, isFree, pace })
  if (continueNew !== undefined) {
    const created = commands.filter((_, index) => isDone(results[index]))
    await continueTransfers(tx, batch, bank, created.filter(isPlainOrder), continueNew)
  }
  const unused = plan.claims.filter(({ unique_reference, transfer_id }) => {
    return granted.has(transfer_id) && claims.get(unique_reference)?.transfer_id !== transfer_id
  })
  releaseClaims(tx, unused)
  await writeNew(tx, batch, granted, pace)
  if (turn !== undefined && assumed !== undefined) {
    tx.later(takeTurn(tx, turn))
    tx.later(lockSnapshot(tx, assumed))
  }
  writeChanges(tx, batch)
  speculation?.keep(owners, lockedAccounts)
  const managed = [...batch.newTransfers, ...batch.changedTransfers].filter(({ managed, status }) => managed && !isTerminal(status))
  return { results, managed: managed.map((transfer) => changedIn(batch, transfer)), isSpeculative: assumed !== undefined }
}

type Loading = { commands: readonly Command[]; plan: Plan; locked: Locked; claims: ReadonlyMap<string, Claim> }

/** Reads the rest of what decides. */
async function loadBatch(tx: Tx, bank: BankIdentity, { commands, plan, locked, claims }: Loading): Promise<Batch> {
  const { owners, transfers, children } = locked
  const { accounts, clients } = owners
  const { beneficiaries } = plan
  const terms = await findTerms(tx, commands, { accounts, transfers, beneficiaries })
  const rails = await findRails(tx, bank, accounts)
  const wholeAccounts = plan.wholeAccounts.length === 0 ? [] : await findAccounts(tx, plan.wholeAccounts)
  const mandates = await findCollected(tx, commands)
  const undecided = await findUndecided(
    tx,
    commands.filter(asksForCase).map(({ venture_id, transfer_id: id }) => ({ venture_id, id })),
  )
  return new Batch({ accounts, transfers, children, clients, beneficiaries, claims, wholeAccounts, undecided, mandates, rails, ...terms })
}

/** Whether this transaction has locked all existing rows of a command. */
function freeIn(plan: Plan, { lockedAccounts, lockedTransfers, owners, transfers }: Locked): (index: number) => boolean {
  const present = new Set([...owners.accounts, ...transfers].map(({ id }) => id))
  const isLocked = (id: string) => !present.has(id) || lockedAccounts.has(id) || lockedTransfers.has(id)
  return (index) => (plan.needs[index] ?? []).every(isLocked)
}

type Deciding = {
  commands: readonly Command[]
  claims: Map<string, Claim>
  isFree(index: number): boolean
  pace: Pace
}

async function decideAll(batch: Batch, bank: BankIdentity, { commands, claims, isFree, pace }: Deciding): Promise<Outcome[]> {
  const results: Outcome[] = []
  for (const [index, command] of commands.entries()) {
    const result = isFree(index) ? batch.attempt(() => decide(batch, bank, command)) : lockedElsewhere
    if (command.kind === 'create') updateClaim(claims, command, isDone(result))
    results.push(result)
    if (pace.isDue) await pace.rest()
  }
  return results
}

const isDone = (result: Outcome | undefined): boolean => result !== lockedElsewhere && !(result instanceof Refusal)

/** The next command can take the reference of a refused one, even in the same batch. */
function updateClaim(claims: Map<string, Claim>, { venture_id, id, order: { unique_reference } }: CreateCommand, done: boolean): void {
  if (done) claims.set(unique_reference, { venture_id, transfer_id: id })
  else if (claims.get(unique_reference)?.transfer_id === id) claims.delete(unique_reference)
}

/** A child's possible moves depend on its siblings, which the batch may not have. */
function changedIn(batch: Batch, transfer: TransferRow): Changed {
  const { venture_id, id, parent_transaction_id } = transfer
  return { venture_id, id, standing: parent_transaction_id === null ? standingIn(batch, transfer) : undefined }
}
