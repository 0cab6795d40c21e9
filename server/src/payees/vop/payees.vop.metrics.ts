// Prometheus metrics of the questions of other banks, and of the certificates with which banks know each other.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { secondsUntil } from './payees.vop.certificates.ts'
import type { VopListener } from './payees.vop.listener.ts'

type Measured = {
  listener: Pick<VopListener, 'figures' | 'expires_at' | 'onAnswer'> | undefined
  /** When the certificate expires that we show to the routing service. */
  clientExpires_at: Date | undefined
}

/** What is not set up is not measured. */
export function measureVop(registry: Registry, { listener, clientExpires_at }: Measured): void {
  const registers = [registry]
  const certificates = Object.entries({ listener: listener?.expires_at, client: clientExpires_at })
  if (certificates.some(([, expires_at]) => expires_at !== undefined)) {
    new Gauge({
      name: 'vop_certificate_expires_seconds',
      help: 'In how many seconds our certificate for other banks expires, of the listener or of the client; negative afterwards.',
      labelNames: ['of'],
      aggregator: 'min',
      registers,
      collect() {
        for (const [of, expires_at] of certificates) if (expires_at !== undefined) this.set({ of }, secondsUntil(expires_at))
      },
    })
  }
  if (listener === undefined) return
  const duration = new Histogram({
    name: 'vop_answer_seconds',
    help: 'How long questions of other banks about payees took.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  listener.onAnswer = (duration_s) => duration.observe(duration_s)
  for (const [kind, label, help] of [
    ['answered', 'result', 'Questions of other banks about payees that were answered, by result.'],
    ['refused', 'reason', 'Connections and requests of other banks that were refused, by reason.'],
  ] as const)
    new Counter({
      name: `vop_${kind}_total`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset()
        for (const [value, count] of listener.figures[kind]) this.inc({ [label]: value }, count)
      },
    })
}
