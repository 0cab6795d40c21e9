// The process that reads other banks' messages is killed again and again. Every payment they send must be booked once, every answer must be applied, and
// every return credited once, however often the messages are repeated.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openFirstCase } from '../../../server/src/cases/cases.ts'
import { type Message, MessageReader, type MessageType, writeMessage } from '../../../server/src/iso20022/iso20022.ts'
import { Database } from '../../../server/src/platform/database/database.ts'
import { makeDataFolder } from '../../../server/src/testing/testing.folders.ts'
import { createTransfer, openTransfers, type Transfers } from '../../../server/src/transfers/transfers.ts'
import type { Context, Experiment } from '../experiment.ts'
import { cents } from '../load/world.ts'
import type { Results } from '../results.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'
import { type Managed, openManaged } from './faults.processing.ts'
import { Child } from './faults.rails.ts'

const childFile = fileURLToPath(new URL('./inbox.child.ts', import.meta.url))

/** Fewer say little. */
const fewestKills = 6
const fewestPayments = 110
/** For each kill. */
const [paymentsOut, paymentsIn] = [6, 13]
const theirs = 'COBADEFFXXX'

type Fate = 'ACSC' | 'RJCT' | 'RETURNED'
type Sent = { id: string; fate: Fate }

export const inboxKilled: Experiment = {
  name: 'inbox-killed',
  about: 'kill -9 of what reads the messages of other banks, which are repeated',
  run: (context) =>
    withSetup(context, { hosting: 'given', ventures: 0 }, async (setup) => {
      const venture = await openManaged(setup)
      // Otherwise the sandbox would confirm the payments.
      await setup.bank.killService()
      const folder = makeDataFolder('inbox')
      for (const name of ['in', 'out', 'clearing']) mkdirSync(join(folder, name), { recursive: true })
      const database = new Database({ url: setup.bank.serviceUrl, poolSize: 4, wait_ms: 60_000 })
      const child = new Child(setup.bank.serviceUrl, folder, childFile)
      const other = new Other(folder, context)
      try {
        const transfers = openTransfers(database, { bic: 'VOSTLT21XXX', name: 'Vostro Sandbox Bank' }, openFirstCase)
        while (context.another() || context.results.faults < fewestKills || context.results.acknowledged < fewestPayments)
          await killOnce(context, { venture, transfers, child, other })
        await finish(context, { child, other })
        await check(context.results, setup, other)
      } finally {
        await child.kill()
        await database.close()
        await other.close()
      }
      await setup.bank.start()
    }),
}

type World = { venture: Managed; transfers: Transfers; child: Child; other: Other }

async function killOnce({ results, random, say }: Context, { venture, transfers, child, other }: World): Promise<void> {
  for (let number = 0; number < paymentsOut; number++) {
    const account = random.pick(venture.accounts)
    const order = {
      account_id: account.id,
      beneficiary_id: venture.outside.get(account) ?? '',
      method: 'SEPA' as const,
      unique_reference: `inbox-${results.faults}-${number}`,
      debit_amount: cents(BigInt(random.integer(1, 500))),
    }
    const { id } = await createTransfer(transfers, { venture_id: venture.id, order, actor: { kind: 'venture', id: null } })
    other.sent.push({ id, fate: random.pick(['ACSC', 'RJCT', 'RETURNED'] as const) })
    results.acknowledged++
  }
  other.pay(random.pick(venture.accounts).account_number, paymentsIn)
  results.acknowledged += paymentsIn
  await other.answer()
  child.start()
  await child.begins('inbox')
  // Somewhere within the round.
  await sleep(random.integer(0, 60))
  await child.kill()
  results.faults++
  say(`fault ${results.faults}`)
}

/** A process that is not killed finishes the remaining work. */
async function finish({ say }: Context, { child, other }: Pick<World, 'child' | 'other'>): Promise<void> {
  say('finishing')
  child.start()
  await child.begins('idle')
  await other.answer()
  await child.begins('idle')
  await child.kill()
}

/** The other bank: takes what was sent, answers everything twice, and pays. */
class Other {
  readonly #folder: string
  readonly #context: Context
  readonly #reader = new MessageReader()
  #number = 0
  readonly sent: Sent[] = []
  readonly paid = new Map<string, { iban: string; amount: bigint }>()
  readonly answered = new Set<string>()

  constructor(folder: string, context: Context) {
    this.#folder = folder
    this.#context = context
  }

  #put<Type extends MessageType>(type: Type, message: Omit<Message<Type>, 'message_id' | 'created_at'>): void {
    const message_id = `OTHER${++this.#number}`
    const bytes = writeMessage(type, { message_id, created_at: '2026-11-16T09:30:00Z', ...message } as unknown as Message<Type>)
    const names = this.#context.random.chance(0.3) ? [message_id, `${message_id}-again`] : [message_id]
    for (const name of names) {
      writeFileSync(join(this.#folder, 'in', `.${name}.part`), bytes)
      renameSync(join(this.#folder, 'in', `.${name}.part`), join(this.#folder, 'in', `${name}.xml`))
    }
    if (this.#context.random.chance(0.1))
      writeFileSync(join(this.#folder, 'in', `${message_id}-bad.xml`), bytes.subarray(0, bytes.length / 2))
  }

  pay(iban: string, payments: number): void {
    const transactions = Array.from({ length: payments }, () => {
      const payment = { iban, amount: BigInt(this.#context.random.integer(1, 500)) * 100n }
      const tx_id = `PAY${++this.#number}`
      this.paid.set(tx_id, payment)
      return {
        tx_id,
        end_to_end_id: tx_id,
        amount: payment.amount,
        currency: 'EUR',
        charge_bearer: 'SLEV' as const,
        debtor: { name: 'Charles Babbage' },
        debtor_iban: 'DE89370400440532013000',
        debtor_bic: theirs,
        creditor: { name: 'Ada Lovelace' },
        creditor_iban: iban,
      }
    })
    this.#put('pacs.008.001.08', { settlement_method: 'CLRG', instructing_bic: theirs, transactions })
    // Some payments come again, in another message.
    if (this.#context.random.chance(0.3))
      this.#put('pacs.008.001.08', { settlement_method: 'CLRG', instructing_bic: theirs, transactions: transactions.slice(0, 2) })
  }

  async answer(): Promise<void> {
    for (const name of readdirSync(join(this.#folder, 'out')).filter((each) => !each.startsWith('.'))) {
      const taken = join(this.#folder, 'clearing', name)
      renameSync(join(this.#folder, 'out', name), taken)
      const { type, message } = await this.#reader.read(readFileSync(taken))
      if (type !== 'pacs.008.001.08') continue
      for (const { tx_id, end_to_end_id, amount } of message.transactions) {
        const fate = this.sent.find(({ id }) => id.replaceAll('-', '') === tx_id)?.fate
        if (fate === undefined || this.answered.has(tx_id)) continue
        this.answered.add(tx_id)
        const original = {
          original_message_id: message.message_id,
          original_message_type: type,
          original_tx_id: tx_id,
          original_end_to_end_id: end_to_end_id,
        }
        const says = (status: string) => this.#put('pacs.002.001.10', { instructing_bic: theirs, transactions: [{ ...original, status }] })
        const comesBack = { return_id: `R${tx_id}`.slice(0, 35), ...original, amount, currency: 'EUR' }
        const returns = () =>
          this.#put('pacs.004.001.09', { settlement_method: 'CLRG', instructing_bic: theirs, transactions: [comesBack] })
        if (fate === 'RETURNED') returns()
        for (const status of ['ACSP', fate === 'RJCT' ? 'RJCT' : 'ACSC', fate === 'RJCT' ? 'RJCT' : 'ACSC']) says(status)
        if (fate === 'RETURNED') returns()
      }
    }
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}

type Booked = { tx_id: string; times: number; amount: string }
type Kept = { id: string; status: string; returned: number }

async function check(results: Results, { bank }: Setup, other: Other): Promise<void> {
  const { rows: booked } = await bank.asOwner((owner) =>
    owner.query<Booked>(
      `select claim.tx_id, count(*)::int as times, sum(transfer.credit_amount)::text as amount
       from inbound_claims claim join transfers transfer on transfer.venture_id = claim.venture_id and transfer.id = claim.id
       where claim.kind = 'pacs.008' and transfer.status = 'COMPLETED' group by claim.tx_id`,
    ),
  )
  const credited = new Map(booked.map((row) => [row.tx_id, row]))
  for (const [tx_id, { amount }] of other.paid) {
    const row = credited.get(tx_id)
    if (row === undefined) results.lost.push('a payment that was not credited')
    else if (row.times > 1 || Math.round(Number(row.amount) * 10_000) !== Number(amount))
      results.doubled.push('a payment that was credited otherwise')
  }
  const { rows: kept } = await bank.asOwner((owner) =>
    owner.query<Kept>(
      `select id, status, (select count(*)::int from transfers child where child.venture_id = transfer.venture_id
         and child.parent_transaction_id = transfer.id and child.transfer_type = 'PAYMENT_RETURN' and child.status = 'COMPLETED') as returned
       from transfers transfer where id = any($1)`,
      [other.sent.map(({ id }) => id)],
    ),
  )
  const found = new Map(kept.map((row) => [row.id, row]))
  for (const { id, fate } of other.sent) {
    const { status, returned } = found.get(id) ?? { status: 'missing', returned: 0 }
    const expected = fate === 'RJCT' ? 'REJECTED 0' : fate === 'RETURNED' ? 'COMPLETED 1' : 'COMPLETED 0'
    if (`${status} ${returned}` !== expected) results.broken.push(`a payment with ${fate} is ${status} ${returned} instead of ${expected}`)
  }
  const { rows: open } = await bank.asOwner((owner) =>
    owner.query(`select id from rail_messages where direction = 'IN' and state = 'RECEIVED'`),
  )
  if (open.length > 0) results.lost.push(`${open.length} messages that were not applied`)
  results.notes.push(`${other.paid.size} payments came in, ${other.answered.size} of ours were answered`)
}
