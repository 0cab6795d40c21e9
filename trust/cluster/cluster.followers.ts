// Followers read the events of all ventures from the start while they are written. In the end what each of them got is compared with what there is.
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../faults/load/load.ts'
import type { Options, Scene } from './cluster.types.ts'

const page = 100

/** How often a line says how far it is. */
const report_ms = 10_000

/** A load that does not come further in this time has stopped, whatever it does. */
const standstill_ms = 120_000

export const followers =
  ({ transactions }: Options) =>
  async ({ context, cluster, setup }: Scene): Promise<void> => {
    const { bank, world } = setup
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
    const ask = async <Row extends object>(query: string): Promise<Row[]> =>
      cluster.coordinator.asOwner(async (client) => (await client.query<Row>(query)).rows)
    const written = async () =>
      (await ask<{ count: number }>('select count(distinct (venture_id, xid))::int as count from events'))[0]?.count ?? 0

    const following = Promise.all(world.ventures.map(follow))
    // Its error is reported by the await below.
    following.catch(() => {})
    const load = startLoad(context, setup, { clients: 2 * world.ventures.length })
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
        context.say(
          `${count} of ${transactions} transactions, ${[...seen.values()].reduce((sum, ids) => sum + ids.length, 0)} events followed`,
        )
      }
    } finally {
      await load.stop()
      done = true
    }
    await following
    const stored = await ask<{ venture_id: string; id: string }>('select venture_id, id from events')
    const got = new Map([...seen].map(([venture_id, ids]) => [venture_id, new Set(ids)]))
    const passedOver = stored.filter(({ venture_id, id }) => got.get(venture_id)?.has(id) === false)
    const twice = [...seen].reduce((sum, [venture_id, ids]) => sum + ids.length - (got.get(venture_id)?.size ?? 0), 0)
    if (passedOver.length > 0) context.results.broken.push(`followers passed over ${passedOver.length} of ${stored.length} events`)
    if (twice > 0) context.results.broken.push(`followers got ${twice} events twice`)
    context.results.notes.push(
      `${await written()} transactions of ${world.ventures.length} ventures, ${stored.length} events, ${passedOver.length} passed over, ${twice} twice`,
    )
  }
