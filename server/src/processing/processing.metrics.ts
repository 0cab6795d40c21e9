// Prometheus metrics of processing: what waits, where and how long, and the work queue of the bank's people.
import { Gauge, type Registry } from 'prom-client'
import { countOpenCases } from '../cases/cases.ts'
import { share } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { countWaiting } from './processing.sql.ts'

export function measureProcessing(registry: Registry, database: Database): void {
  const once = { wait_ms: database.limits.answer_ms }
  const waiting = share(async () => countWaiting(database, await listManagedIds(database)), once)
  const cases = share(() => countOpenCases(database), once)
  // If the database is unavailable, the other metrics must still work.
  const readWaiting = async () => (await waiting().catch(() => undefined)) ?? []
  const readCases = async () => (await cases().catch(() => undefined)) ?? []
  new Gauge({
    name: 'processing_transfers',
    help: 'Transfers that the bank has to process, by status. Those in READY_FOR_SCREENING wait for watch lists.',
    labelNames: ['status'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { status, transfers } of await readWaiting()) this.set({ status }, transfers)
    },
  })
  new Gauge({
    name: 'processing_oldest_seconds',
    help: 'How long the oldest transfer has been in its status.',
    labelNames: ['status'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { status, oldest_s } of await readWaiting()) this.set({ status }, oldest_s)
    },
  })
  new Gauge({
    name: 'cases_open',
    help: 'Cases that wait for a decision, by kind and severity.',
    labelNames: ['kind', 'severity'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { kind, severity, open } of await readCases()) this.set({ kind, severity }, open)
    },
  })
  new Gauge({
    name: 'cases_overdue',
    help: 'Cases that are overdue, by kind and severity.',
    labelNames: ['kind', 'severity'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { kind, severity, overdue } of await readCases()) this.set({ kind, severity }, overdue)
    },
  })
}
