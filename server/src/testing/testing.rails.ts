// A bank with another bank at the other end of its file exchange, and what tests need to know about both.
import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import { createLog } from '../platform/log.ts'
import type { Screener } from '../processing/processing.worker.ts'
import { type Applying, openApplying } from '../rails/rails.ts'
import { checkInvariants } from '../verify/verify.ts'
import { ManagedVenture } from './testing.managed.ts'
import { OtherBank, type Seen, theirBic } from './testing.otherbank.ts'
import { type Bank, type Loose, openBank } from './testing.ts'

/** What the inbox of another instance of a bank works with. */
export function applyingOf({ database, services }: Bank): Applying {
  const { transfers, facts } = services
  return openApplying({
    database,
    transfers,
    facts,
    creditBound: undefined,
    instant: { answer_s: 7, confirms: true },
    screenArriving: async () => ({ code: undefined, companions: [] }),
    clock: { off: 0 },
    log: createLog('silent'),
  })
}

export type RailsBank = Awaited<ReturnType<typeof openRails>>

export async function openRails(changes: Partial<Config> = {}, { screener }: { screener?: Screener } = {}) {
  const other = new OtherBank()
  const bank: Bank = await openBank({ railsSenders: [theirBic], ...changes }, { files: other.exchange, ...(screener && { screener }) })
  const venture = await ManagedVenture.open(bank)
  const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await bank.owner.query(sql, values)).rows
  const show = async ({ id }: { id: string }): Promise<Loose> => (await venture.get(`/transfers/${id}`)).body

  const rails = {
    other,
    bank,
    venture,
    rows,
    show,
    statusOf: async (transfer: { id: string }): Promise<string> => (await show(transfer)).status,
    /** The state of the latest attempt. */
    railStateOf: async ({ id }: { id: string }): Promise<string> =>
      (await rows('select state from rail_payments where transfer_id = $1 order by attempt desc', id))[0]?.state,
    messageOf: async (file: string): Promise<Loose> =>
      (await rows('select * from rail_messages where file = $1 order by created_at desc', file))[0],
    /** The outcomes of a file's transactions, by position. */
    async outcomesOf(file: string): Promise<Loose[]> {
      const { id } = await rails.messageOf(file)
      const found = await rows('select position, outcome from rail_applied where message_id = $1 order by position', id)
      return found.map(({ position, outcome }) => [position, outcome])
    },
    openCases: (kind: string): Promise<Loose[]> => rows(`select * from cases where kind = $1 and state = 'OPEN' order by id`, kind),
    /** The latest open case of a kind. */
    async lastCase(kind: string): Promise<Loose> {
      const found = (await rails.openCases(kind)).at(-1)
      assert.ok(found, `no case of the kind ${kind} is open`)
      return found
    },
    decide: (of: { id: string }, decision: string, details?: object) =>
      bank.admin.post(`/operator/cases/${of.id}/decisions`, { decision, ...(details && { details }) }),
    async decided(of: { id: string }, decision: string, details?: object): Promise<void> {
      const { status, text } = await rails.decide(of, decision, details)
      assert.equal(status, 200, text)
    },
    async payer(balance = '1000.00') {
      const account = await venture.openAccount({ balance })
      const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
      return { account, account_id: account.id as string, beneficiary_id: beneficiary_id as string }
    },
    /** A payment that the other bank has received. */
    async sent(payer: { account_id: string; beneficiary_id: string }, order: object = {}): Promise<{ transfer: Loose; payment: Seen }> {
      const { account_id, beneficiary_id } = payer
      const transfer = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00', ...order })
      await rails.sendOut()
      return { transfer, payment: await other.payment(transfer) }
    },
    async sendOut(): Promise<void> {
      await bank.runProcessing()
      await bank.runJobs()
      await bank.runProcessing()
      await bank.runSending()
    },
    /** Applies everything that has arrived, and sends what follows from it. */
    async takeIn(): Promise<void> {
      await bank.runInbox()
      await rails.sendOut()
    },
    /** The balances of the house's system accounts, without zeros. */
    async houseBalances(): Promise<Record<string, number>> {
      const found = await rows(
        `select system_account, sum(amount)::float8 as sum from entries where venture_id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
         group by system_account having sum(amount) <> 0`,
      )
      return Object.fromEntries(found.map(({ system_account, sum }) => [system_account, sum]))
    },
    async booksAreRight(): Promise<void> {
      assert.deepEqual(await bank.wrongBooks(), [])
      assert.deepEqual(
        (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
        [],
      )
    },
  }
  return rails
}
