// A Prometheus metric of anchors: those that the file did not take.
import { Counter, type Registry } from 'prom-client'
import type { Anchors } from '../platform/anchors.ts'

export function measureAnchors(registry: Registry, anchors: Pick<Anchors, 'failures'>): void {
  new Counter({
    name: 'anchor_failures_total',
    help: 'Anchors that could not be written to ANCHOR_FILE.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(anchors.failures)
    },
  })
}
