// Prometheus metrics of signing in. Failures of emails that nobody has are counted here and stored nowhere.
import { Counter, type Registry } from 'prom-client'

export type Outcome = 'signed_in' | 'failed' | 'unknown' | 'throttled' | 'proved' | 'proof_failed'

/** Returns what counts an outcome. */
export function measureSignIns(registry: Registry): (outcome: Outcome) => void {
  const counter = new Counter({
    name: 'sign_ins_total',
    help: 'Attempts to sign in, or to prove again who one is, by their outcome. unknown: the email or the passkey is that of nobody.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcome) => counter.inc({ outcome })
}
