// Prometheus metrics of the request log: what waits to be written, and what was dropped.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { RequestLog } from './requests.log.ts'

export function measureRequestLog(registry: Registry, log: Pick<RequestLog, 'waiting' | 'dropped'>): void {
  new Gauge({
    name: 'request_log_waiting',
    help: 'Requests that wait to be written to the request log.',
    registers: [registry],
    collect() {
      this.set(log.waiting)
    },
  })
  new Counter({
    name: 'request_log_dropped_total',
    help: 'Requests that are missing in the request log, because the database did not keep up or was away.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(log.dropped)
    },
  })
}
