// Plays scripts on both sides: by the model, which plans with `advance` over rows in memory, and by the service with its workers and a database.
// Each side reports the outcome of every act and the state after every round. Both must report the same.
import { randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { openFirstCase } from '../../../server/src/cases/cases.ts'
import { type Actor, theService } from '../../../server/src/platform/actor.ts'
import { createLog } from '../../../server/src/platform/log.ts'
import { policyApprovals } from '../../../server/src/policies/policies.ts'
import { caseOpener } from '../../../server/src/processing/processing.cases.ts'
import { type Answer, handOver, isOutside, settle } from '../../../server/src/processing/processing.exchange.ts'
import { advance, type Situation, type Walk } from '../../../server/src/processing/processing.planner.ts'
import { connector, Processing, situationOf, walkOf } from '../../../server/src/processing/processing.worker.ts'
import { firstBook } from '../../../server/src/schemes/schemes.ts'
import { type ManagedBank, ManagedVenture } from '../../../server/src/testing/testing.managed.ts'
import { Batch, type BatchAccount, type BatchClient } from '../../../server/src/transfers/deciding/transfers.batch.ts'
import type { OrderedCommand } from '../../../server/src/transfers/deciding/transfers.commands.ts'
import { decide } from '../../../server/src/transfers/deciding/transfers.decide.ts'
import { standingIn } from '../../../server/src/transfers/deciding/transfers.standing.ts'
import { reviewKinds } from '../../../server/src/transfers/life/transfers.cases.ts'
import type { TransferRow } from '../../../server/src/transfers/life/transfers.columns.ts'
import type { Transfer, TransferOrder, TransferUpdate } from '../../../server/src/transfers/life/transfers.schemas.ts'
import { plannedStatuses } from '../../../server/src/transfers/life/transfers.sets.ts'
import { isTerminal, type TransferStatus, waitingStatus } from '../../../server/src/transfers/life/transfers.status.ts'
import { caseFor, createTransfer, openTransfers, updateTransfer } from '../../../server/src/transfers/transfers.ts'
import { fromNumeric } from '../../../server/src/values/money.ts'
import { Refusal } from '../../../server/src/values/refusals.ts'
import { SeededRandom } from '../../../server/src/values/seeded-random.ts'
import { bank as identity, World } from '../simulation.world.ts'
import { type Act, accounts, clock_h, type Fate, isPlayed, type Round, type Script, sinkAccount } from './simulation.script.ts'

const theVenture: Actor = { kind: 'venture', id: null }
const outsideIban = 'DE89370400440532013000'

type Advance = typeof advance

/** What all sides share: the owner of each order, and what happens to it outside. */
type Placed = { id: string; account: number; fate: Fate }

/** How a transfer stands, in one line. */
type Standing = { status: string; sequence: number; hold: bigint; moves: readonly string[]; cases: readonly string[] }

const lineOf = (name: string, { status, sequence, hold, moves, cases }: Standing) =>
  `${name}: ${status} after ${moves.join(' ')} (${sequence}), holds ${hold}, cases ${cases.join(' ') || 'none'}`

function answerOf({ answers }: Fate, round: number): Answer | undefined {
  const status = answers[Math.min(round, answers.length - 1)]
  return status === undefined ? undefined : { status, third_party_status: status === 'REJECTED' ? 'RJCT' : 'ACSC' }
}

/** The order of an act, with the names that a side has for its account and its beneficiary. */
function orderOf(act: Extract<Act, { do: 'order' }>, ids: { account_id: string; beneficiary_id: string }, today: Date): TransferOrder {
  const day = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return {
    ...ids,
    unique_reference: randomUUID(),
    debit_amount: act.amount,
    ...(act.inside ? {} : { method: act.instant ? ('INST' as const) : ('SEPA' as const) }),
    ...(act.days === undefined ? {} : { settlement_date: day(act.days) }),
  }
}

const arrivalOf = (account_id: string, amount: string): TransferOrder => ({
  account_id,
  unique_reference: randomUUID(),
  direction: 'INBOUND',
  credit_amount: amount,
  dr_iban: outsideIban,
  dr_name: 'Charles Babbage',
})

const fundingOf = (account_id: string, amount: string): TransferOrder => ({
  account_id,
  unique_reference: randomUUID(),
  direction: 'INBOUND',
  transfer_type: 'ADJUSTMENT',
  credit_amount: amount,
})

const updateOf = (status: TransferStatus, by: Actor): TransferUpdate => ({
  status,
  ...(by === connector ? { third_party_status: 'ACCC' } : {}),
})

const timeOf = (start: Date, round: number) => new Date(start.getTime() + (clock_h[round] ?? 0) * 3_600_000)

/** Plays a script in memory and returns its report. */
export function playModel(script: Script, start: Date, plan: Advance = advance): string[] {
  return new ModelSide(script, start, plan).play()
}

class ModelSide {
  readonly #script: Script
  readonly #start: Date
  readonly #advance: Advance
  readonly #world = new World(new SeededRandom(0), [])
  readonly #venture_id: string
  readonly #clients: BatchClient[] = []
  readonly #accounts: BatchAccount[] = []
  readonly #outside: string[] = []
  readonly #sink: string
  readonly #orders: (Placed | undefined)[] = []
  readonly #moves = new Map<string, string[]>()
  readonly #cases = new Map<string, string[]>()
  /** What waits, as long as it has this sequence. */
  readonly #delays = new Map<string, { sequence: number; until: Date }>()

  constructor(script: Script, start: Date, plan: Advance) {
    this.#script = script
    this.#start = start
    this.#advance = plan
    const world = this.#world
    world.now = start
    this.#venture_id = world.newId()
    for (const { client } of accounts) this.#clients[client] ??= world.addClient(this.#venture_id)
    for (const { client } of accounts) this.#accounts.push(world.addAccount(this.#clients[client] as BatchClient, 'EUR'))
    for (const account of this.#accounts) Object.assign(account, { managed: true, used_on: start.toISOString().slice(0, 10) })
    for (const client of this.#clients) this.#outside.push(world.addBeneficiary(client, { iban: outsideIban }))
    const sink = this.#accounts[sinkAccount] as BatchAccount
    this.#sink = world.addBeneficiary(this.#clients[0] as BatchClient, { iban: sink.account_number, receiver_account_id: sink.id })
    for (const [index, { balance }] of accounts.entries())
      if (balance !== undefined) this.#act({ do: 'fund', account: index, amount: balance })
  }

  play(): string[] {
    return this.#script.rounds.flatMap((round, number) => {
      const outcomes = round.acts.map((act) => `${act.do}: ${this.#act(act)}`)
      this.#runDue(round, number)
      return [`round ${number + 1}`, ...outcomes, ...this.#standings()]
    })
  }

  #standings(): string[] {
    const orders = this.#orders.map((placed, index) => {
      const row = this.#world.transfers.get(placed?.id ?? '')
      if (row === undefined) return `order ${index}: none`
      const { status, sequence, hold, id } = row
      return lineOf(`order ${index}`, { status, sequence, hold, moves: this.#moves.get(id) ?? [], cases: this.#cases.get(id) ?? [] })
    })
    return [
      ...orders,
      ...this.#accounts.map(({ current, reserved, status }, index) => `account ${index}: ${status} ${current} ${reserved}`),
    ]
  }

  #run(commands: readonly OrderedCommand[]): (TransferRow | Refusal)[] {
    const loaded = this.#world.load(commands)
    const results = commands.map((command) => {
      const result = loaded.batch.attempt(() => decide(loaded.batch, identity, command))
      this.#world.passOn(loaded, command, result)
      return result
    })
    this.#world.write(loaded)
    for (const { transfer_id, to_status } of loaded.batch.newMoves)
      this.#moves.set(transfer_id, [...(this.#moves.get(transfer_id) ?? []), to_status])
    return results.map((result) => (result instanceof Refusal ? result : (this.#world.transfers.get(result.id) as TransferRow)))
  }

  #one(command: OrderedCommand): TransferRow | Refusal {
    return this.#run([command])[0] as TransferRow | Refusal
  }

  #create(order: TransferOrder, more: Partial<Extract<OrderedCommand, { kind: 'create' }>>): TransferRow | Refusal {
    const { newId, now } = { newId: this.#world.newId(), now: this.#start }
    return this.#one({ kind: 'create', venture_id: this.#venture_id, id: newId, order, actor: connector, now, ...more })
  }

  #arrive({ id }: BatchAccount, amount: string): TransferRow | Refusal {
    const arrived = this.#create(arrivalOf(id, amount), { door: 'inbound' })
    if (!(arrived instanceof Refusal) && arrived.status === 'CREDIT_TECH_BALANCE') this.#cases.set(arrived.id, ['suspended'])
    return arrived
  }

  #place(result: TransferRow | Refusal, account: number, fate: Fate): string {
    this.#orders.push(result instanceof Refusal ? undefined : { id: result.id, account, fate })
    return result instanceof Refusal ? result.code : 'done'
  }

  #act(act: Act): string {
    const accountOf = (index: number) => this.#accounts[index] as BatchAccount
    switch (act.do) {
      case 'order': {
        const beneficiary_id = act.inside ? this.#sink : (this.#outside[accounts[act.account]?.client ?? 0] as string)
        const order = orderOf(act, { account_id: accountOf(act.account).id, beneficiary_id }, this.#start)
        return this.#place(this.#create(order, { actor: theVenture }), act.account, act.fate)
      }
      case 'arrive':
        return this.#place(this.#arrive(accountOf(sinkAccount), act.amount), sinkAccount, act.fate)
      case 'fund': {
        const funded = this.#create(fundingOf(accountOf(act.account).id, act.amount), { steps: 'to completion' })
        return funded instanceof Refusal ? funded.code : 'done'
      }
      case 'move':
        return this.#move(act)
      case 'block':
      case 'free':
        Object.assign(this.#clients[act.client] as BatchClient, { blocked: act.do === 'block' })
        return 'done'
      case 'freeze':
      case 'unfreeze': {
        const account = accountOf(act.account)
        if (account.status !== (act.do === 'freeze' ? 'ACTIVE' : 'SUSPENDED')) return 'refused'
        Object.assign(account, { status: act.do === 'freeze' ? 'SUSPENDED' : 'ACTIVE', frozen_by_bank: act.do === 'freeze' })
        return 'done'
      }
      case 'close': {
        const account = accountOf(act.account)
        if (account.status !== 'ACTIVE' || account.current > 0n || account.reserved > 0n) return 'refused'
        account.status = 'CLOSED'
        return 'done'
      }
    }
  }

  #move(act: Extract<Act, { do: 'move' }>): string {
    const placed = this.#orders[act.order]
    const row = this.#world.transfers.get(placed?.id ?? '')
    const to = act.to === 'back' ? row?.on_hold_from : act.to
    if (placed === undefined || row === undefined || to == null || !isPlayed(act, placed.account)) return 'not played'
    const actor = act.by === 'venture' ? theVenture : connector
    const { venture_id, id: transfer_id } = row
    const result = this.#one({ kind: 'update', venture_id, transfer_id, update: updateOf(to, actor), actor, now: this.#start })
    return result instanceof Refusal ? result.code : 'done'
  }

  /** What the worker of the service does. */
  #runDue({ loaded }: Round, number: number): void {
    const now = timeOf(this.#start, number)
    for (;;) {
      const walks = this.#due(now).flatMap((row) => {
        const fate = this.#orders.find((placed) => placed?.id === row.id)?.fate
        const walk = isOutside(row) ? this.#answer(row, fate, number) : this.#plan(row, { fate, loaded, now })
        return walk === undefined ? [] : [{ row, walk, actor: isOutside(row) ? connector : theService }]
      })
      const results = this.#run(
        walks.map(({ row, walk, actor }) => ({ kind: 'update' as const, ...walkOf(row, walk, actor), now: this.#start })),
      )
      for (const [index, { row, walk }] of walks.entries())
        if (walk.opens !== undefined && !(results[index] instanceof Refusal))
          this.#cases.set(row.id, [...(this.#cases.get(row.id) ?? []), walk.opens])
      if (results.every((result) => result instanceof Refusal)) return
    }
  }

  #due(now: Date): TransferRow[] {
    const isDelayed = ({ id, sequence }: TransferRow) => {
      const delay = this.#delays.get(id)
      return delay !== undefined && delay.sequence === sequence && delay.until > now
    }
    return [...this.#world.transfers.values()].filter((row) => !isTerminal(row.status) && !isDelayed(row))
  }

  #answer(row: TransferRow, fate: Fate | undefined, round: number): Walk | undefined {
    const answer = fate === undefined ? undefined : answerOf(fate, round)
    return answer === undefined ? undefined : settle(row, answer)
  }

  #plan(row: TransferRow, { fate, loaded, now }: { fate: Fate | undefined; loaded: boolean; now: Date }): Walk | undefined {
    const { transfers, accounts, clients } = this.#world
    const parts = { accounts: [...accounts.values()], transfers: [...transfers.values()], clients: [...clients.values()] }
    const standing = standingIn(new Batch({ ...parts, children: [], beneficiaries: [], claims: new Map() }), row)
    if (standing === undefined) throw new Error(`the transfer ${row.id} has no account`)
    const { policy } = this.#script
    const known = situationOf(standing, policy, { book: firstBook, now })
    const fires =
      policy.rule_above !== null && row.transfer_type === 'PAYMENT' && fromNumeric(row.debit_amount) > fromNumeric(policy.rule_above)
    const situation: Situation = fires ? { ...known, alert: 'rule' } : known
    const first = this.#advance(situation)
    const screening = loaded ? (fate?.screening ?? 'CLEAR') : 'UNLOADED'
    const plan = first.kind === 'screen' ? this.#advance({ ...situation, screening }) : first
    const walk = plan.kind === 'walk' ? plan : handOver(situation)
    const until = (plan.kind === 'wait' && plan.until) || new Date(now.getTime() + 30_000)
    if (walk === undefined && plannedStatuses.includes(row.status)) this.#delays.set(row.id, { sequence: row.sequence, until })
    return walk
  }
}

/**
 * Plays scripts at the same time, each in a venture of its own, with a number of workers on one database. Returns what each has to
 * tell, and how many transfers each worker has taken further.
 */
export async function playService(
  bank: ManagedBank,
  scripts: readonly Script[],
  { workers, start }: { workers: number; start: Date },
): Promise<{ told: string[][]; shares: number[] }> {
  const side = new ServiceSide({ ...bank, owner: inTurn(bank.owner) }, workers)
  return { told: await side.play(scripts, start), shares: side.shares }
}

/** A connection whose queries wait for each other, because the scripts are played at the same time. */
function inTurn(owner: ManagedBank['owner']): ManagedBank['owner'] {
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string, values: unknown[]) => {
    const next = last.then(() => owner.query(text, values))
    last = next.catch(() => {})
    return next
  }
  return { query } as object as ManagedBank['owner']
}

class ServiceSide {
  readonly #bank: ManagedBank
  readonly #workers: Processing[]
  readonly shares: number[]
  readonly #fates = new Map<string, { fate: Fate; script: Script }>()
  #round = 0
  #start = new Date()

  constructor(bank: ManagedBank, workers: number) {
    this.#bank = bank
    this.shares = Array.from({ length: workers }, () => 0)
    this.#workers = this.shares.map((_, number) => this.#openWorker(number))
  }

  #openWorker(number: number): Processing {
    const { database, config } = this.#bank
    const transfers = openTransfers(database, config.bank, openFirstCase)
    transfers.watchers.add((keys) => {
      this.shares[number] = (this.shares[number] ?? 0) + keys.length
    })
    return new Processing({
      database,
      transfers,
      screener: {
        screen: async (all) => all.map(({ transfer }) => ({ outcome: this.#outcomeOf(transfer.id), companions: [] })),
      },
      exchange: {
        carries: () => true,
        exchange: async (payments) =>
          payments.map(({ id }) => answerOf(this.#fates.get(id)?.fate ?? { screening: 'CLEAR', answers: [] }, this.#round)),
      },
      openCaseFor: caseOpener(transfers),
      log: createLog('silent'),
      now: () => timeOf(this.#start, this.#round),
    })
  }

  #outcomeOf(id: string): 'CLEAR' | 'HIT' | 'BLOCK' | 'UNLOADED' {
    const known = this.#fates.get(id)
    if (known === undefined) return 'CLEAR'
    return known.script.rounds[this.#round]?.loaded === false ? 'UNLOADED' : (known.fate.screening as 'CLEAR' | 'HIT' | 'BLOCK')
  }

  async play(scripts: readonly Script[], start: Date): Promise<string[][]> {
    this.#start = start
    const stages = await Promise.all(scripts.map((script) => Stage.open(this.#bank, script, this.#fates)))
    const told = scripts.map((): string[] => [])
    const rounds = scripts[0]?.rounds.length ?? 0
    for (this.#round = 0; this.#round < rounds; this.#round++) {
      const outcomes = await Promise.all(stages.map((stage) => stage.act(this.#round, start)))
      await Promise.all(this.#workers.map((worker) => worker.runDue()))
      for (const [index, stage] of stages.entries())
        told[index]?.push(`round ${this.#round + 1}`, ...(outcomes[index] ?? []), ...(await stage.standings()))
    }
    return told
  }
}

/** A venture in which one script is played. */
class Stage {
  readonly #bank: ManagedBank
  readonly #venture: ManagedVenture
  readonly #script: Script
  readonly #fates: Map<string, { fate: Fate; script: Script }>
  readonly #clients: string[] = []
  readonly #accounts: string[] = []
  readonly #outside: string[] = []
  #sink = ''
  readonly #orders: (Placed | undefined)[] = []

  constructor(bank: ManagedBank, venture: ManagedVenture, script: Script, fates: Map<string, { fate: Fate; script: Script }>) {
    this.#bank = bank
    this.#venture = venture
    this.#script = script
    this.#fates = fates
  }

  static async open(bank: ManagedBank, script: Script, fates: Map<string, { fate: Fate; script: Script }>): Promise<Stage> {
    const stage = new Stage(bank, await ManagedVenture.open(bank), script, fates)
    await stage.#prepare()
    return stage
  }

  async #prepare(): Promise<void> {
    const venture = this.#venture
    const [handler] = policyApprovals(this.#bank.database)
    const { rule_above: above, ...policy } = this.#script.policy
    const payload = { ...policy, rules: above === null ? [] : [{ kind: 'amount', above }] }
    const change = { venture_id: venture.venture.id, resource_id: venture.venture.id, sequence: 0, payload }
    await handler?.carryOut(change as Parameters<typeof handler.carryOut>[0], { actor: theService })
    for (const { client, balance } of accounts) {
      this.#clients[client] ??= (await venture.verifiedClient()).id as string
      const account = await venture.openAccount({ client_id: this.#clients[client] })
      this.#accounts.push(account.id)
      if (balance !== undefined) await this.#create(fundingOf(account.id, balance), { steps: 'to completion' })
    }
    for (const id of this.#clients) this.#outside.push((await venture.addBeneficiary(id)).id)
    const { body: sink } = await venture.get(`/accounts/${this.#accounts[sinkAccount]}`)
    this.#sink = (await venture.addBeneficiary(this.#clients[0] as string, { iban: sink.account_number })).id
  }

  async act(round: number, start: Date): Promise<string[]> {
    const outcomes: string[] = []
    for (const act of this.#script.rounds[round]?.acts ?? []) outcomes.push(`${act.do}: ${await this.#act(act, start)}`)
    return outcomes
  }

  #create(order: TransferOrder, more: Partial<Parameters<typeof createTransfer>[1]>) {
    const { transfers, venture } = this.#venture
    return createTransfer(transfers, { venture_id: venture.id, order, actor: connector, ...more })
  }

  #arrive(amount: string): Promise<{ id: string }> {
    const id = uuidv7()
    const newCase = { venture_id: this.#venture.venture.id, kind: 'suspended', resource_id: id, payload: {} }
    const companions = [caseFor(openFirstCase, ({ status }: Transfer) => (status === waitingStatus ? newCase : undefined))]
    return this.#create(arrivalOf(this.#accounts[sinkAccount] as string, amount), { id, door: 'inbound', companions })
  }

  async #place(creating: Promise<{ id: string }>, account: number, fate: Fate): Promise<string> {
    try {
      const { id } = await creating
      this.#orders.push({ id, account, fate })
      this.#fates.set(id, { fate, script: this.#script })
      return 'done'
    } catch (error) {
      this.#orders.push(undefined)
      return codeOf(error)
    }
  }

  async #act(act: Act, start: Date): Promise<string> {
    const { owner } = this.#bank
    switch (act.do) {
      case 'order': {
        const beneficiary_id = act.inside ? this.#sink : (this.#outside[accounts[act.account]?.client ?? 0] as string)
        const order = orderOf(act, { account_id: this.#accounts[act.account] as string, beneficiary_id }, start)
        return this.#place(this.#create(order, { actor: theVenture }), act.account, act.fate)
      }
      case 'arrive':
        return this.#place(this.#arrive(act.amount), sinkAccount, act.fate)
      case 'fund':
        return done(this.#create(fundingOf(this.#accounts[act.account] as string, act.amount), { steps: 'to completion' }))
      case 'move':
        return this.#move(act)
      case 'block':
      case 'free':
        await owner.query('update clients set blocked = $2 where id = $1', [this.#clients[act.client], act.do === 'block'])
        return 'done'
      case 'freeze':
      case 'unfreeze': {
        const [from, to] = act.do === 'freeze' ? ['ACTIVE', 'SUSPENDED'] : ['SUSPENDED', 'ACTIVE']
        const { rowCount } = await owner.query('update accounts set status = $3, frozen_by_bank = $4 where id = $1 and status = $2', [
          this.#accounts[act.account],
          from,
          to,
          act.do === 'freeze',
        ])
        return rowCount === 1 ? 'done' : 'refused'
      }
      case 'close': {
        const { rows } = await owner.query('select status from accounts where id = $1', [this.#accounts[act.account]])
        if (rows[0]?.status !== 'ACTIVE') return 'refused'
        const { status } = await this.#venture.post(`/accounts/${this.#accounts[act.account]}/close`)
        return status === 200 ? 'done' : 'refused'
      }
    }
  }

  async #move(act: Extract<Act, { do: 'move' }>): Promise<string> {
    const placed = this.#orders[act.order]
    if (placed === undefined || !isPlayed(act, placed.account)) return 'not played'
    const { rows } = await this.#bank.owner.query('select on_hold_from from transfers where id = $1', [placed.id])
    const to = act.to === 'back' ? (rows[0]?.on_hold_from as TransferStatus | null) : act.to
    if (to === null) return 'not played'
    const actor = act.by === 'venture' ? theVenture : connector
    const { transfers, venture } = this.#venture
    const outcome = await done(
      updateTransfer(transfers, { venture_id: venture.id, transfer_id: placed.id, update: updateOf(to, actor), actor }),
    )
    if (outcome === 'done') await this.#decideCases(placed.id)
    return outcome
  }

  /** What has left its review is decided. */
  async #decideCases(id: string): Promise<void> {
    await this.#bank.owner.query(
      `update cases set state = 'DECIDED', decision = 'approve', decided_at = now() where resource_id = $1 and state = 'OPEN' and kind = any($2)
         and not exists (select from transfers where id = $1 and 'REVIEW' in (status, on_hold_from))`,
      [id, reviewKinds],
    )
  }

  async standings(): Promise<string[]> {
    const { owner } = this.#bank
    const { rows } = await owner.query<{ id: string; status: string; sequence: number; hold: string; moves: string[]; cases: string[] }>(
      `select id, status, sequence, hold::text as hold,
         array(select to_status from transfer_moves move
           where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id order by move.id) as moves,
         array(select kind from cases where cases.venture_id = transfer.venture_id and resource_id = transfer.id order by cases.id) as cases
       from transfers transfer where venture_id = $1`,
      [this.#venture.venture.id],
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    const orders = this.#orders.map((placed, index) => {
      const row = found.get(placed?.id ?? '')
      if (row === undefined) return `order ${index}: none`
      return lineOf(`order ${index}`, { ...row, hold: fromNumeric(row.hold) })
    })
    const { rows: held } = await owner.query<{ id: string; status: string; current: string; reserved: string }>(
      'select id, status, current_balance::text as current, reserved_balance::text as reserved from accounts where id = any($1)',
      [this.#accounts],
    )
    const lines = this.#accounts.map((id, index) => {
      const account = held.find((row) => row.id === id)
      return `account ${index}: ${account?.status} ${fromNumeric(account?.current ?? '')} ${fromNumeric(account?.reserved ?? '')}`
    })
    return [...orders, ...lines]
  }
}

async function done(doing: Promise<unknown>): Promise<string> {
  try {
    await doing
    return 'done'
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code
  throw error
}
