// Prometheus metrics of sign-ins. Failures for unknown emails are counted here and not stored anywhere.
import { Counter, type Registry } from 'prom-client'

export type Outcome = 'signed_in' | 'failed' | 'unknown' | 'throttled' | 'proved' | 'proof_failed'

/** Returns a function that counts an outcome. */
export function measureSignIns(registry: Registry): (outcome: Outcome) => void {
  const counter = new Counter({
    name: 'sign_ins_total',
    help: 'Attempts to sign in or reauthenticate, by outcome. unknown: nobody has this email or passkey.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcome) => counter.inc({ outcome })
}
