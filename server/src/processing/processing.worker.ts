// The worker that takes managed transfers further. The status of a transfer is the queue: there is no job for each. Several instances may plan
// the same transfer; the sequence lets one win.

import { decidingSequence } from '../audit/audit.ts'
import { type Actor, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { WakeQueue } from '../platform/wake-queue.ts'
import { type Alert, findPolicies, type Policy } from '../policies/policies.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { plannedStatuses } from '../transfers/life/transfers.sets.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import { type Changed, type ContinueNew, findStandings, type StandingNow, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { fromNumeric } from '../values/money.ts'
import { Refusal, type RefusalCode } from '../values/refusals.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import type { OpenCaseFor } from './processing.cases.ts'
import { type Exchange, handOver, isOutside, settle } from './processing.exchange.ts'
import { monitor } from './processing.monitoring.ts'
import { advance, type Plan, type ScreeningOutcome, type Situation, scanned, type Walk } from './processing.planner.ts'
import { type Delay, type Key, selectDue, writeDelays } from './processing.sql.ts'

/** What the comparison of the parties with the lists came to, and the rows that keep it with the walk. */
export type Screened = { outcome: ScreeningOutcome; companions: readonly Companion[] }

type ToScreen = { transfer: TransferRow; policy: Policy }

export type Screener = {
  screen(transfers: readonly ToScreen[]): Promise<Screened[]>
  /** The same within a transaction that others wait for. Undefined for what has to be screened without hurry. Without it, everything has. */
  screenAtOnce?(reader: Reader, transfers: readonly ToScreen[]): Promise<(Screened | undefined)[]>
}

type Options = {
  database: Database
  transfers: Transfers
  screener: Screener
  /** Without one, payments wait until there is one. */
  exchange: Exchange | undefined
  openCaseFor: OpenCaseFor
  log: Logger
  every_ms?: number
  now?: () => Date
}

const most = 256
/** How soon a transfer is looked at again that waits for somebody, and not for a moment: for a person, for money, for lists. */
const patience_ms = 30_000

export const connector: Actor = { kind: 'connector', id: null }

/**
 * overtaken: somebody was faster, what was seen without a lock no longer holds, or the database did not answer. It is planned anew in the next
 * round.
 */
type Moved = 'moved' | 'overtaken' | 'refused'

const overtaken: readonly RefusalCode[] = ['resource_changed', 'insufficient_funds', 'parent_invalid', 'unavailable', 'outcome_unknown']

export class Processing {
  readonly #options: Options
  readonly #rounds: Rounds
  readonly #now: () => Date
  /** What was just committed is taken further at once, in batches like those that committed it. A round leaves it alone. */
  readonly #wakeQueue: WakeQueue<Changed>

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? now
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 2_000, first: 'at once', work: () => this.#round() })
    this.#wakeQueue = new WakeQueue({ most, work: (keys) => this.#reporting(() => this.#process(keys)) })
  }

  start(): void {
    // The first round finds whatever an earlier stop has left.
    this.#wakeQueue.start()
    this.#options.transfers.watchers.add(this.#wake)
    this.#options.transfers.continueNew = this.continueNew
    this.#rounds.start()
  }

  /** Plans nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#options.transfers.watchers.delete(this.#wake)
    this.#options.transfers.continueNew = undefined
    await Promise.all([this.#rounds.stop(), this.#wakeQueue.stop()])
  }

  /** Takes everything as far as it gets now. For tests and the simulation, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#processDue()) > 0);
  }

  /** Takes one transfer as far as it gets now. */
  async takeFurther(key: Key): Promise<void> {
    while ((await this.#process([key])) > 0);
  }

  /**
   * Screens money that waits for a decision before somebody credits it: the moves through the screening, and the rows that are written with them.
   * The moves end with AML_APPROVED if nothing was found. What has been screened before is compared with the lists of now, and needs no moves if
   * nothing was found.
   */
  async screenWaiting(key: Key): Promise<{ steps: readonly TransferStatus[]; companions: readonly Companion[] }> {
    const { database, transfers, screener, openCaseFor } = this.#options
    const [standing] = await findStandings(transfers, [key])
    if (standing === undefined) return { steps: [], companions: [] }
    const { transfer, account } = standing
    const policy = (await findPolicies(database, [key.venture_id])).get(key.venture_id) as Policy
    const [[screened], [alerts = []]] = await Promise.all([
      screener.screen([{ transfer, policy }]),
      monitor(database, [{ transfer, client_id: account.client_id, policy }], this.#now()),
    ])
    const screening = screened?.outcome ?? 'UNLOADED'
    const again = transfer.screened
    if (again && screening === 'CLEAR') return { steps: [], companions: screened?.companions ?? [] }
    // A person has answered the rules already.
    const alert = again ? undefined : alerts.length > 0 ? 'rule' : alertOf(transfer, policy)
    const { steps, opens } = scanned(screening, alert, transfer.status)
    const opened = opens === undefined ? [] : [openCaseFor({ kind: opens, transfer, policy, screening, alerts })]
    return { steps, companions: [...(screened?.companions ?? []), ...opened] }
  }

  /**
   * Takes orders further in the transaction that creates them, which saves a second one. It goes only as far as it is certain: whatever a person,
   * a rule or a list has to do with is left to the worker.
   */
  readonly continueNew: ContinueNew = async (reader, standings) => {
    const { screener } = this.#options
    const now = this.#now()
    const policies = await findPolicies(reader, [...new Set(standings.map(({ transfer }) => transfer.venture_id))])
    const situations = standings.map((standing) => plannedOf(standing, policies, now))
    const certain = situations.filter((situation) => advance(situation).kind === 'screen' && situation.policy.rules.length === 0)
    if (certain.length === 0 || screener.screenAtOnce === undefined) return []
    const screened = await screener.screenAtOnce(
      reader,
      certain.map(({ row: transfer, policy }) => ({ transfer, policy })),
    )
    return certain.flatMap((situation, index) => {
      const found = screened[index]
      if (found?.outcome !== 'CLEAR') return []
      const walk = this.#nextOf(withScreening(situation, found, []))
      if (!('steps' in walk) || walk.opens !== undefined) return []
      return [{ ...commandOf(situation, walk, theService), companions: found.companions }]
    })
  }

  readonly #wake = (changed: readonly Changed[]): void => this.#wakeQueue.wake(changed.map((key) => [key.id, key]))

  async #round(): Promise<void> {
    await this.#reporting(() => this.#processDue())
  }

  async #reporting(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'transfers could not be processed')
    }
  }

  /** Returns how many transfers went further. A failure in one batch does not keep the others waiting. */
  async #processDue(): Promise<number> {
    const failures: unknown[] = []
    const ventures = await listManagedIds(this.#options.database)
    let [moved, after] = [0, '00000000-0000-0000-0000-000000000000']
    for (;;) {
      const leaves = this.#options.exchange?.leaves ?? []
      const keys = await selectDue(this.#options.database, { ventures, leaves, now: this.#now().toISOString(), after, limit: most })
      const left = keys.filter(({ id }) => !this.#wakeQueue.has(id))
      moved += await this.#process(left).catch((error: unknown) => {
        failures.push(error)
        return 0
      })
      if (keys.length < most || this.#rounds.isStopping) break
      after = keys.at(-1)?.id ?? after
    }
    if (failures.length > 0) throw failures[0]
    return moved
  }

  async #process(keys: readonly Changed[]): Promise<number> {
    if (keys.length === 0) return 0
    const { database } = this.#options
    const [standings, policies] = await Promise.all([
      this.#standingsOf(keys),
      findPolicies(database, [...new Set(keys.map(({ venture_id }) => venture_id))]),
    ])
    const [outside, inside] = partition(standings, ({ transfer }) => isOutside(transfer))
    // If one fails, the other is still waited for: a worker that has stopped has nothing under way.
    const walked = await Promise.allSettled([this.#exchange(outside, policies), this.#plan(inside, policies)])
    return walked.reduce((sum, one) => sum + settledValue(one), 0)
  }

  /** What was just committed need not be read again. If it has changed since, its walk is refused. */
  async #standingsOf(keys: readonly Changed[]): Promise<StandingNow[]> {
    const unknown = keys.filter(({ standing }) => standing === undefined)
    const known = keys.flatMap(({ standing }) => standing ?? [])
    return unknown.length === 0 ? known : [...known, ...(await findStandings(this.#options.transfers, unknown))]
  }

  async #plan(standings: readonly StandingNow[], policies: ReadonlyMap<string, Policy>): Promise<number> {
    const now = this.#now()
    const situations = await this.#screened(standings.map((standing) => plannedOf(standing, policies, now)))
    const delays: Delay[] = []
    const delay = ({ row: { venture_id, id: transfer_id, sequence, status } }: Planned, until = new Date(now.getTime() + patience_ms)) => {
      // What is not in the queue needs no delay.
      if (plannedStatuses.includes(status)) delays.push({ venture_id, transfer_id, sequence, until: until.toISOString() })
      return false
    }
    const moved = await Promise.all(
      situations.map(async (situation) => {
        const walk = this.#nextOf(situation)
        if (!('steps' in walk)) return delay(situation, ('until' in walk && walk.until) || undefined)
        const result = await this.#walk(situation, walk, theService)
        return result === 'refused' ? delay(situation) : result === 'moved'
      }),
    )
    if (delays.length > 0) await this.#options.database.transaction(async (tx) => writeDelays(tx, delays))
    return moved.filter(Boolean).length
  }

  #nextOf(situation: Planned): Plan | Walk {
    const isCarried = this.#options.exchange?.carries(situation.row) === true
    const plan = isCarried ? advance(situation) : withoutSending(advance(situation))
    return plan.kind === 'walk' || !isCarried ? plan : (handOver(situation) ?? plan)
  }

  /** Screens the parties of those that need it. The order stays: if there is too little money, the oldest order gets it. */
  async #screened(situations: readonly Planned[]): Promise<Planned[]> {
    const unscreened = situations.filter((situation) => advance(situation).kind === 'screen')
    if (unscreened.length === 0) return [...situations]
    const [screened, alerts] = await Promise.all([
      this.#options.screener.screen(unscreened.map(({ row: transfer, policy }) => ({ transfer, policy }))),
      monitor(
        this.#options.database,
        unscreened.map(({ row: transfer, client_id, policy }) => ({ transfer, client_id, policy })),
        this.#now(),
      ),
    ])
    const results = new Map(
      unscreened.map((situation, index) => [situation, withScreening(situation, screened[index] as Screened, alerts[index] ?? [])]),
    )
    return situations.map((situation) => results.get(situation) ?? situation)
  }

  /** Asks about what is committed as sent, and about nothing else. */
  async #exchange(standings: readonly StandingNow[], policies: ReadonlyMap<string, Policy>): Promise<number> {
    const { exchange } = this.#options
    if (exchange === undefined || standings.length === 0) return 0
    const sent = standings.map((standing) => plannedOf(standing, policies, this.#now()))
    const answers = await exchange.exchange(sent.map(({ row }) => row))
    const moved = sent.map((planned, index) => {
      const answer = answers[index]
      const walk = answer === undefined ? undefined : settle(planned.row, answer)
      return walk === undefined ? 'overtaken' : this.#walk(planned, walk, connector)
    })
    return (await Promise.all(moved)).filter((result) => result === 'moved').length
  }

  async #walk(planned: Planned, walk: Walk, actor: Actor): Promise<Moved> {
    const { transfers, openCaseFor, log } = this.#options
    const { row, policy, screening, alerts, companions } = planned
    const { opens } = walk
    try {
      await updateTransfer(transfers, {
        ...commandOf(planned, walk, actor),
        companions: [
          ...companions,
          ...(opens === undefined ? [] : [openCaseFor({ kind: opens, transfer: row, policy, screening, alerts })]),
        ],
      })
      return 'moved'
    } catch (error) {
      const { id: transfer_id, venture_id } = row
      if (!(error instanceof Refusal)) {
        log.warn({ err: error, transfer_id, venture_id }, 'a transfer could not be taken further')
        return 'refused'
      }
      if (overtaken.includes(error.code)) return 'overtaken'
      log.info({ transfer_id, venture_id, code: error.code }, 'a transfer could not be taken further')
      return 'refused'
    }
  }
}

function settledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** What no exchange carries is not sent: the payment stays where it was last in the bank's hands. */
export function withoutSending(plan: Plan): Plan {
  if (plan.kind !== 'walk' || !plan.steps.includes('SENT_TO_CLEAR')) return plan
  const steps = plan.steps.slice(0, plan.steps.indexOf('SENT_TO_CLEAR'))
  return steps.length === 0 ? { kind: 'wait' } : { ...plan, steps }
}

/** The command for a walk, which says why it is made. */
function commandOf({ row, policy }: Planned, walk: Walk, actor: Actor) {
  const reason = actor === connector ? walk.reason : reasonOf(policy, walk)
  return walkOf(row, { ...walk, ...(reason && { reason }) }, actor)
}

/** The command for a walk. It is refused if the transfer has changed since it was planned. */
export function walkOf(transfer: TransferRow, walk: Walk, actor: Actor) {
  const { venture_id, id: transfer_id } = transfer
  const { reason, third_party_status, opens, forced = false } = walk
  const [status, ...steps] = walk.steps
  const update = { status: status as TransferStatus, ...reason, ...(third_party_status === undefined ? {} : { third_party_status }) }
  return { venture_id, transfer_id, sequence: decidingSequence(transfer), actor, update, steps, forced, with_case: opens === 'suspended' }
}

type Planned = Situation & {
  row: TransferRow
  client_id: string
  policy: Policy
  alerts: readonly Alert[]
  companions: readonly Companion[]
}

function plannedOf(standing: StandingNow, policies: ReadonlyMap<string, Policy>, now: Date): Planned {
  const { transfer, account } = standing
  const policy = policies.get(transfer.venture_id) as Policy
  return { ...situationOf(standing, policy, now), row: transfer, client_id: account.client_id, policy, alerts: [], companions: [] }
}

/** What the planner has to know of a transfer, before its parties are screened. */
export function situationOf(
  { transfer, circumstances, account, needed, covered, stopped_by_bank }: StandingNow,
  policy: Pick<Policy, 'review_above' | 'funds_wait_h'>,
  now: Date,
): Situation {
  return {
    transfer,
    circumstances,
    needed,
    covered,
    stopped_by_bank,
    now,
    venture_active: account.venture_active,
    account_active: account.status === 'ACTIVE',
    available: account.current - account.reserved,
    screening: undefined,
    alert: alertOf(transfer, policy),
    funds_wait_h: policy.funds_wait_h,
  }
}

function alertOf({ debit_amount }: TransferRow, { review_above }: Pick<Policy, 'review_above'>): 'amount' | undefined {
  return review_above !== null && fromNumeric(debit_amount) > fromNumeric(review_above) ? 'amount' : undefined
}

function withScreening(situation: Planned, { outcome, companions }: Screened, alerts: readonly Alert[]): Planned {
  const alert = alerts.length > 0 ? 'rule' : situation.alert
  return { ...situation, screening: outcome, alert, alerts, companions }
}

/** Why a walk was made, and under which version of the policy. The venture reads it, so it says nothing of what was found. */
function reasonOf({ version }: Policy, { reason, opens }: Walk): NonNullable<Walk['reason']> {
  const text = opens === undefined || opens === 'suspended' ? (reason?.status_reason ?? '') : 'Under review.'
  return { status_reason: `${text} Policy version ${version}.`.trim(), status_reason_code: reason?.status_reason_code ?? null }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
