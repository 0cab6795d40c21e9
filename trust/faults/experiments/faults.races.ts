// Nothing breaks, but everybody comes at once.
import { Caller } from '../load/caller.ts'
import { startLoad } from '../load/load.ts'
import { onScene } from '../play.ts'
import type { Experiment } from '../stage.ts'

/** Runs load for as long as there is time; that it all happens at once is the fault. */
function crowd(name: string, about: string, clients: number, roles: 'hot' | 'two'): Experiment {
  return {
    name,
    about,
    run: (stage) =>
      onScene(stage, { hosting: 'embedded', ventures: 1, accounts: roles === 'hot' ? 8 : 2 }, async (scene) => {
        const [hot] = scene.world.accounts
        const load = startLoad(stage, scene, { clients, ...(roles === 'hot' && hot !== undefined ? { hot } : {}) })
        while (stage.another()) {
          await stage.pause(1_000, 1_500)
          stage.tally.faults++
        }
        await load.stop()
      }),
  }
}

export const hotAccount = crowd('hot-account', 'one account takes part in all orders of 64 clients', 64, 'hot')
export const thereAndBack = crowd('there-and-back', '32 clients pay from A to B and from B to A', 32, 'two')

/** `count` times at once; everybody but one must hear that the reference is used. */
export function sameReference(count: number): Experiment {
  return {
    name: 'same-reference',
    about: `one unique_reference ${count.toLocaleString('en')} times at once makes one transfer`,
    run: (stage) =>
      onScene(stage, { hosting: 'embedded', ventures: 1, accounts: 2 }, async ({ bank, world, book }) => {
        const caller = new Caller(bank.caller.url, stage.tally, { connections: 500 })
        const [account] = world.accounts
        if (account === undefined) throw new Error('there is no account')
        const { venture } = account
        while (stage.another()) {
          const order = book.add({ venture, kind: 'deposit', account, to: undefined, amount: 100n })
          const wish = { account_id: account.id, unique_reference: order.reference, direction: 'INBOUND', credit_amount: '1.00' }
          const question = { method: 'POST', path: '/api/v1/transfers', key: venture.api_key, body: wish }
          const replies = await Promise.all(Array.from({ length: count }, () => caller.send(question)))
          const made = replies.flatMap((reply) => (reply.kind === 'answer' && reply.status === 201 ? [reply.body.id as string] : []))
          stage.tally.faults++
          stage.tally.acknowledged += made.length
          if (made.length > 1) stage.tally.doubled.push(`${made.length} of ${count} were told that theirs was the first`)
          if (made.length === 0) stage.tally.lost.push('nobody was told that theirs was the first')
          order.id = made[0]
          order.done = 1
          for (const reply of replies) {
            if (reply.kind === 'answer' && reply.status === 201) continue
            stage.tally.refused++
            if (reply.kind === 'answer' && reply.code === 'unavailable') continue
            const owner = reply.kind === 'answer' && reply.code === 'unique_reference_used' ? reply.body.existing_transfer_id : undefined
            if (owner !== order.id) stage.tally.broken.push('an answer to a used reference does not name its transfer')
          }
        }
        caller.close()
      }),
  }
}
