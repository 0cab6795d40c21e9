// The worker that processes managed transfers. The status of a transfer is the queue: there is no job per transfer. Several instances may plan
// the same transfer; the sequence lets only one succeed.

import { decidingSequence } from '../audit/audit.ts'
import { type Actor, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { WakeQueue } from '../platform/wake-queue.ts'
import { type Alert, findPolicies, type Policy } from '../policies/policies.ts'
import type { RailBook } from '../schemes/schemes.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { sendingDay } from '../transfers/life/transfers.methods.ts'
import { plannedStatuses } from '../transfers/life/transfers.sets.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import { type Changed, type ContinueNew, findStandings, type StandingNow, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { fromNumeric } from '../values/money.ts'
import { Refusal, type RefusalCode } from '../values/refusals.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import type { OpenCaseFor } from './processing.cases.ts'
import { type Exchange, handOver, isOutside, settle } from './processing.exchange.ts'
import type { ScreenArriving } from './processing.instants.ts'
import { monitor } from './processing.monitoring.ts'
import { advance, type Plan, type ScreeningOutcome, type Situation, scanned, type Walk } from './processing.planner.ts'
import { type Delay, type Key, selectDue, writeDelays } from './processing.sql.ts'

/** The outcome of screening the parties, and the rows that record it with the walk. */
export type Screened = {
  outcome: ScreeningOutcome
  /** Whether a hit is about our client. */
  hits_client?: boolean
  companions: readonly Companion[]
}

export type ToScreen = { transfer: TransferRow; policy: Policy }

export type Screener = {
  screen(transfers: readonly ToScreen[]): Promise<Screened[]>
  /**
   * The same within a transaction that others wait for. Undefined for a transfer that has to be screened later. Without this function, all
   * of them are.
   */
  screenAtOnce?(reader: Reader, transfers: readonly ToScreen[]): Promise<(Screened | undefined)[]>
  /** Decides about an instant payment of another bank before it is answered. */
  screenArriving?: ScreenArriving
}

type Options = {
  database: Database
  transfers: Transfers
  screener: Screener
  /** Without one, payments wait. */
  exchange: Exchange | undefined
  openCaseFor: OpenCaseFor
  log: Logger
  every_ms?: number
  now?: () => Date
}

const most = 256
/** How soon a transfer is looked at again when it waits for people, money or lists rather than for a set time. */
const patience_ms = 30_000

export const connector: Actor = { kind: 'connector', id: null }

/**
 * overtaken: another worker was faster, something read without a lock has changed, or the database did not answer. It is planned again in
 * the next round.
 */
type Moved = 'moved' | 'overtaken' | 'refused'

const overtaken: readonly RefusalCode[] = ['resource_changed', 'insufficient_funds', 'parent_invalid', 'unavailable', 'outcome_unknown']

export class Processing {
  readonly #options: Options
  readonly #rounds: Rounds
  readonly #now: () => Date
  /** Transfers that were just committed continue at once, in batches like those that committed them. Rounds skip them. */
  readonly #wakeQueue: WakeQueue<Changed>

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? now
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 2_000, first: 'at once', work: () => this.#round() })
    this.#wakeQueue = new WakeQueue({ most, work: (keys) => this.#reporting(() => this.#process(keys)) })
  }

  start(): void {
    // The first round finds everything that an earlier stop has left.
    this.#wakeQueue.start()
    this.#options.transfers.watchers.add(this.#wake)
    this.#options.transfers.continueNew = this.continueNew
    this.#rounds.start()
  }

  /** Plans nothing more and waits for running work. */
  async stop(): Promise<void> {
    this.#options.transfers.watchers.delete(this.#wake)
    this.#options.transfers.continueNew = undefined
    await Promise.all([this.#rounds.stop(), this.#wakeQueue.stop()])
  }

  /** Does all work that is due. For tests and the simulation, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#processDue()) > 0);
  }

  /** Processes one transfer as far as possible now. */
  async processNow(key: Key): Promise<void> {
    while ((await this.#process([key])) > 0);
  }

  /**
   * Screens waiting money before it is credited: the moves through screening, and the rows to write with them. The moves end with AML_APPROVED if
   * nothing was found. Money that was screened before is compared with the current lists, and needs no moves if nothing was found.
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
    const hits_client = screened?.hits_client ?? false
    const again = transfer.screened
    if (again && screening === 'CLEAR') return { steps: [], companions: screened?.companions ?? [] }
    // A person has already decided about the rules.
    const alert = again ? undefined : alerts.length > 0 ? 'rule' : alertOf(transfer, policy)
    const { steps, opens } = scanned(screening, alert, transfer.status)
    const opened = opens === undefined ? [] : [openCaseFor({ kind: opens, transfer, policy, screening, hits_client, alerts })]
    return { steps, companions: [...(screened?.companions ?? []), ...opened] }
  }

  /**
   * Continues orders in the transaction that creates them, which saves a second one, but only where the outcome is certain: anything that
   * involves a person, a rule or a list is left to the worker.
   */
  readonly continueNew: ContinueNew = async (reader, standings) => {
    const { screener, transfers } = this.#options
    const now = this.#now()
    const policies = await findPolicies(reader, [...new Set(standings.map(({ transfer }) => transfer.venture_id))])
    const book = await transfers.participations.current(reader)
    const situations = standings.map((standing) => plannedOf(standing, { policies, book, now }))
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

  /** Returns how many transfers moved. A failure in one batch does not delay the others. */
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
    const { database, transfers } = this.#options
    const [standings, policies, book] = await Promise.all([
      this.#standingsOf(keys),
      findPolicies(database, [...new Set(keys.map(({ venture_id }) => venture_id))]),
      transfers.participations.current(),
    ])
    const known = { policies, book, now: this.#now() }
    const [outside, inside] = partition(standings, ({ transfer }) => isOutside(transfer))
    // If one fails, the other is still awaited: a stopped worker has no running work.
    const walked = await Promise.allSettled([this.#exchange(outside, known), this.#plan(inside, known)])
    return walked.reduce((sum, one) => sum + settledValue(one), 0)
  }

  /** What was just committed need not be read again. If it has changed since, its walk is refused. */
  async #standingsOf(keys: readonly Changed[]): Promise<StandingNow[]> {
    const unknown = keys.filter(({ standing }) => standing === undefined)
    const known = keys.flatMap(({ standing }) => standing ?? [])
    return unknown.length === 0 ? known : [...known, ...(await findStandings(this.#options.transfers, unknown))]
  }

  async #plan(standings: readonly StandingNow[], known: Known): Promise<number> {
    const { now } = known
    const situations = await this.#screened(standings.map((standing) => plannedOf(standing, known)))
    const delays: Delay[] = []
    const delay = ({ row: { venture_id, id: transfer_id, sequence, status } }: Planned, until = new Date(now.getTime() + patience_ms)) => {
      // A transfer outside the queue needs no delay.
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

  /** Screens the parties of the transfers that need it. Keeps the order: if money is short, the oldest order gets it. */
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

  /** Asks only about payments that are committed as sent. */
  async #exchange(standings: readonly StandingNow[], known: Known): Promise<number> {
    const { exchange } = this.#options
    if (exchange === undefined || standings.length === 0) return 0
    const sent = standings.map((standing) => plannedOf(standing, known))
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
    const { row, policy, screening, hits_client, alerts, companions } = planned
    const { opens } = walk
    try {
      await updateTransfer(transfers, {
        ...commandOf(planned, walk, actor),
        companions: [
          ...companions,
          ...(opens === undefined ? [] : [openCaseFor({ kind: opens, transfer: row, policy, screening, hits_client, alerts })]),
        ],
      })
      return 'moved'
    } catch (error) {
      const { id: transfer_id, venture_id } = row
      if (!(error instanceof Refusal)) {
        log.warn({ err: error, transfer_id, venture_id }, 'a transfer could not be processed')
        return 'refused'
      }
      if (overtaken.includes(error.code)) return 'overtaken'
      log.info({ transfer_id, venture_id, code: error.code }, 'a transfer could not be processed')
      return 'refused'
    }
  }
}

function settledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** What no exchange carries is not sent: the payment stays in the last status in which the bank has it. */
export function withoutSending(plan: Plan): Plan {
  if (plan.kind !== 'walk' || !plan.steps.includes('SENT_TO_CLEAR')) return plan
  const steps = plan.steps.slice(0, plan.steps.indexOf('SENT_TO_CLEAR'))
  return steps.length === 0 ? { kind: 'wait' } : { ...plan, steps }
}

/** The command for a walk, with its reason. */
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
  hits_client: boolean
  alerts: readonly Alert[]
  companions: readonly Companion[]
}

/** What is known besides the transfers themselves. */
type Known = { policies: ReadonlyMap<string, Policy>; book: RailBook; now: Date }

function plannedOf(standing: StandingNow, { policies, book, now }: Known): Planned {
  const { transfer, account } = standing
  const policy = policies.get(transfer.venture_id) as Policy
  const unscreened = { hits_client: false, alerts: [], companions: [] }
  return { ...situationOf(standing, policy, { book, now }), row: transfer, client_id: account.client_id, policy, ...unscreened }
}

/** What the planner has to know about a transfer before its parties are screened. */
export function situationOf(
  { transfer, circumstances, account, needed, covered, stopped_by_bank }: StandingNow,
  policy: Pick<Policy, 'review_above' | 'funds_wait_h'>,
  { book, now }: Pick<Known, 'book' | 'now'>,
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
    sends_on: sendingDayOf(transfer, { book, now }),
  }
}

/** By the terms of the rail, or by the rule of a method that no rail carries. OPEN ventures follow the rule. */
export function sendingDayOf(transfer: TransferRow, { book, now }: Pick<Known, 'book' | 'now'>): string {
  return (transfer.managed ? book.sendingDay(transfer, now) : undefined) ?? sendingDay(transfer)
}

/** Whether a person has to look at a payment because of its amount. */
export function alertOf({ debit_amount }: TransferRow, { review_above }: Pick<Policy, 'review_above'>): 'amount' | undefined {
  return review_above !== null && fromNumeric(debit_amount) > fromNumeric(review_above) ? 'amount' : undefined
}

function withScreening(situation: Planned, { outcome, hits_client = false, companions }: Screened, alerts: readonly Alert[]): Planned {
  const alert = alerts.length > 0 ? 'rule' : situation.alert
  return { ...situation, screening: outcome, hits_client, alert, alerts, companions }
}

/** Why a walk was made, and under which version of the policy. The venture can read it, so it reveals no findings. */
function reasonOf({ version }: Policy, { reason, opens }: Walk): NonNullable<Walk['reason']> {
  const text = opens === undefined || opens === 'suspended' ? (reason?.status_reason ?? '') : 'Under review.'
  return { status_reason: `${text} Policy version ${version}.`.trim(), status_reason_code: reason?.status_reason_code ?? null }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
