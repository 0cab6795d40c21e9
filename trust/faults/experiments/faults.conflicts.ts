// Concurrent requests that exclude each other: every response must match what happened.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Experiment } from '../experiment.ts'
import { injectFaults } from '../inject-faults.ts'
import type { Intent } from '../load/book.ts'
import { describe } from '../load/caller.ts'
import { type Judge, Orders } from '../load/orders.ts'
import type { Account, Venture } from '../load/world.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

/** Codes with which a step is rightly refused when an account of the order is closed, frozen or empty. */
const codes = new Set(['account_not_active', 'receiver_not_active', 'account_closed', 'insufficient_funds'])
const declining: Judge = ({ code }) => (codes.has(code) ? 'declined' : undefined)

export const closeAgainstTransfer: Experiment = {
  name: 'close-against-transfer',
  about: 'accounts closed while money is ordered to them and from them',
  run: (context) =>
    withSetup(context, { hosting: 'embedded', ventures: 1, accounts: 1 }, async (setup) => {
      const payer = firstAccount(setup)
      while (context.another()) {
        const account = await setup.world.openAccount(payer.venture, 0n)
        await Promise.all([setup.world.addBeneficiary(payer, account), setup.world.addBeneficiary(account, payer)])
        const [closed] = await Promise.all([closeRepeatedly(context, setup, account), payConcurrently(context, setup, payer, account)])
        await checkClosure(context, setup, account, closed)
        context.results.faults++
      }
    }),
}

function firstAccount({ world }: Setup): Account {
  const [account] = world.accounts
  if (account === undefined) throw new Error('there is no account')
  return account
}

/** Tries several times, because pending transfers are a reason to refuse. Returns how often it succeeded. */
async function closeRepeatedly(context: Context, { bank }: Setup, { id, venture }: Account): Promise<number> {
  let closed = 0
  for (let attempt = 0; attempt < 6; attempt++) {
    await context.pause(0, 12)
    const reply = await bank.caller.send({ method: 'POST', path: `/api/v1/accounts/${id}/close`, key: venture.api_key })
    if (reply.kind === 'answer' && reply.status === 200) closed++
    else context.results.refused++
  }
  context.results.acknowledged += closed
  return closed
}

async function payConcurrently(context: Context, { bank, book }: Setup, payer: Account, account: Account): Promise<void> {
  const { venture } = payer
  const { results, random } = context
  const intents: Intent[] = [
    { venture, kind: 'internal', account: payer, to: account, amount: 100n },
    { venture, kind: 'internal', account, to: payer, amount: 100n },
    { venture, kind: 'deposit', account, to: undefined, amount: 100n },
    { venture, kind: 'cancelled', account: payer, to: account, amount: 100n },
  ]
  await Promise.all(
    random.shuffled([...intents, ...intents]).map(async (intent, number) => {
      const own = random.fork(`round ${results.faults}, order ${number}`)
      await sleep(own.integer(0, 15))
      const orders = new Orders({ caller: bank.caller, book, results, random: own, judge: declining })
      await orders.carryOut(intent)
    }),
  )
}

async function checkClosure({ results }: Context, { bank }: Setup, { id, venture }: Account, closed: number): Promise<void> {
  const key = venture.api_key
  const { status } = await bank.caller.must({ method: 'GET', path: `/api/v1/accounts/${id}`, key })
  if (closed > 1) results.doubled.push('an account was closed twice')
  if (closed === 1 && status !== 'CLOSED') results.lost.push(`a closure: the account is ${status}`)
  if (closed === 0 && status === 'CLOSED') results.doubled.push('an account is closed though that was refused')
  if (closed === 1) await mustDecline({ results }, bank.caller.send(orderOf(venture, id)), 'closed')
}

const orderOf = ({ api_key }: Venture, account_id: string) => ({
  method: 'POST',
  path: '/api/v1/transfers',
  key: api_key,
  body: { account_id, unique_reference: `never-${account_id}-${performance.now()}`, direction: 'INBOUND', credit_amount: '1.00' },
})

async function mustDecline(
  { results }: Pick<Context, 'results'>,
  sent: ReturnType<Setup['bank']['caller']['send']>,
  state: string,
): Promise<void> {
  const reply = await sent
  if (reply.kind === 'answer' && reply.code === 'account_not_active') results.refused++
  else results.broken.push(`an order on an account that was ${state} got ${describe(reply)}`)
}

export const freezeAgainstTransfer: Experiment = {
  name: 'freeze-against-transfer',
  about: 'accounts frozen and activated again under load',
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'embedded' },
      load: { judge: declining },
      async fault(setup) {
        const { bank, world } = setup
        const account = context.random.pick(world.accounts)
        await world.post(account.venture, `/accounts/${account.id}/freeze`)
        // Requests sent after the response must find the account frozen.
        await Promise.all(
          Array.from({ length: 8 }, () => mustDecline(context, bank.caller.send(orderOf(account.venture, account.id)), 'frozen')),
        )
        await context.pause(0, 200)
        await world.post(account.venture, `/accounts/${account.id}/activate`)
        context.results.acknowledged += 2
        context.results.faults++
      },
    }),
}

export const rotateAgainstUse: Experiment = {
  name: 'rotate-against-use',
  about: 'keys rotated while they are used: the old one ends with the answer, the new one begins with it',
  async run(context) {
    const rotating = new Set<Venture>()
    await injectFaults(context, {
      bank: { hosting: 'embedded' },
      load: {
        judge: ({ status }, { venture }, key) =>
          status === 401 && (key !== venture.api_key || rotating.has(venture)) ? 'again' : undefined,
      },
      async fault({ bank, world }) {
        const venture = context.random.pick(world.ventures)
        const old = venture.api_key
        rotating.add(venture)
        venture.api_key = (await world.post(venture, '/venture/rotate-key')).api_key
        await expectStatus(context, bank.caller.send({ method: 'GET', path: '/api/v1/venture', key: old }), 401)
        await expectStatus(context, bank.caller.send({ method: 'GET', path: '/api/v1/venture', key: venture.api_key }), 200)
        context.results.acknowledged++
        context.results.faults++
        // Requests sent with the old key before the response may still get a 401 a moment later.
        await sleep(100)
        rotating.delete(venture)
      },
    })
  },
}

async function expectStatus({ results }: Context, sent: ReturnType<Setup['bank']['caller']['send']>, status: number): Promise<void> {
  const reply = await sent
  if (reply.kind !== 'answer' || reply.status !== status)
    results.broken.push(`after a rotation ${status} was due and ${describe(reply)} came`)
}
