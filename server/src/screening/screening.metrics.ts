// Prometheus metrics of screening: whether this instance can compare names at all.
import { Gauge, type Registry } from 'prom-client'
import type { ActiveLists } from './screening.active.ts'

export function measureScreening(registry: Registry, lists: Pick<ActiveLists, 'current'>): void {
  new Gauge({
    name: 'screening_ready',
    help: 'Whether the active versions of all watch lists are loaded on this instance. While it is 0, payments wait for screening.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(lists.current.length > 0 ? 1 : 0)
    },
  })
  new Gauge({
    name: 'screening_lists_loaded',
    help: 'The versions of watch lists that this instance compares names with.',
    labelNames: ['watchlist', 'version'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, version_id } of lists.current) this.set({ watchlist: name, version: version_id }, 1)
    },
  })
}
