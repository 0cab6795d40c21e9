// Prometheus metrics of deliveries: the backlog, its age, and open transactions that hold back events.
import { Gauge, type Registry } from 'prom-client'
import { now } from '../platform/clock.ts'
import { share } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'

type Backlog = { pending: number; failed: number; oldest_s: number | null; open: number }

/** Uses the index of undelivered rows, so delivered ones cost nothing. */
async function readBacklog(database: Database): Promise<Backlog | undefined> {
  const at = now().toISOString()
  return database.first(read<Backlog>`
    select count(*) filter (where status = 'PENDING') as pending, count(*) filter (where status = 'FAILED') as failed,
      extract(epoch from (${at}::timestamptz - min(next_attempt_at) filter (where next_attempt_at <= ${at})))::float8 as oldest_s,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint as open
    from webhook_deliveries where status <> 'DELIVERED'`)
}

export function measureDeliveries(registry: Registry, database: Database): void {
  const shared = share(() => readBacklog(database), { wait_ms: database.limits.answer_ms })
  // If the database is unavailable, the other metrics must still work.
  const readShared = () => shared().catch(() => undefined)
  new Gauge({
    name: 'webhook_deliveries',
    help: 'Deliveries that wait for another attempt, or were given up.',
    labelNames: ['status'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const backlog = await readShared()
      if (backlog === undefined) return this.reset()
      this.set({ status: 'PENDING' }, backlog.pending)
      this.set({ status: 'FAILED' }, backlog.failed)
    },
  })
  new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'How long the oldest delivery that is due again has been waiting.',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.set((await readShared())?.oldest_s ?? 0)
    },
  })
  new Gauge({
    name: 'events_open_transactions',
    help: 'How many transactions the server has begun since the oldest open one, which holds back all events.',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.set((await readShared())?.open ?? 0)
    },
  })
}
