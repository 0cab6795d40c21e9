// What Prometheus may read about deliveries: how many are behind, for how long, and what holds events back from everybody.
import { Gauge, type Registry } from 'prom-client'
import { share } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'

type Behind = { pending: number; failed: number; oldest_s: number | null; open: number }

/** By the index of what is not delivered, so what was delivered long ago costs nothing. */
async function lookBehind(database: Database): Promise<Behind | undefined> {
  return database.first(read<Behind>`
    select count(*) filter (where status = 'PENDING') as pending, count(*) filter (where status = 'FAILED') as failed,
      extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now()))::float8 as oldest_s,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint as open
    from webhook_deliveries where status <> 'DELIVERED'`)
}

export function measureDeliveries(registry: Registry, database: Database): void {
  const shared = share(() => lookBehind(database), { wait_ms: database.limits.answer_ms })
  // A database that is away must not take the other metrics with it.
  const look = () => shared().catch(() => undefined)
  new Gauge({
    name: 'webhook_deliveries',
    help: 'Deliveries that wait for another attempt, or were given up.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const behind = await look()
      if (behind === undefined) return this.reset()
      this.set({ status: 'PENDING' }, behind.pending)
      this.set({ status: 'FAILED' }, behind.failed)
    },
  })
  new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the oldest delivery that is due again has been waiting.',
    registers: [registry],
    async collect() {
      this.set((await look())?.oldest_s ?? 0)
    },
  })
  new Gauge({
    name: 'events_open_transactions',
    help: 'How many transactions the server has begun since the oldest one that is still open, for which all events wait.',
    registers: [registry],
    async collect() {
      this.set((await look())?.open ?? 0)
    },
  })
}
