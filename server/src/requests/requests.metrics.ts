// Prometheus metrics of the request log: waiting and dropped rows.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { RequestLog } from './requests.log.ts'

export function measureRequestLog(registry: Registry, log: Pick<RequestLog, 'waiting' | 'dropped'>): void {
  new Gauge({
    name: 'request_log_waiting',
    help: 'Rows that wait to be written to the request log.',
    registers: [registry],
    collect() {
      this.set(log.waiting)
    },
  })
  new Counter({
    name: 'request_log_dropped_total',
    help: 'Requests that are missing from the request log because the database was slow or unavailable.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(log.dropped)
    },
  })
}
