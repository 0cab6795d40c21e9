// A Prometheus metric: anchors that could not be written to the file.
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
