// The write path of transfers: all waiting commands share one database transaction. Locks are always taken in the same order ("The
// order of locks" in docs/write-path.md). The data that decides is read after locking, and all results are written in a few statements
// that are sent together with COMMIT.

import { randomUUID } from 'node:crypto'
import { findAccounts, writeBalances, writeOverdrawn, writeUsage } from '../accounts/accounts.ts'
import { findBeneficiaries } from '../beneficiaries/beneficiaries.ts'
import { emit } from '../events/events.ts'
import { insertEntries } from '../ledger/ledger.ts'
import { findMandates, type MandateKey, writeUses } from '../mandates/mandates.ts'
import { findVerifications } from '../payees/payees.ts'
import { isVentures } from '../platform/actor.ts'
import { Batches } from '../platform/batches.ts'
import { now } from '../platform/clock.ts'
import { type Accompanied, type Companion, claimCompanions } from '../platform/companions.ts'
import { troubleOf } from '../platform/database/database.errors.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { sendJobs } from '../platform/jobs.ts'
import { Pace } from '../platform/pace.ts'
import { findPolicies } from '../policies/policies.ts'
import { findRates } from '../rates/rates.ts'
import { todayUtc } from '../values/calendar.ts'
import { Refusal } from '../values/refusals.ts'
import { activityOf } from './deciding/transfers.activity.ts'
import { Batch, type BatchAccount, type BatchBeneficiary, type Claim, type Quotes, type Terms } from './deciding/transfers.batch.ts'
import {
  asksForCase,
  type Command,
  type CreateCommand,
  decide,
  needsSiblings,
  type StandingNow,
  standingIn,
  type UpdateCommand,
} from './deciding/transfers.decide.ts'
import type { BankIdentity } from './deciding/transfers.derive.ts'
import { isTerminal } from './life/transfers.status.ts'
import { writeActivity } from './transfers.activity.sql.ts'
import type { TransferRow } from './transfers.columns.ts'
import { KnownNoMore, KnownOwners, lockKnown } from './transfers.known.ts'
import { claimReferences, findClaims, releaseClaims } from './transfers.references.ts'
import type { Transfer } from './transfers.schemas.ts'
import {
  findReceivers,
  findRelations,
  findUndecided,
  findUsedMandates,
  insertMoves,
  insertTexts,
  insertTransfers,
  type Key,
  lockAccounts,
  lockOwners,
  lockTransfers,
  type Owners,
  selectChildRows,
  selectOwners,
  selectTransferRows,
  writeTransfers,
} from './transfers.sql.ts'

/** A companion may need rows of the command's venture to be locked, besides those that the command itself needs. */
export type TransferCompanion = Companion & { readonly locks?: { accounts?: readonly string[]; transfers?: readonly string[] } }

export type TransferCompanions = readonly TransferCompanion[] | undefined

export type AccompaniedCommand = Command & { readonly companions?: TransferCompanions }

export type TransferBatches = Batches<AccompaniedCommand, Transfer>

export type Result = Transfer | Refusal

/**
 * Says how new transfers go on in the transaction that creates them, as updates of some of them. What the database refuses about such an update is
 * left to later: the order itself stands, and is answered as it was created.
 */
export type GoOn = (reader: Reader, created: readonly StandingNow[]) => Promise<readonly Continuation[]>

export type Continuation = Omit<UpdateCommand, 'kind' | 'now'> & Accompanied

export type Reactions = {
  /** Is told after COMMIT which transfers that the bank processes were created or changed, and have not ended. */
  onManaged(changed: readonly Changed[]): void
  /** How new ones of them go on. */
  goOn(): GoOn | undefined
}

export function openTransferBatches(database: Database, bank: BankIdentity, { onManaged, goOn }: Reactions): TransferBatches {
  /** The batch that began last, as long as it is under way. */
  let last: Turn | undefined
  const known = new KnownOwners()
  const run: RunBatch = async (commands, wait, since_ms, overlap) => {
    let turn = overlap?.turn
    try {
      const { results, managed, isAhead } = await database.transaction(async (tx) => {
        const once = turn
        // The transaction may be run again, and its first attempt may live on as well.
        turn = undefined
        const decided = await runBatch(tx, bank, { commands, goOn: goOn(), turn: once, known }, wait)
        overlap?.onSent()
        return decided
      }, since_ms)
      if (isAhead) known.proved()
      if (managed.length > 0) onManaged(managed)
      return results
    } catch (error) {
      known.forget()
      throw error
    }
  }
  return new Batches<AccompaniedCommand, Transfer>(
    async (commands, since_ms, onSent) => {
      const turn: Turn = { key: randomUUID(), after: last?.key, isReached: false }
      last = turn
      const results = await run(commands, false, since_ms, onSent && { onSent, turn })
        .finally(() => {
          // A transaction that the service has given up may live on in the database, and nobody should wait for it.
          if (last === turn) last = undefined
        })
        .catch((error) => {
          if (error instanceof KnownNoMore) known.missed()
          // The batch before takes longer than a lock may take. What it does not hold need not wait for it.
          else if (onSent === undefined || turn.isReached || !isSlow(error)) throw error
          return run(commands, false, since_ms)
        })
      const skipped = commands.filter((_, index) => results[index] === skip)
      const rerun = skipped.length === 0 ? [] : await runSkipped(run, skipped, since_ms)
      return results.map((result) => (result === skip ? rerun.shift() : result) as Transfer | Error)
    },
    {
      wait_ms: database.limits.queue_ms,
      gathers: database.favoursLargeBatches,
      overlaps: database.favoursOverlaps,
      apart: database.placement.apart(({ venture_id }) => venture_id),
    },
  )
}

/**
 * How batches that overlap take turns in the database: each holds an advisory lock of its own until its transaction has ended, and waits for that of the
 * batch before. With one lock for all, a batch could overtake another one that writes more, and what it was decided over would never come to be.
 */
type Turn = { readonly key: string; readonly after: string | undefined; isReached: boolean }

const isSlow = (error: unknown): boolean => error instanceof Refusal && troubleOf(error.details['cause']) === 'slow'

/**
 * Runs the commands that were skipped because another instance, or the batch before, held their locks, and now waits for the locks. Locks
 * are sorted, so there is no deadlock. The rest of the batch has been committed, so an error here affects these commands only, each on its own.
 */
async function runSkipped(run: RunBatch, commands: readonly AccompaniedCommand[], since_ms: number): Promise<(Transfer | Error)[]> {
  try {
    return (await run(commands, true, since_ms)) as Result[]
  } catch (error) {
    if (error instanceof Refusal || commands.length === 1) return commands.map(() => error as Error)
  }
  const results: (Transfer | Error)[] = []
  for (const command of commands) results.push(...(await runSkipped(run, [command], since_ms)))
  return results
}

const skip = Symbol('held by another transaction')

type RunBatch = (
  commands: readonly AccompaniedCommand[],
  wait: boolean,
  since_ms: number,
  overlap?: { turn: Turn; onSent(): void },
) => Promise<(Result | typeof skip)[]>

/** A transfer that the bank processes has changed. `standing`: as it was committed, if the batch knows all of it. */
export type Changed = Key & { standing?: StandingNow | undefined }

/** `isAhead`: it was decided over what was known, and not over what it has locked. */
type Decided = { results: (Result | typeof skip)[]; managed: Changed[]; isAhead: boolean }

/** `known`: what the last batches have left; only with a turn is it decided over. */
type Run = {
  commands: readonly AccompaniedCommand[]
  goOn: GoOn | undefined
  turn?: Turn | undefined
  known?: KnownOwners | undefined
}

export async function runBatch(tx: Tx, bank: BankIdentity, { commands, goOn, turn, known }: Run, wait: boolean): Promise<Decided> {
  const [companions, planned] = await Promise.all([claimCompanions(tx, commands, wait), planBatch(tx, commands)])
  // A command that its companion blocks takes part in nothing else, so it neither waits nor makes others wait.
  const free = commands.filter((_, index) => companions.blockOf(index) === undefined)
  const plan = free.length === commands.length ? planned : await planBatch(tx, free)
  const decided = await decideBatch(tx, bank, { commands: free, plan, goOn, turn, known }, wait)
  const next = decided.results.values()
  const results = commands.map((_, index) => {
    const block = companions.blockOf(index)
    return block === undefined ? (next.next().value as Result | typeof skip) : block === 'held' ? skip : block
  })
  companions.conclude(tx, (index) => (results[index] === skip ? undefined : results[index]))
  return { ...decided, results }
}

/** One command in a transaction that another folder has opened, which waits for the locks. A refusal leaves nothing behind. */
export async function runInTransaction(tx: Tx, bank: BankIdentity, command: Command): Promise<Transfer> {
  const commands = [command]
  const [result] = (await decideBatch(tx, bank, { commands, plan: await planBatch(tx, commands) }, true)).results
  if (result instanceof Refusal) throw result
  return result as Transfer
}

/** A create that was decided over rows read without a lock. Nothing is written: the batch is thrown away. */
export async function previewBatch(
  database: Database,
  bank: BankIdentity,
  command: CreateCommand,
): Promise<{ batch: Batch; result: Result }> {
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
  const batch = new Batch({ accounts, transfers, children, clients, beneficiaries, claims, mandates, ...terms })
  return { batch, result: batch.attempt(() => decide(batch, bank, command)) }
}

async function decideBatch(
  tx: Tx,
  bank: BankIdentity,
  { commands, plan, goOn, turn, known }: Partial<Run> & { commands: readonly Command[]; plan: Plan },
  wait: boolean,
): Promise<Decided> {
  const ahead = turn && findKnown(known, commands, plan)
  const { granted, lockedAccounts, lockedTransfers, owners, transfers, children } = ahead
    ? await claimOnly(tx, plan, turn, ahead)
    : await lockAndRead(tx, plan, { turn, wait })
  const { accounts, clients } = owners
  const claims = await claimsOf(tx, plan.claims, granted)
  const terms = await findTerms(tx, commands, { accounts, transfers, beneficiaries: plan.beneficiaries })
  const wholeAccounts = plan.wholeAccounts.length === 0 ? [] : await findAccounts(tx, plan.wholeAccounts)
  const mandates = await findCollected(tx, commands)
  const { beneficiaries } = plan
  const undecided = await findUndecided(
    tx,
    commands.filter(asksForCase).map(({ venture_id, transfer_id: id }) => ({ venture_id, id })),
  )
  const batch = new Batch({ accounts, transfers, children, clients, beneficiaries, claims, wholeAccounts, undecided, mandates, ...terms })
  const isFree = (keys: readonly string[]) => keys.every((id) => isLocked(id))
  const present = new Set([...accounts, ...transfers].map(({ id }) => id))
  const isLocked = (id: string) => !present.has(id) || lockedAccounts.has(id) || lockedTransfers.has(id)

  const results: (Result | typeof skip)[] = []
  const pace = new Pace()
  for (const [index, command] of commands.entries()) {
    const free = wait || isFree(plan.needs[index] ?? [])
    const result = free ? batch.attempt(() => decide(batch, bank, command)) : skip
    if (command.kind === 'create') updateClaim(claims, command, result !== skip && !(result instanceof Refusal))
    results.push(result)
    if (pace.isDue) await pace.rest()
  }
  if (goOn !== undefined) {
    const created = commands.filter((_, index) => isDone(results[index]))
    await takeFurther(tx, batch, bank, created.filter(isPlainOrder), goOn)
  }
  const unused = plan.claims.filter(({ unique_reference, transfer_id }) => {
    return granted.has(transfer_id) && claims.get(unique_reference)?.transfer_id !== transfer_id
  })
  releaseClaims(tx, unused)
  await writeNew(tx, batch, granted, pace)
  if (turn !== undefined && ahead !== undefined) {
    tx.later(takeTurn(tx, turn))
    tx.later(lockKnown(tx, ahead))
  }
  writeChanges(tx, batch)
  known?.keep(owners, lockedAccounts)
  const managed = [...batch.newTransfers, ...batch.changedTransfers].filter(({ managed, status }) => managed && !isTerminal(status))
  return { results, managed: managed.map((transfer) => changedIn(batch, transfer)), isAhead: ahead !== undefined }
}

/** What a batch is decided over. */
type Found = {
  /** The transfers that got their references. */
  granted: Set<string>
  lockedAccounts: ReadonlySet<string>
  lockedTransfers: ReadonlySet<string>
  owners: Owners
  transfers: TransferRow[]
  children: TransferRow[]
}

async function lockAndRead(tx: Tx, plan: Plan, { turn, wait }: { turn: Turn | undefined; wait: boolean }): Promise<Found> {
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
 * The accounts of a batch that can be decided while the batch before is still being committed, if all that it would lock and read is known: creates for
 * ventures that process their transfers themselves, which depend on no other transfer.
 */
function findKnown(known: KnownOwners | undefined, commands: readonly Command[], plan: Plan): Owners | undefined {
  const isAlone = plan.transfers.length + plan.parents.length + plan.wholeAccounts.length === 0
  if (!isAlone || !commands.every((command) => command.kind === 'create' && command.order.mandate_id == null)) return undefined
  const owners = known?.find(plan.accounts)
  return owners?.accounts.some(({ managed }) => managed) ? undefined : owners
}

/** The other locks are sent together with the writes, and nothing that is sent behind them is carried out unless all of them are taken. */
async function claimOnly(tx: Tx, plan: Plan, turn: Turn, { accounts, clients }: Owners): Promise<Found> {
  const [granted] = await Promise.all([claimReferences(tx, plan.claims), holdTurn(tx, turn)])
  // Deciding changes accounts, and those that are known must stay as they are.
  const copies = accounts.map((account) => ({ ...account }))
  const lockedAccounts = new Set(accounts.map(({ id }) => id))
  return { granted, lockedAccounts, lockedTransfers: new Set(), owners: { accounts: copies, clients }, transfers: [], children: [] }
}

/**
 * Lets the next batch wait for this one, which is to have this lock before that one begins. The references are claimed by now: if two batches want the same
 * ones, neither may wait for the other in two places.
 */
async function holdTurn(tx: Tx, { key }: Turn): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/**
 * Waits for the batch before, if that is still being committed. What was sent behind this waits as well, and goes on before the service has heard of
 * the commit. No decision depends on it: what the batch before holds would be skipped, and run again.
 */
async function takeTurn(tx: Tx, turn: Turn): Promise<void> {
  if (turn.after !== undefined) await tx.rows(read`select pg_advisory_xact_lock_shared(hashtextextended(${turn.after}, 0))`)
  turn.isReached = true
}

const isDone = (result: Result | typeof skip | undefined): boolean => result !== skip && !(result instanceof Refusal)

/** What comes by another door has taken its steps, and a child depends on others. */
function isPlainOrder(command: Command): command is CreateCommand {
  return (
    command.kind === 'create' && command.door === undefined && command.steps === undefined && command.order.parent_transaction_id == null
  )
}

/** Takes transfers that the batch has created further, as far as that is certain. */
async function takeFurther(tx: Tx, batch: Batch, bank: BankIdentity, created: readonly CreateCommand[], goOn: GoOn): Promise<void> {
  const standings = created.flatMap(({ venture_id, id }) => {
    const transfer = batch.transfer(venture_id, id)
    const standing = transfer?.managed ? standingIn(batch, transfer) : undefined
    return standing === undefined ? [] : [standing]
  })
  if (standings.length === 0) return
  const continuations = await goOn(tx, standings)
  // Other locks are held already, so it waits for nobody.
  const claims = await claimCompanions(tx, continuations, false)
  const times = new Map(created.map(({ id, now }) => [id, now]))
  const outcomes = continuations.map(({ companions: _, ...update }, index) => {
    if (claims.blockOf(index) !== undefined) return undefined
    const now = times.get(update.transfer_id) as Date
    return batch.attempt(() => decide(batch, bank, { kind: 'update', ...update, now }))
  })
  claims.conclude(tx, (index) => outcomes[index])
}

/** What a child may do depends on its siblings, which the batch need not have. */
function changedIn(batch: Batch, transfer: TransferRow): Changed {
  const { venture_id, id, parent_transaction_id } = transfer
  return { venture_id, id, standing: parent_transaction_id === null ? standingIn(batch, transfer) : undefined }
}

/** The mandates that creates name. Collections of one mandate take turns by the lock of its account, so what is read here is what has been used. */
async function findCollected(reader: Reader, commands: readonly Command[]): Promise<ConstructorParameters<typeof Batch>[0]['mandates']> {
  const creates = commands.flatMap((command) => (command.kind === 'create' && command.order.mandate_id != null ? [command] : []))
  const keys: MandateKey[] = creates.map(({ venture_id, order: { mandate_id } }) => ({ venture_id, id: mandate_id ?? '' }))
  const [first] = creates
  if (first === undefined) return undefined
  const rows = await findMandates(reader, keys, todayUtc(first.now))
  return {
    rows,
    used: await findUsedMandates(
      reader,
      rows.filter(({ sequence_type }) => sequence_type === 'OOFF'),
    ),
  }
}

/**
 * What the bank has agreed with the ventures, and its rates, as far as the commands need them: its rates for creates that exchange, the policy and
 * verified payees for orders of ventures, the policy for orders of the bank's people and for signatures. For ventures that process their transfers themselves nothing is read.
 */
async function findTerms(
  reader: Reader,
  commands: readonly Command[],
  {
    accounts,
    transfers,
    beneficiaries,
  }: { accounts: readonly BatchAccount[]; transfers: readonly TransferRow[] } & Pick<Plan, 'beneficiaries'>,
): Promise<{ quotes?: Quotes; terms?: Terms }> {
  const managed = new Map(accounts.flatMap((account) => (account.managed ? [[account.id, account] as const] : [])))
  const creates = commands.flatMap((command) => {
    const account = command.kind === 'create' ? managed.get(command.order.account_id) : undefined
    return command.kind === 'create' && account !== undefined ? [{ command, account }] : []
  })
  const signing = new Set(commands.flatMap((command) => (command.kind === 'update' && signs(command) ? [command.transfer_id] : [])))
  const signed = signing.size === 0 ? [] : transfers.filter((row) => row.managed && signing.has(row.id))
  if (creates.length === 0 && signed.length === 0) return {}
  const beneficiaryOf = new Map(beneficiaries.map((beneficiary) => [beneficiary.id, beneficiary]))
  const currencyOf = new Map(accounts.map(({ id, currency }) => [id, currency]))
  const pairs = creates.flatMap(({ command: { order }, account: { venture_id, currency: from_currency } }) => {
    const receiver = beneficiaryOf.get(order.beneficiary_id ?? '')?.receiver_account_id
    return [order.credit_currency, currencyOf.get(receiver ?? '')].flatMap((to_currency) =>
      to_currency == null || to_currency === from_currency ? [] : [{ venture_id, from_currency, to_currency }],
    )
  })
  const orders = creates.filter(({ command }) => isVentures(command.actor))
  const people = creates.filter(({ command: { actor, approved } }) => actor.kind === 'operator' && approved !== true)
  const concerned = [...pairs, ...signed, ...[...orders, ...people].map(({ account }) => account)]
  if (concerned.length === 0) return {}
  const [rates, policies] = await Promise.all([
    pairs.length === 0 ? [] : findRates(reader, pairs, now()),
    findPolicies(reader, [...new Set(concerned.map(({ venture_id }) => venture_id))]),
  ])
  const payees = orders.flatMap(({ command: { order, now }, account: { venture_id } }) => {
    const { iban = null } = beneficiaryOf.get(order.beneficiary_id ?? '') ?? {}
    return iban === null || policies.get(venture_id)?.payee_check === 'off' ? [] : [{ venture_id, iban, now }]
  })
  const verifications = payees.length === 0 ? [] : await findVerifications(reader, payees)
  return {
    quotes: { rates, holdOf: (venture_id) => policies.get(venture_id)?.rate_hold_s ?? 0 },
    terms: { policies, verifications },
  }
}

const signs = ({ update, steps = [] }: UpdateCommand): boolean => update.status === 'SIGNED' || steps.includes('SIGNED')

/** The current claims on the references. Only those that were not granted need a query; usually all are granted. */
async function claimsOf(tx: Tx, wanted: Plan['claims'], granted: ReadonlySet<string>): Promise<Map<string, Claim>> {
  const refused = wanted.filter(({ transfer_id }) => !granted.has(transfer_id)).map(({ unique_reference }) => unique_reference)
  const claims = refused.length === 0 ? new Map<string, Claim>() : await findClaims(tx, refused)
  for (const { unique_reference, venture_id, transfer_id } of wanted) {
    if (granted.has(transfer_id)) claims.set(unique_reference, { venture_id, transfer_id })
  }
  return claims
}

/** The reference of a refused command is free for the next command that wants it, even in the same batch. */
function updateClaim(claims: Map<string, Claim>, { venture_id, id, order: { unique_reference } }: CreateCommand, done: boolean): void {
  if (done) claims.set(unique_reference, { venture_id, transfer_id: id })
  else if (claims.get(unique_reference)?.transfer_id === id) claims.delete(unique_reference)
}

/** New rows need no lock. The texts of many of them take long to make, so others have their turn between the statements. */
async function writeNew(tx: Tx, batch: Batch, granted: ReadonlySet<string>, pace: Pace): Promise<void> {
  if (pace.isDue) await pace.rest()
  // Transfers that the service creates itself need a claim too, and so does a command that took over a reference from a refused one.
  const unclaimed = batch.newTransfers.filter(({ id }) => !granted.has(id))
  if (unclaimed.length > 0) {
    const claims = unclaimed.map(({ unique_reference, venture_id, id }) => ({ unique_reference, venture_id, transfer_id: id }))
    tx.later(claimReferences(tx, claims))
  }
  insertTransfers(tx, batch.newTransfers)
  insertTexts(tx, batch.newTransfers)
  if (pace.isDue) await pace.rest()
  insertMoves(tx, batch.newMoves)
  insertEntries(tx, batch.newEntries)
  if (pace.isDue) await pace.rest()
  if (batch.newEvents.length > 0) emit(tx, ...batch.newEvents)
  if (pace.isDue) await pace.rest()
}

/** What changes rows that others may change as well, under their locks. */
function writeChanges(tx: Tx, batch: Batch): void {
  const accounts = [...batch.changedAccounts]
  writeUses(
    tx,
    batch.newTransfers.flatMap(({ venture_id, mandate_id, settlement_date }) =>
      mandate_id === null ? [] : [{ venture_id, id: mandate_id, on: settlement_date }],
    ),
  )
  writeTransfers(tx, [...batch.changedTransfers])
  writeActivity(tx, activityOf(batch))
  writeBalances(
    tx,
    accounts.filter((account) => batch.balancesChanged(account)),
  )
  writeOverdrawn(tx, [...batch.overdrawnAccounts])
  writeUsage(
    tx,
    accounts.filter((account) => batch.usageChanged(account)),
  )
  sendJobs(
    tx,
    batch.returnedOnUs.map(({ venture_id, id }) => ({ kind: onUsReturn, payload: { venture_id, id } })),
  )
  sendJobs(
    tx,
    batch.givenBack.map(({ venture_id, id }) => ({ kind: givenBack, payload: { venture_id, id } })),
  )
}

/** The job that gives money back to a payer whose account is in this bank, too. */
export const onUsReturn = 'return-on-us'

/** The job that returns to another bank what it has sent, or answers what it has collected. The rails have it. */
export const givenBack = 'give-back'

/** The job that goes on with money which a statement has shown. The processing has it. */
export const moneyShown = 'money-shown'

/** The job that compares money which no account can take with the watch lists. The processing has it. */
export const screenedUnapplied = 'screen-unapplied'

type Plan = {
  claims: { unique_reference: string; venture_id: string; transfer_id: string }[]
  accounts: Key[]
  transfers: Key[]
  parents: Key[]
  /** The accounts of forced commands, and those whose sequence a command names. */
  wholeAccounts: Key[]
  beneficiaries: BatchBeneficiary[]
  /** For each command, the ids of the rows that must be locked. */
  needs: string[][]
}

/** Finds the rows that the commands need. It reads only data that never changes, so it takes no locks. */
async function planBatch(tx: Reader, commands: readonly AccompaniedCommand[]): Promise<Plan> {
  const creates = commands.flatMap((command) => (command.kind === 'create' ? [command] : []))
  const updates = commands.flatMap((command) => (command.kind === 'update' ? [command] : []))
  const beneficiaryKeys = creates.flatMap(({ venture_id, order }) =>
    order.beneficiary_id == null ? [] : [{ venture_id, id: order.beneficiary_id }],
  )
  const finding = findBeneficiaries(tx, beneficiaryKeys)
  const [relations, beneficiaries, receivers] = await Promise.all([
    findRelations(tx, [
      ...updates.map(({ venture_id, transfer_id }) => ({ venture_id, id: transfer_id })),
      // A child that completes in the command that creates it may give limits back to the payer of its parent's parent.
      ...creates.flatMap(({ venture_id, order: { parent_transaction_id: id }, steps = [] }) =>
        id == null || steps.length === 0 ? [] : [{ venture_id, id }],
      ),
    ]),
    finding,
    findReceivers(tx, beneficiaryKeys, finding),
  ])
  const relationsOf = new Map(relations.map((row) => [row.id, row]))
  const receiverOf = new Map(
    receivers.flatMap(({ id, venture_id, holder_id, account_id }) => (holder_id === venture_id ? [[id, account_id]] : [])),
  )
  const onUs = new Set(receivers.flatMap(({ id, managed }) => (managed ? [id] : [])))
  const keys = new KeyLists()
  const needs = commands.map((command) => {
    const { venture_id } = command
    if (command.kind === 'create') {
      const { account_id, beneficiary_id, parent_transaction_id } = command.order
      const receiver = beneficiary_id == null ? null : (receiverOf.get(beneficiary_id) ?? null)
      if (command.forced || command.account_sequence !== undefined) keys.add('wholeAccounts', venture_id, [account_id])
      return [
        ...keys.add('accounts', venture_id, [account_id, receiver]),
        ...keys.add('transfers', venture_id, [parent_transaction_id, relationsOf.get(parent_transaction_id ?? '')?.parent_transaction_id]),
        ...keys.add('parents', venture_id, [parent_transaction_id]),
      ]
    }
    if (command.kind === 'payout') return keys.add('accounts', venture_id, [command.account_id])
    const related = relationsOf.get(command.transfer_id)
    const statuses = [...(command.update.status === undefined ? [] : [command.update.status]), ...(command.steps ?? [])]
    if (command.forced) keys.add('wholeAccounts', venture_id, [related?.account_id])
    return [
      ...keys.add('accounts', venture_id, [related?.account_id, related?.receiver_account_id]),
      ...keys.add('transfers', venture_id, [command.transfer_id, related?.parent_transaction_id, related?.origin_transaction_id]),
      ...keys.add('parents', venture_id, statuses.some(needsSiblings) ? [related?.parent_transaction_id] : []),
    ]
  })
  commands.forEach(({ venture_id, companions = [] }, index) => {
    for (const { locks: { accounts = [], transfers = [] } = {} } of companions)
      needs[index]?.push(...keys.add('accounts', venture_id, accounts), ...keys.add('transfers', venture_id, transfers))
  })
  return {
    claims: creates.map(({ venture_id, id, order }) => ({ unique_reference: order.unique_reference, venture_id, transfer_id: id })),
    accounts: keys.of('accounts'),
    transfers: keys.of('transfers'),
    parents: keys.of('parents'),
    wholeAccounts: keys.of('wholeAccounts'),
    beneficiaries: beneficiaries.map((row) => ({ ...row, receiver_account_id: receiverOf.get(row.id) ?? null, on_us: onUs.has(row.id) })),
    needs,
  }
}

type KeyList = 'accounts' | 'transfers' | 'parents' | 'wholeAccounts'

/** Collects keys of rows without duplicates. */
class KeyLists {
  readonly #lists = new Map<string, Map<string, Key>>()

  add(list: KeyList, venture_id: string, ids: readonly (string | null | undefined)[]): string[] {
    const keys = this.#lists.get(list) ?? new Map<string, Key>()
    this.#lists.set(list, keys)
    const present = ids.filter((id) => id != null)
    for (const id of present) keys.set(`${venture_id}${id}`, { venture_id, id })
    return present
  }

  of(list: KeyList): Key[] {
    return [...(this.#lists.get(list)?.values() ?? [])]
  }
}
