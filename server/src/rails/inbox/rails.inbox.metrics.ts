// Prometheus metrics of the file exchange: what waits in the inbox, whether its rounds finish, and what was refused.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Inbox } from './rails.inbox.ts'

/** Without an exchange there is nothing to measure. */
export function measureInbox(registry: Registry, inbox: Pick<Inbox, 'figures'> | undefined): void {
  if (inbox === undefined) return
  new Gauge({
    name: 'exchange_oldest_file_seconds',
    help: 'How long the oldest file has been in the inbox.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(inbox.figures.oldest_s)
    },
  })
  new Gauge({
    name: 'exchange_last_round_seconds',
    help: 'How long ago this instance last finished a round through the inbox.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(inbox.figures.last_round_s)
    },
  })
  new Counter({
    name: 'exchange_clock_off_total',
    help: 'Instant payments whose message was more than two seconds ahead of the clock of the service.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(inbox.figures.clock_off)
    },
  })
  new Counter({
    name: 'exchange_refused_files_total',
    help: 'Files that were refused and set aside, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [reason, count] of inbox.figures.refused) this.inc({ reason }, count)
    },
  })
}
