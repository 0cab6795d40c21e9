// Random sales, refunds, reversals, late payments, payouts and withdrawals, compared step by step with a model of a few sums. The model
// knows nothing of entries, locks or the gateway.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expect, Shop } from '../../testing/testing.shop.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { SeededRandom } from '../../values/seeded-random.ts'
import { checkInvariants } from '../../verify/verify.ts'
import type { PayoutPolicy } from './payments.payouts.funds.ts'

const policy: PayoutPolicy = { card_fee: '0.014', payout_delay_days: 0 }
const bank = await openBank({}, { policy })
await bank.listen()

const text = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

type Sale = { payment: Loose; amount: number; paid: boolean; reversed: boolean; refunded: number }

class Model {
  readonly sales: Sale[] = []
  paidOut = 0
  fees = 0
  balance = 0
  withdrawn = 0
  givenByHand = 0

  get payable(): number {
    return this.sales.reduce((sum, { amount, paid, refunded }) => sum + (paid ? amount : 0) - refunded, 0) - this.paidOut
  }

  payOut(): boolean {
    const amount = this.payable
    const fee = Math.floor((amount * 14 + 500) / 1000)
    if (amount - fee <= 0) return false
    this.paidOut += amount
    this.fees += fee
    this.balance += amount - fee
    return true
  }

  covers(amount: number): boolean {
    return amount <= this.payable + this.balance
  }

  /** What is not payable is taken back from the account. */
  recover(amount: number): void {
    const missing = Math.max(0, amount - this.payable)
    this.paidOut -= missing
    this.balance -= missing
  }

  /** What payers have paid minus what they got back, except what the gateway gave back by itself. */
  get takenIn(): number {
    return this.sales.reduce((sum, { amount, paid, refunded }) => sum + (paid ? amount : 0) - refunded, 0) + this.givenByHand
  }
}

const seeds = [1, 2, 3]
let uncovered = 0
const steps = 60

for (const seed of seeds) {
  test(`${steps} random steps agree with the model, seed ${seed}`, async () => {
    const random = new SeededRandom(seed)
    const { shop, account } = await Shop.openWithAccount(bank)
    const model = new Model()
    const done = new Map<string, number>()
    const one = (sales: Sale[]) => sales[random.below(sales.length)]
    const some = (most: number) => random.integer(1, most)

    const acts: Record<string, () => Promise<boolean>> = {
      async sale() {
        const amount = some(5_000)
        const payment = await shop.sell(text(amount))
        model.sales.push({ payment, amount, paid: true, reversed: false, refunded: 0 })
        return true
      },
      async refusedSale() {
        const amount = some(5_000)
        const payment = await shop.order(text(amount))
        assert.equal((await shop.try(payment, 'lost')).status, 'REFUSED')
        model.sales.push({ payment, amount, paid: false, reversed: false, refunded: 0 })
        return true
      },
      async latePayment() {
        const sale = one(model.sales.filter(({ paid, reversed }) => !paid && !reversed))
        if (sale === undefined) return false
        assert.equal((await shop.try(sale.payment)).status, 'PAID')
        sale.paid = true
        return true
      },
      async refund() {
        const sale = one(model.sales.filter(({ paid, amount, refunded }) => paid && refunded < amount))
        if (sale === undefined) return false
        const amount = random.chance(0.3) ? sale.amount - sale.refunded : some(sale.amount - sale.refunded)
        const covered = model.covers(amount)
        const answer = await shop.refund(sale.payment, text(amount))
        if (covered) expect(answer, 200)
        else expect(answer, 422, 'payable_insufficient')
        if (covered) {
          model.recover(amount)
          sale.refunded += amount
        }
        if (!covered) uncovered++
        return true
      },
      async refundByHand() {
        const sale = one(model.sales.filter(({ paid, amount, refunded }) => paid && refunded < amount))
        if (sale === undefined) return false
        const amount = some(sale.amount - sale.refunded)
        await shop.byHand('refund', await shop.get(sale.payment), amount)
        sale.refunded += amount
        model.givenByHand += amount
        return true
      },
      async reversal() {
        const sale = one(model.sales.filter(({ paid, refunded }) => paid && refunded === 0))
        if (sale === undefined) return false
        const covered = model.covers(sale.amount)
        const answer = await shop.cancel(sale.payment)
        if (covered) expect(answer, 200)
        else expect(answer, 422, 'payable_insufficient')
        if (covered) {
          model.recover(sale.amount)
          Object.assign(sale, { paid: false, reversed: true })
        } else uncovered++
        return true
      },
      async reversalByHand() {
        const sale = one(model.sales.filter(({ paid, refunded }) => paid && refunded === 0))
        if (sale === undefined) return false
        assert.equal((await shop.byHand('reverse', await shop.get(sale.payment))).status, 'CANCELED')
        Object.assign(sale, { paid: false, reversed: true })
        model.givenByHand += sale.amount
        return true
      },
      async payout() {
        const before = model.paidOut
        const answer = await shop.payOut()
        if (model.payOut()) assert.equal(expect(answer, 201).amount, text(model.paidOut - before))
        else expect(answer, 422, 'nothing_to_pay_out')
        return true
      },
      async withdrawal() {
        if (model.balance === 0) return false
        const amount = random.chance(0.8) ? model.balance : some(model.balance)
        await shop.spend(account, text(amount))
        model.balance -= amount
        model.withdrawn += amount
        return true
      },
    }
    const names = [...Object.keys(acts), 'sale', 'payout', 'payout', 'refund', 'refund', 'withdrawal', 'withdrawal']

    for (let step = 0; step < steps; step++) {
      const name = random.pick(names)
      if (!(await acts[name]?.())) continue
      done.set(name, (done.get(name) ?? 0) + 1)
      const payable = model.payable
      // A venture that has sold nothing has no balance.
      if (model.sales.some(({ paid, reversed }) => paid || reversed)) {
        const shown = [text(payable), text(Math.max(0, payable)), text(model.paidOut), text(model.fees)]
        assert.deepEqual(await shop.balance(), shown, `seed ${seed}, step ${step}, ${name}`)
      }
      const balance = await shop.balanceOf(account)
      assert.equal(balance, text(model.balance), `seed ${seed}, step ${step}, ${name}`)
      // Nobody has gained: the money on the account, and the money that left it, came in; only the gateway may have given it back as well.
      const held = Math.round(Number(balance) * 100) + model.withdrawn + model.fees
      assert.ok(held <= model.takenIn, `${held} of ${model.takenIn}, seed ${seed}, step ${step}, ${name}`)
    }
    for (const name of ['sale', 'refund', 'payout', 'withdrawal']) assert.ok((done.get(name) ?? 0) > 0, `${name} never happened`)
  })
}

test('no invariant is broken after all of it, and some refunds were refused', async () => {
  assert.ok(uncovered > 0)
  const findings = await checkInvariants(bank.owner)
  assert.deepEqual(
    findings.flatMap(({ name, violations, examples }) => (violations === 0 ? [] : [{ name, examples }])),
    [],
  )
})
