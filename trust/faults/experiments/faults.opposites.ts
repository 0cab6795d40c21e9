// One wants what makes impossible what the others want: what each was told must be what happened.
import { setTimeout as sleep } from 'node:timers/promises'
import { disturb } from '../disturb.ts'
import type { Wish } from '../load/book.ts'
import { describe } from '../load/caller.ts'
import { type Judge, Orders } from '../load/orders.ts'
import type { Account, Venture } from '../load/world.ts'
import { onScene } from '../play.ts'
import type { Scene } from '../scene.ts'
import type { Experiment, Stage } from '../stage.ts'

/** Codes with which a step is rightly refused when an account of the order is closed, frozen or empty. */
const codes = new Set(['account_not_active', 'receiver_not_active', 'account_closed', 'insufficient_funds'])
const declining: Judge = ({ code }) => (codes.has(code) ? 'declined' : undefined)

export const closeAgainstTransfer: Experiment = {
  name: 'close-against-transfer',
  about: 'accounts closed while money is ordered to them and from them',
  run: (stage) =>
    onScene(stage, { hosting: 'embedded', ventures: 1, accounts: 1 }, async (scene) => {
      const payer = firstAccount(scene)
      while (stage.another()) {
        const account = await scene.world.openAccount(payer.venture, 0n)
        await Promise.all([scene.world.acquaint(payer, account), scene.world.acquaint(account, payer)])
        const [closed] = await Promise.all([closeSomehow(stage, scene, account), payAtOnce(stage, scene, payer, account)])
        await checkClosure(stage, scene, account, closed)
        stage.tally.faults++
      }
    }),
}

function firstAccount({ world }: Scene): Account {
  const [account] = world.accounts
  if (account === undefined) throw new Error('there is no account')
  return account
}

/** Several times, because money on its way is a reason to refuse. Tells how often it was done. */
async function closeSomehow(stage: Stage, { bank }: Scene, { id, venture }: Account): Promise<number> {
  let closed = 0
  for (let attempt = 0; attempt < 6; attempt++) {
    await stage.pause(0, 12)
    const reply = await bank.caller.send({ method: 'POST', path: `/api/v1/accounts/${id}/close`, key: venture.api_key })
    if (reply.kind === 'answer' && reply.status === 200) closed++
    else stage.tally.refused++
  }
  stage.tally.acknowledged += closed
  return closed
}

async function payAtOnce(stage: Stage, { bank, book }: Scene, payer: Account, account: Account): Promise<void> {
  const { venture } = payer
  const { tally, random } = stage
  const wishes: Wish[] = [
    { venture, kind: 'internal', account: payer, to: account, amount: 100n },
    { venture, kind: 'internal', account, to: payer, amount: 100n },
    { venture, kind: 'deposit', account, to: undefined, amount: 100n },
    { venture, kind: 'cancelled', account: payer, to: account, amount: 100n },
  ]
  await Promise.all(
    random.shuffled([...wishes, ...wishes]).map(async (wish, number) => {
      const own = random.fork(`round ${tally.faults}, order ${number}`)
      await sleep(own.integer(0, 15))
      const orders = new Orders({ caller: bank.caller, book, tally, random: own, judge: declining })
      await orders.carryOut(wish)
    }),
  )
}

async function checkClosure({ tally }: Stage, { bank }: Scene, { id, venture }: Account, closed: number): Promise<void> {
  const key = venture.api_key
  const { status } = await bank.caller.must({ method: 'GET', path: `/api/v1/accounts/${id}`, key })
  if (closed > 1) tally.doubled.push('an account was closed twice')
  if (closed === 1 && status !== 'CLOSED') tally.lost.push(`a closure: the account is ${status}`)
  if (closed === 0 && status === 'CLOSED') tally.doubled.push('an account is closed though that was refused')
  if (closed === 1) await mustDecline({ tally }, bank.caller.send(orderOf(venture, id)), 'closed')
}

const orderOf = ({ api_key }: Venture, account_id: string) => ({
  method: 'POST',
  path: '/api/v1/transfers',
  key: api_key,
  body: { account_id, unique_reference: `never-${account_id}-${performance.now()}`, direction: 'INBOUND', credit_amount: '1.00' },
})

async function mustDecline(
  { tally }: Pick<Stage, 'tally'>,
  sent: ReturnType<Scene['bank']['caller']['send']>,
  state: string,
): Promise<void> {
  const reply = await sent
  if (reply.kind === 'answer' && reply.code === 'account_not_active') tally.refused++
  else tally.broken.push(`an order on an account that was ${state} got ${describe(reply)}`)
}

export const freezeAgainstTransfer: Experiment = {
  name: 'freeze-against-transfer',
  about: 'accounts frozen and activated again under load',
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'embedded' },
      load: { judge: declining },
      async fault(scene) {
        const { bank, world } = scene
        const account = stage.random.pick(world.accounts)
        await world.post(account.venture, `/accounts/${account.id}/freeze`)
        // Whoever comes after the answer must find it frozen.
        await Promise.all(
          Array.from({ length: 8 }, () => mustDecline(stage, bank.caller.send(orderOf(account.venture, account.id)), 'frozen')),
        )
        await stage.pause(0, 200)
        await world.post(account.venture, `/accounts/${account.id}/activate`)
        stage.tally.acknowledged += 2
        stage.tally.faults++
      },
    }),
}

export const rotateAgainstUse: Experiment = {
  name: 'rotate-against-use',
  about: 'keys rotated while they are used: the old one ends with the answer, the new one begins with it',
  async run(stage) {
    const rotating = new Set<Venture>()
    await disturb(stage, {
      bank: { hosting: 'embedded' },
      load: {
        judge: ({ status }, { venture }, key) =>
          status === 401 && (key !== venture.api_key || rotating.has(venture)) ? 'again' : undefined,
      },
      async fault({ bank, world }) {
        const venture = stage.random.pick(world.ventures)
        const old = venture.api_key
        rotating.add(venture)
        venture.api_key = (await world.post(venture, '/venture/rotate-key')).api_key
        await expectStatus(stage, bank.caller.send({ method: 'GET', path: '/api/v1/venture', key: old }), 401)
        await expectStatus(stage, bank.caller.send({ method: 'GET', path: '/api/v1/venture', key: venture.api_key }), 200)
        stage.tally.acknowledged++
        stage.tally.faults++
        // Those who sent the old key before the answer may hear of it a moment later.
        await sleep(100)
        rotating.delete(venture)
      },
    })
  },
}

async function expectStatus({ tally }: Stage, sent: ReturnType<Scene['bank']['caller']['send']>, status: number): Promise<void> {
  const reply = await sent
  if (reply.kind !== 'answer' || reply.status !== status)
    tally.broken.push(`after a rotation ${status} was due and ${describe(reply)} came`)
}
