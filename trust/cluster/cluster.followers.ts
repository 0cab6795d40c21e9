// Followers read all ventures' events from the start while they are being written. At the end, their events are compared with the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../faults/load/load.ts'
import type { Options, Scene } from './cluster.types.ts'

const page = 100

/** The interval between progress lines. */
const report_ms = 10_000

/** A load that does not come further in this time has stopped, whatever it does. */
const standstill_ms = 120_000

export type Following = {
  /** How many events the followers have got so far. */
  readonly count: number
  /** Ends when every follower has got all that there is, and compares. */
  end(): Promise<void>
}

/** Follows every venture. A missed or repeated event is a finding. */
export function startFollowers({ context, cluster, setup: { bank, world } }: Scene): Following {
  const seen = new Map(world.ventures.map(({ id }) => [id, [] as string[]]))
  let done = false
  const follow = async ({ id, api_key }: { id: string; api_key: string }) => {
    const got = seen.get(id) as string[]
    for (;;) {
      const last = done
      const path = `/api/v1/events?since=${got.at(-1) ?? 'start'}&limit=${page}`
      const events: { id: string }[] = await bank.caller.must({ method: 'GET', path, key: api_key })
      got.push(...events.map((event) => event.id))
      if (last && events.length === 0) return
      if (events.length < page) await sleep(context.random.integer(5, 40))
    }
  }
  const following = Promise.all(world.ventures.map(follow))
  // Its error is reported by the await below.
  following.catch(() => {})
  return {
    get count() {
      return [...seen.values()].reduce((sum, ids) => sum + ids.length, 0)
    },
    async end() {
      done = true
      await following
      const stored = await cluster.coordinator.asOwner(
        async (client) => (await client.query<{ venture_id: string; id: string }>('select venture_id, id from events')).rows,
      )
      const got = new Map([...seen].map(([venture_id, ids]) => [venture_id, new Set(ids)]))
      const passedOver = stored.filter(({ venture_id, id }) => got.get(venture_id)?.has(id) === false)
      const twice = [...seen].reduce((sum, [venture_id, ids]) => sum + ids.length - (got.get(venture_id)?.size ?? 0), 0)
      if (passedOver.length > 0) context.results.broken.push(`followers passed over ${passedOver.length} of ${stored.length} events`)
      if (twice > 0) context.results.broken.push(`followers got ${twice} events twice`)
      context.results.notes.push(
        `followers of ${world.ventures.length} ventures: ${stored.length} events, ${passedOver.length} passed over, ${twice} twice`,
      )
    },
  }
}

export const followers =
  ({ transactions }: Options) =>
  async (scene: Scene): Promise<void> => {
    const { context, cluster, setup } = scene
    const written = () =>
      cluster.coordinator.asOwner(async (client) => {
        const { rows } = await client.query<{ count: number }>('select count(distinct (venture_id, xid))::int as count from events')
        return rows[0]?.count ?? 0
      })
    const following = startFollowers(scene)
    const load = startLoad(context, setup, { clients: 2 * setup.world.ventures.length })
    try {
      let [count, said, grew] = [0, performance.now(), performance.now()]
      while (count < transactions) {
        await sleep(1_000)
        const before = count
        count = await written()
        if (count > before) grew = performance.now()
        if (performance.now() - grew > standstill_ms) throw new Error(`nothing was written for ${standstill_ms / 1000} s`)
        if (performance.now() - said < report_ms) continue
        said = performance.now()
        context.say(`${count} of ${transactions} transactions, ${following.count} events followed`)
      }
    } finally {
      await load.stop()
    }
    await following.end()
    context.results.notes.push(`${await written()} transactions`)
  }
