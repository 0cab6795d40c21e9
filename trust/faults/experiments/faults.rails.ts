// The workers that send payments and apply the answers are killed at every step, again and again, while a clearing system takes the files
// and answers them. Every payment must be in exactly one message and end as it was answered, and a cancelled one in none.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openFirstCase } from '../../../server/src/cases/cases.ts'
import { type CreditTransfer, type Message, MessageReader, writeMessage } from '../../../server/src/iso20022/iso20022.ts'
import { Database } from '../../../server/src/platform/database/database.ts'
import { makeDataFolder } from '../../../server/src/testing/testing.folders.ts'
import { startCommand } from '../../../server/src/testing/testing.process.ts'
import { createTransfer, openTransfers, type Transfers, updateTransfer } from '../../../server/src/transfers/transfers.ts'
import { Refusal } from '../../../server/src/values/refusals.ts'
import type { Context, Experiment } from '../experiment.ts'
import { type Account, cents } from '../load/world.ts'
import type { Results } from '../results.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'
import { checkBalances, type Managed, openManaged } from './faults.processing.ts'

const childFile = fileURLToPath(new URL('./rails.child.ts', import.meta.url))

/** The steps in which it is killed, in turn. */
const targets = ['instant', 'collect', 'pack', 'commit', 'seal', 'deliver', 'answer'] as const
type Target = (typeof targets)[number]

/** Fewer say little. */
const fewestKills = targets.length
const fewestOrders = 110
const perKill = 16
const patience_ms = 120_000

type Order = { id: string; account: Account; amount: bigint; method: 'SEPA' | 'INST'; isCancelled: boolean }

export const railsKilled: Experiment = {
  name: 'rails-killed',
  about: 'kill -9 of what takes payments out of the bank, in every step of a pack and while answers are applied',
  run: (context) =>
    withSetup(context, { hosting: 'given', ventures: 0 }, async (setup) => {
      const venture = await openManaged(setup)
      // Otherwise the sandbox would confirm the payments.
      await setup.bank.killService()
      const folder = makeDataFolder('rails')
      for (const name of ['in', 'out', 'clearing']) mkdirSync(join(folder, name), { recursive: true })
      const database = new Database({ url: setup.bank.serviceUrl, poolSize: 4, wait_ms: 60_000 })
      const child = new Child(setup.bank.serviceUrl, folder)
      try {
        const transfers = openTransfers(database, { bic: 'VOSTLT21XXX', name: 'Vostro Sandbox Bank' }, openFirstCase)
        const clearing = new Clearing(folder, context)
        const orders = await killAgainAndAgain(context, { venture, transfers, child, clearing })
        // Sent, answered and applied; the second turn does the follow-up work.
        for (let turn = 0; turn < 2; turn++) {
          await untilIdle(context, setup, { venture, child })
          await clearing.take(1)
        }
        await untilIdle(context, setup, { venture, child })
        await check(context.results, setup, { venture, orders, clearing })
      } finally {
        await child.kill()
        await database.close()
      }
      await setup.bank.start()
    }),
}

type World = { venture: Managed; transfers: Transfers; child: Child; clearing: Clearing }

async function killAgainAndAgain(context: Context, { venture, transfers, child, clearing }: World): Promise<Order[]> {
  const { results, random } = context
  const orders: Order[] = []
  const kills = new Map<Target, number>()
  const openIds: Order[] = []
  while (context.another() || results.faults < fewestKills || results.acknowledged < fewestOrders) {
    const target = targets[results.faults % targets.length] as Target
    const made = await Promise.all(
      Array.from({ length: perKill }, (_, number) => place(context, { venture, transfers }, `rails-${results.faults}-${number}`, target)),
    )
    orders.push(...made)
    openIds.push(...made.filter(() => random.chance(0.25)))
    child.start()
    const cancelling = cancelSome(transfers, venture, openIds.splice(0), random.integer(0, 60))
    // Somewhere within the step.
    await child.begins(target)
    await sleep(random.integer(0, 12))
    await child.kill()
    await cancelling
    results.faults++
    kills.set(target, (kills.get(target) ?? 0) + 1)
    await clearing.take(0.5)
    context.say(`fault ${results.faults}`)
  }
  results.notes.push(`killed while it began to ${targets.map((target) => `${target} (${kills.get(target) ?? 0})`).join(', ')}`)
  return orders
}

const venturesKey = { kind: 'venture', id: null } as const

async function place(
  { results, random }: Context,
  { venture, transfers }: Pick<World, 'venture' | 'transfers'>,
  reference: string,
  target: Target,
): Promise<Order> {
  const account = random.pick(venture.accounts)
  const method = target === 'instant' || random.chance(0.2) ? ('INST' as const) : ('SEPA' as const)
  const amount = BigInt(random.integer(1, 500))
  const order = {
    account_id: account.id,
    beneficiary_id: venture.outside.get(account) ?? '',
    unique_reference: reference,
    method,
    debit_amount: cents(amount),
  }
  const { id } = await createTransfer(transfers, { venture_id: venture.id, order, actor: venturesKey })
  results.acknowledged++
  return { id, account, amount, method, isCancelled: false }
}

/** A payment reported as cancelled, or as about to be, must never be in a message. */
async function cancelSome(transfers: Transfers, { id: venture_id }: Managed, orders: readonly Order[], wait_ms: number): Promise<void> {
  for (const order of orders) {
    await sleep(wait_ms)
    for (const status of ['CANCELLED', 'TO_CANCEL'] as const) {
      try {
        await updateTransfer(transfers, { venture_id, transfer_id: order.id, update: { status }, actor: venturesKey })
        order.isCancelled = true
        break
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
}

/** A process with workers, which reports the steps it begins. */
export class Child {
  readonly #file: string
  readonly #arguments: string[]
  #process: ChildProcess | undefined
  #waiting: { step: string; left: number | undefined; resolve(): void; goOn(): void } | undefined

  constructor(url: string, folder: string, file = childFile) {
    this.#file = file
    this.#arguments = [url, folder]
  }

  start(): void {
    // As `npm start` does: it starts faster.
    const env = startCommand().environment
    const child = fork(this.#file, this.#arguments, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', (message: { step: string; done?: number }) => {
      const waiting = this.#waiting
      if (message.step !== waiting?.step) return
      if (message.step !== 'idle' || message.done === 0) waiting.resolve()
      // After hundreds of kills there is much to finish: as long as that becomes less or other, it is under way.
      else if (message.done !== waiting.left) waiting.goOn()
      waiting.left = message.done
    })
    this.#process = child
  }

  /** Resolves when the process begins a step; `idle`: when a round found nothing to do. */
  async begins(step: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const ended = (code: number | null) => reject(new Error(`the process ended by itself with code ${code}`))
    const timer = setTimeout(() => reject(new Error(`the process has not begun to ${step} in time`)), patience_ms)
    this.#waiting = { step, left: undefined, resolve, goOn: () => timer.refresh() }
    this.#process?.once('exit', ended)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#process?.off('exit', ended)
    }
  }

  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/**
 * Takes files away as a clearing system does, and knows the ones it has taken: by the id of the message, whose bytes must never change. It answers
 * every payment, and some of them twice.
 */
class Clearing {
  readonly #folder: string
  readonly #context: Context
  readonly #reader = new MessageReader()
  #answers = 0
  readonly files = new Map<string, Buffer>()
  repeated = 0
  /** How often each payment was sent, and how it was answered. */
  readonly payments = new Map<string, { times: number; isRejected: boolean }>()

  constructor(folder: string, context: Context) {
    this.#folder = folder
    this.#context = context
  }

  async take(share: number): Promise<void> {
    const { random, results } = this.#context
    for (const name of readdirSync(join(this.#folder, 'out')).filter((name) => !name.startsWith('.'))) {
      if (share < 1 && !random.chance(share)) continue
      const taken = join(this.#folder, 'clearing', name)
      renameSync(join(this.#folder, 'out', name), taken)
      const bytes = readFileSync(taken)
      const known = this.files.get(name)
      if (known === undefined) {
        this.files.set(name, bytes)
        await this.#answer(name, bytes)
      } else if (known.equals(bytes)) this.repeated++
      else results.doubled.push('a file that was repeated with other bytes')
    }
  }

  async #answer(name: string, bytes: Buffer): Promise<void> {
    const { random, results } = this.#context
    const read = await this.#reader
      .read(bytes)
      .catch((error: unknown) => void results.broken.push(`a file that cannot be read: ${name}: ${error}`))
    if (read?.type !== 'pacs.008.001.08') return
    const { message_id, transactions } = read.message
    const answers = transactions.map((payment) => this.#answerTo(payment))
    for (let times = random.chance(0.3) ? 2 : 1; times > 0; times--) this.#send(message_id, answers)
  }

  #answerTo({ tx_id, end_to_end_id }: CreditTransfer) {
    const known = this.payments.get(tx_id)
    const isRejected = known?.isRejected ?? this.#context.random.chance(0.2)
    this.payments.set(tx_id, { times: (known?.times ?? 0) + 1, isRejected })
    const original = { original_tx_id: tx_id, original_end_to_end_id: end_to_end_id }
    return isRejected ? { ...original, status: 'RJCT', reasons: [{ code: 'AC04' }] } : { ...original, status: 'ACSC' }
  }

  #send(original_message_id: string, transactions: Message<'pacs.002.001.10'>['transactions']): void {
    const message_id = `ANSWER-${++this.#answers}`
    const group = { original_message_id, original_message_type: 'pacs.008.001.08' }
    const bytes = writeMessage('pacs.002.001.10', {
      message_id,
      created_at: new Date().toISOString(),
      instructing_bic: 'COBADEFFXXX',
      group,
      transactions,
    })
    writeFileSync(join(this.#folder, 'in', `.${message_id}`), bytes)
    renameSync(join(this.#folder, 'in', `.${message_id}`), join(this.#folder, 'in', `${message_id}.xml`))
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}

/** A process that is not killed finishes the remaining work. */
async function untilIdle({ say }: Context, { bank }: Setup, { venture, child }: Pick<World, 'venture' | 'child'>): Promise<void> {
  say('finishing')
  // Payments taken out of a pack are collected again only after a while.
  await bank.asOwner(async (owner) => {
    await owner.query(`update rail_payments set updated_at = updated_at - interval '1 hour' where state = 'DROPPED'`)
    await owner.query('delete from processing_delays where venture_id = $1', [venture.id])
  })
  child.start()
  await child.begins('idle')
  await child.kill()
}

type Kept = { id: string; status: string; attempts: number }

async function check(
  results: Results,
  { bank }: Setup,
  { venture, orders, clearing }: { venture: Managed; orders: readonly Order[]; clearing: Clearing },
): Promise<void> {
  await clearing.close()
  const { rows } = await bank.asOwner((owner) =>
    owner.query<Kept>(
      `select id, status, (select count(*)::int from rail_payments payment where payment.venture_id = transfer.venture_id
         and payment.transfer_id = transfer.id and payment.state <> 'DROPPED') as attempts
       from transfers transfer where id = any($1)`,
      [orders.map(({ id }) => id)],
    ),
  )
  const kept = new Map(rows.map((row) => [row.id, row]))
  const balances = new Map(venture.accounts.map((account) => [account, account.opening]))
  for (const { id, account, amount, method, isCancelled } of orders) {
    const { times, isRejected } = clearing.payments.get(id.replaceAll('-', '')) ?? { times: 0, isRejected: false }
    const { status, attempts } = kept.get(id) ?? { status: 'missing', attempts: 0 }
    if (times > 1) results.doubled.push(`a ${method} payment that is in ${times} messages`)
    if (isCancelled && times > 0) results.doubled.push(`a cancelled ${method} payment that is in a message`)
    if (!isCancelled && times === 0) results.lost.push(`a ${method} payment that is in no message and ${status}`)
    const expected = isCancelled ? 'CANCELLED 0' : isRejected ? 'REJECTED 1' : 'COMPLETED 1'
    if (`${status} ${attempts}` !== expected) results.broken.push(`a ${method} payment is ${status} ${attempts} instead of ${expected}`)
    if (!isCancelled && !isRejected) balances.set(account, (balances.get(account) ?? 0n) - amount)
  }
  await checkBalances(results, bank, balances)
  results.notes.push(`${orders.length} payments in ${clearing.files.size} messages, ${clearing.repeated} of which were delivered again`)
}
