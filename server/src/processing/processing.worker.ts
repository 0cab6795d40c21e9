// The worker that takes managed transfers further. The status of a transfer is the queue: there is no job for each. Several instances may plan
// the same transfer; the sequence lets one win.

import { type Actor, theService } from '../platform/actor.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { findPolicies, type Policy } from '../policies/policies.ts'
import type { TransferRow } from '../transfers/transfers.columns.ts'
import { findStandings, type StandingNow, type TransferStatus, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { fromNumeric } from '../values/money.ts'
import { Refusal } from '../values/refusals.ts'
import { type Exchange, handOver, isOutside, settle } from './processing.exchange.ts'
import { advance, type CaseKind, plannedStatuses, type ScreeningOutcome, type Situation, type Walk } from './processing.planner.ts'
import { type Delay, type Key, selectDue, writeDelays } from './processing.sql.ts'

/** What the comparison of the parties with the lists came to, and the rows that keep it with the walk. */
export type Screened = { outcome: ScreeningOutcome; companions: readonly Companion[] }

export type Screener = { screen(transfers: readonly { transfer: TransferRow; policy: Policy }[]): Promise<Screened[]> }

/** What opens a case together with a walk. */
export type OpenCaseFor = (kind: CaseKind, transfer: TransferRow) => Companion

type Options = {
  database: Database
  transfers: Transfers
  screener: Screener
  exchange: Exchange
  openCaseFor: OpenCaseFor
  log: Logger
  every_ms?: number
  now?: () => Date
}

const most = 256
/** How soon a transfer is looked at again that waits for somebody, and not for a moment: for a person, for money, for lists. */
const patience_ms = 30_000

export const connector: Actor = { kind: 'connector', id: null }

export class Processing {
  readonly #options: Options
  readonly #rounds: Rounds
  readonly #now: () => Date
  readonly #woken = new Map<string, Key>()
  #running: Promise<unknown> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 2_000, first: 'at once', work: () => this.#round() })
  }

  start(): void {
    this.#options.transfers.watchers.add(this.#wake)
    this.#rounds.start()
  }

  /** Plans nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#options.transfers.watchers.delete(this.#wake)
    await this.#rounds.stop()
    await this.#running
  }

  /** Takes everything as far as it gets now. For tests and the simulation, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#processDue()) > 0);
  }

  readonly #wake = (keys: readonly Key[]): void => {
    for (const key of keys) this.#woken.set(key.id, key)
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined
    })
  }

  /** What was just committed is taken further at once, in batches like those that committed it. */
  async #drain(): Promise<void> {
    while (this.#woken.size > 0 && !this.#rounds.isStopping) {
      const keys = [...this.#woken.values()].slice(0, most)
      for (const { id } of keys) this.#woken.delete(id)
      await this.#process(keys).catch((error: unknown) => this.#options.log.warn({ err: error }, 'transfers could not be processed'))
    }
  }

  async #round(): Promise<void> {
    try {
      await this.#processDue()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'transfers could not be processed')
    }
  }

  /** Returns how many transfers went further. A failure in one batch does not keep the others waiting. */
  async #processDue(): Promise<number> {
    const failures: unknown[] = []
    let [moved, after] = [0, '00000000-0000-0000-0000-000000000000']
    for (;;) {
      const keys = await selectDue(this.#options.database, { now: this.#now().toISOString(), after, limit: most })
      moved += await this.#process(keys).catch((error: unknown) => {
        failures.push(error)
        return 0
      })
      if (keys.length < most || this.#rounds.isStopping) break
      after = keys.at(-1)?.id ?? after
    }
    if (failures.length > 0) throw failures[0]
    return moved
  }

  async #process(keys: readonly Key[]): Promise<number> {
    if (keys.length === 0) return 0
    const { database, transfers } = this.#options
    const [standings, policies] = await Promise.all([
      findStandings(transfers, keys),
      findPolicies(database, [...new Set(keys.map(({ venture_id }) => venture_id))]),
    ])
    const [outside, inside] = partition(standings, ({ transfer }) => isOutside(transfer))
    const walked = await Promise.all([this.#exchange(outside), this.#plan(inside, policies)])
    return walked[0] + walked[1]
  }

  async #plan(standings: readonly StandingNow[], policies: ReadonlyMap<string, Policy>): Promise<number> {
    const now = this.#now()
    const situations = await this.#screened(
      standings.map((standing): Planned => {
        const policy = policies.get(standing.transfer.venture_id) as Policy
        return { ...situationOf(standing, policy, now), row: standing.transfer, policy, companions: [] }
      }),
    )
    const delays: Delay[] = []
    const moved = await Promise.all(
      situations.map((situation) => {
        const plan = advance(situation)
        const { row, companions } = situation
        const walk = plan.kind === 'walk' ? plan : handOver(situation)
        if (walk !== undefined) return this.#walk(row, walk, theService, companions)
        const until = (plan.kind === 'wait' && plan.until) || new Date(now.getTime() + patience_ms)
        // What is not in the queue needs no delay.
        if (plannedStatuses.includes(row.status))
          delays.push({ venture_id: row.venture_id, transfer_id: row.id, sequence: row.sequence, until: until.toISOString() })
        return false
      }),
    )
    if (delays.length > 0) await this.#options.database.transaction(async (tx) => writeDelays(tx, delays))
    return moved.filter(Boolean).length
  }

  /** Screens the parties of those that need it. The order stays: if there is too little money, the oldest order gets it. */
  async #screened(situations: readonly Planned[]): Promise<Planned[]> {
    const unscreened = situations.filter((situation) => advance(situation).kind === 'screen')
    if (unscreened.length === 0) return [...situations]
    const screened = await this.#options.screener.screen(unscreened.map(({ row: transfer, policy }) => ({ transfer, policy })))
    const results = new Map(unscreened.map((situation, index) => [situation, screened[index] as Screened]))
    return situations.map((situation) => {
      const result = results.get(situation)
      return result === undefined ? situation : { ...situation, screening: result.outcome, companions: result.companions }
    })
  }

  /** Asks about what is committed as sent, and about nothing else. */
  async #exchange(standings: readonly StandingNow[]): Promise<number> {
    if (standings.length === 0) return 0
    const sent = standings.map(({ transfer }) => transfer)
    const answers = await this.#options.exchange.exchange(sent)
    const moved = sent.map((transfer, index) => {
      const answer = answers[index]
      const walk = answer === undefined ? undefined : settle(transfer, answer)
      return walk === undefined ? false : this.#walk(transfer, walk, connector)
    })
    return (await Promise.all(moved)).filter(Boolean).length
  }

  /** Returns false if somebody was faster, or if what was seen without a lock no longer holds: it is planned anew. */
  async #walk(transfer: TransferRow, walk: Walk, actor: Actor, companions: readonly Companion[] = []): Promise<boolean> {
    const { transfers, openCaseFor, log } = this.#options
    const { opens } = walk
    try {
      await updateTransfer(transfers, {
        ...walkOf(transfer, walk, actor),
        companions: [...companions, ...(opens === undefined ? [] : [openCaseFor(opens, transfer)])],
      })
      return true
    } catch (error) {
      const { id: transfer_id, venture_id } = transfer
      if (!(error instanceof Refusal)) log.warn({ err: error, transfer_id, venture_id }, 'a transfer could not be taken further')
      else if (error.code !== 'resource_changed')
        log.info({ transfer_id, venture_id, code: error.code }, 'a transfer could not be taken further')
      return false
    }
  }
}

/** The command for a walk. It is refused if the transfer has changed since it was planned. */
export function walkOf({ venture_id, id: transfer_id, sequence }: TransferRow, walk: Walk, actor: Actor) {
  const { reason, third_party_status, opens } = walk
  const [status, ...steps] = walk.steps
  const update = { status: status as TransferStatus, ...reason, ...(third_party_status === undefined ? {} : { third_party_status }) }
  return { venture_id, transfer_id, sequence, actor, update, steps, with_case: opens === 'suspended' }
}

type Planned = Situation & { row: TransferRow; policy: Policy; companions: readonly Companion[] }

/** What the planner has to know of a transfer, before its parties are screened. */
export function situationOf(
  { transfer, circumstances, account, needed, covered, stopped_by_bank }: StandingNow,
  { review_above, funds_wait_h }: Pick<Policy, 'review_above' | 'funds_wait_h'>,
  now: Date,
): Situation {
  const isLarge = review_above !== null && fromNumeric(transfer.debit_amount) > fromNumeric(review_above)
  return {
    ...{ transfer, circumstances, needed, covered, stopped_by_bank, funds_wait_h, now },
    venture_active: account.venture_active,
    account_active: account.status === 'ACTIVE',
    available: account.current - account.reserved,
    screening: undefined,
    alert: isLarge ? 'amount' : undefined,
  }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
