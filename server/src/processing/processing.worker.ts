// The worker that takes managed transfers further. The status of a transfer is the queue: there is no job for each. Several instances may plan
// the same transfer; the sequence lets one win.

import { type Actor, theService } from '../platform/actor.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { type Alert, findPolicies, type Policy } from '../policies/policies.ts'
import type { TransferRow } from '../transfers/transfers.columns.ts'
import { findStandings, type StandingNow, type TransferStatus, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { fromNumeric } from '../values/money.ts'
import { Refusal, type RefusalCode } from '../values/refusals.ts'
import type { OpenCaseFor } from './processing.cases.ts'
import type { Answer, Exchange } from './processing.exchange.ts'
import { monitor } from './processing.monitoring.ts'
import { advance, type Plan, type ScreeningOutcome, type Situation, scanned } from './processing.planner.ts'
import { type Delay, type Key, selectDue, writeDelays } from './processing.sql.ts'

/** What the comparison of the parties with the lists came to, and the rows that keep it with the walk. */
export type Screened = { outcome: ScreeningOutcome; companions: readonly Companion[] }

export type Screener = { screen(transfers: readonly { transfer: TransferRow; policy: Policy }[]): Promise<Screened[]> }

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

const connector: Actor = { kind: 'connector', id: null }

/** overtaken: somebody was faster, or what was seen without a lock no longer holds. It is planned anew at once. */
type Moved = 'moved' | 'overtaken' | 'refused'

const overtaken: readonly RefusalCode[] = ['resource_changed', 'insufficient_funds']

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

  /** Takes one transfer as far as it gets now. */
  async takeFurther(key: Key): Promise<void> {
    while ((await this.#process([key])) > 0);
  }

  /**
   * Screens money that waits for a decision before somebody credits it: the moves through the screening, and the rows that are written with them.
   * The moves end with AML_APPROVED if nothing was found.
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
    const { steps, opens } = scanned(screening, alerts.length > 0 ? 'rule' : alertOf(transfer, policy), transfer.status)
    const opened = opens === undefined ? [] : [openCaseFor({ kind: opens, transfer, policy, screening, alerts })]
    return { steps, companions: [...(screened?.companions ?? []), ...opened] }
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

  /** Returns how many transfers went further. */
  async #processDue(): Promise<number> {
    let [moved, after] = [0, '00000000-0000-0000-0000-000000000000']
    for (;;) {
      const keys = await selectDue(this.#options.database, { now: this.#now().toISOString(), after, limit: most })
      moved += await this.#process(keys)
      if (keys.length < most || this.#rounds.isStopping) return moved
      after = keys.at(-1)?.id ?? after
    }
  }

  async #process(keys: readonly Key[]): Promise<number> {
    if (keys.length === 0) return 0
    const { database, transfers } = this.#options
    const standings = await findStandings(transfers, keys)
    const policies = await findPolicies(database, [...new Set(standings.map(({ transfer }) => transfer.venture_id))])
    const [outside, inside] = partition(standings, ({ transfer }) => atExchange.has(transfer.status))
    const walked = await Promise.all([this.#exchange(outside), this.#plan(inside, policies)])
    return walked[0] + walked[1]
  }

  async #plan(standings: readonly StandingNow[], policies: ReadonlyMap<string, Policy>): Promise<number> {
    const now = this.#now()
    const situations = standings.map((standing) => situationOf(standing, policies.get(standing.transfer.venture_id) as Policy, now))
    const [unscreened, known] = partition(situations, (situation) => advance(situation).kind === 'screen')
    const [screened, alerts] = await Promise.all([
      this.#options.screener.screen(unscreened.map(({ row: transfer, policy }) => ({ transfer, policy }))),
      monitor(
        this.#options.database,
        unscreened.map(({ row: transfer, client_id, policy }) => ({ transfer, client_id, policy })),
        now,
      ),
    ])
    const all = [
      ...known,
      ...unscreened.map((situation, index) => withScreening(situation, screened[index] as Screened, alerts[index] ?? [])),
    ]
    const delays: Delay[] = []
    const delay = ({ row: { venture_id, id: transfer_id, sequence } }: Planned, until = new Date(now.getTime() + patience_ms)) => {
      delays.push({ venture_id, transfer_id, sequence, until: until.toISOString() })
      return false
    }
    const moved = await Promise.all(
      all.map(async (situation) => {
        const plan = this.#possible(advance(situation))
        if (plan.kind !== 'walk') return delay(situation, (plan.kind === 'wait' && plan.until) || undefined)
        const result = await this.#walk(situation, plan)
        return result === 'refused' ? delay(situation) : result === 'moved'
      }),
    )
    if (delays.length > 0) await this.#options.database.transaction(async (tx) => writeDelays(tx, delays))
    return moved.filter(Boolean).length
  }

  /** Without an exchange nothing is sent: a payment stays where it was last in the bank's hands. */
  #possible(plan: Plan): Plan {
    if (plan.kind !== 'walk' || this.#options.exchange !== undefined || !plan.steps.includes('SENT_TO_CLEAR')) return plan
    const steps = plan.steps.slice(0, plan.steps.indexOf('SENT_TO_CLEAR'))
    return steps.length === 0 ? { kind: 'wait' } : { ...plan, steps }
  }

  #walk(planned: Planned, { steps, reason, opens }: Walk): Promise<Moved> {
    const { transfers, openCaseFor } = this.#options
    const { row, policy, screening, alerts, companions } = planned
    const [status, ...rest] = steps
    return this.#move(
      {
        ...{ venture_id: row.venture_id, transfer_id: row.id, sequence: row.sequence, actor: theService },
        update: { status: status as TransferStatus, ...reasonOf(policy, reason, opens) },
        steps: rest,
        with_case: opens === 'suspended',
        companions: [
          ...companions,
          ...(opens === undefined ? [] : [openCaseFor({ kind: opens, transfer: row, policy, screening, alerts })]),
        ],
      },
      transfers,
    )
  }

  /** Commit first: only what is committed as sent is handed to another bank. */
  async #exchange(standings: readonly StandingNow[]): Promise<number> {
    const { transfers, exchange } = this.#options
    if (exchange === undefined) return 0
    const [sent, packing] = partition(standings, ({ transfer }) => transfer.sent)
    const answers = sent.length === 0 ? [] : await exchange.exchange(sent.map(({ transfer }) => transfer))
    const packed = packing.map(({ transfer: { venture_id, id: transfer_id, sequence, status } }) => {
      const steps: TransferStatus[] = status === 'SENT_TO_PACK' ? ['PACKED', 'SENT_TO_CLEAR'] : ['SENT_TO_CLEAR']
      const [first, ...rest] = steps
      return this.#move(
        { venture_id, transfer_id, sequence, actor: theService, update: { status: first as TransferStatus }, steps: rest },
        transfers,
      )
    })
    const settled = sent.map(({ transfer }, index) => {
      const answer = answers[index]
      return answer === undefined ? 'overtaken' : this.#settle(transfer, answer)
    })
    return (await Promise.all([...packed, ...settled])).filter((result) => result === 'moved').length
  }

  async #settle({ venture_id, id: transfer_id, sequence, status, method }: TransferRow, answer: Answer): Promise<Moved> {
    if (answer.status === status) return 'overtaken'
    const { third_party_status, reason: status_reason = null, reason_code: status_reason_code = null } = answer
    const passes = answer.status === 'COMPLETED' && status === 'SENT_TO_CLEAR' && method !== 'INST'
    const steps: TransferStatus[] = passes ? ['ACCEPTED', 'COMPLETED'] : [answer.status]
    const [first, ...rest] = steps
    const update = { status: first as TransferStatus, third_party_status, status_reason, status_reason_code }
    return this.#move({ venture_id, transfer_id, sequence, actor: connector, update, steps: rest }, this.#options.transfers)
  }

  async #move(request: Parameters<typeof updateTransfer>[1], transfers: Transfers): Promise<Moved> {
    try {
      await updateTransfer(transfers, request)
      return 'moved'
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (overtaken.includes(error.code)) return 'overtaken'
      const { transfer_id, venture_id } = request
      this.#options.log.info({ transfer_id, venture_id, code: error.code }, 'a transfer could not be taken further')
      return 'refused'
    }
  }
}

const atExchange: ReadonlySet<TransferStatus> = new Set<TransferStatus>(['SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR', 'ACCEPTED'])

type Planned = Situation & {
  row: TransferRow
  client_id: string
  policy: Policy
  alerts: readonly Alert[]
  companions: readonly Companion[]
}

function situationOf({ transfer, circumstances, account }: StandingNow, policy: Policy, now: Date): Planned {
  return {
    ...{ transfer, row: transfer, client_id: account.client_id, policy, circumstances, now, alerts: [], companions: [] },
    venture_active: account.venture_active,
    account_active: account.status === 'ACTIVE',
    available: account.current - account.reserved,
    screening: undefined,
    alert: alertOf(transfer, policy),
    funds_wait_h: policy.funds_wait_h,
  }
}

function alertOf({ debit_amount }: TransferRow, { review_above }: Policy): 'amount' | undefined {
  return review_above !== null && fromNumeric(debit_amount) > fromNumeric(review_above) ? 'amount' : undefined
}

function withScreening(situation: Planned, { outcome, companions }: Screened, alerts: readonly Alert[]): Planned {
  const alert = alerts.length > 0 ? 'rule' : situation.alert
  return { ...situation, screening: outcome, alert, alerts, companions }
}

type Walk = Extract<Plan, { kind: 'walk' }>

/** Why a walk was made, and under which version of the policy. The venture reads it, so it says nothing of what was found. */
function reasonOf({ version }: Policy, reason: Walk['reason'], opens: Walk['opens']): NonNullable<Walk['reason']> {
  const text = opens === undefined || opens === 'suspended' ? (reason?.status_reason ?? '') : 'Under review.'
  return { status_reason: `${text} Policy version ${version}.`.trim(), status_reason_code: reason?.status_reason_code ?? null }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
