// Nothing breaks, but many requests arrive at the same time.

import type { Experiment } from '../experiment.ts'
import { Caller } from '../load/caller.ts'
import { startLoad } from '../load/load.ts'
import { withSetup } from '../with-setup.ts'

/** Runs load for the whole time; the concurrency itself is the fault. */
function crowd(name: string, about: string, clients: number, roles: 'hot' | 'two'): Experiment {
  return {
    name,
    about,
    run: (context) =>
      withSetup(context, { hosting: 'embedded', ventures: 1, accounts: roles === 'hot' ? 8 : 2 }, async (setup) => {
        const [hot] = setup.world.accounts
        const load = startLoad(context, setup, { clients, ...(roles === 'hot' && hot !== undefined ? { hot } : {}) })
        while (context.another()) {
          await context.pause(1_000, 1_500)
          context.results.faults++
        }
        await load.stop()
      }),
  }
}

export const hotAccount = crowd('hot-account', 'one account takes part in all orders of 64 clients', 64, 'hot')
export const thereAndBack = crowd('there-and-back', '32 clients pay from A to B and from B to A', 32, 'two')

/** Sends `count` requests concurrently; all but one must be refused because the reference is used. */
export function sameReference(count: number): Experiment {
  return {
    name: 'same-reference',
    about: `one unique_reference ${count.toLocaleString('en')} times at once makes one transfer`,
    run: (context) =>
      withSetup(context, { hosting: 'embedded', ventures: 1, accounts: 2 }, async ({ bank, world, book }) => {
        const caller = new Caller(bank.caller.url, context.results, { connections: 500 })
        const [account] = world.accounts
        if (account === undefined) throw new Error('there is no account')
        const { venture } = account
        while (context.another()) {
          const order = book.add({ venture, kind: 'deposit', account, to: undefined, amount: 100n })
          const intent = { account_id: account.id, unique_reference: order.reference, direction: 'INBOUND', credit_amount: '1.00' }
          const question = { method: 'POST', path: '/api/v1/transfers', key: venture.api_key, body: intent }
          const replies = await Promise.all(Array.from({ length: count }, () => caller.send(question)))
          const made = replies.flatMap((reply) => (reply.kind === 'answer' && reply.status === 201 ? [reply.body.id as string] : []))
          context.results.faults++
          context.results.acknowledged += made.length
          if (made.length > 1) context.results.doubled.push(`${made.length} of ${count} got a response that theirs was the first`)
          if (made.length === 0) context.results.lost.push('no response said that it was the first')
          order.id = made[0]
          order.done = 1
          for (const reply of replies) {
            if (reply.kind === 'answer' && reply.status === 201) continue
            context.results.refused++
            if (reply.kind === 'answer' && reply.code === 'unavailable') continue
            const owner = reply.kind === 'answer' && reply.code === 'unique_reference_used' ? reply.body.existing_transfer_id : undefined
            if (owner !== order.id) context.results.broken.push('an answer to a used reference does not name its transfer')
          }
        }
        caller.close()
      }),
  }
}
