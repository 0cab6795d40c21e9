// The metrics of all instances. A sum never decreases: what an instance has counted stays in it after the instance has ended.
import type { Worker } from 'node:cluster'
import type { FromInstance, ToInstance } from './instances.messages.ts'
import { addUp, type Measured, type Snapshot } from './platform/metrics.ts'

/** An instance that has not answered by then is busy, and its last answer counts. */
const patience_ms = 2_000

/** These only increase. Others describe the current state, so they end with their instance. */
const counting = new Set<unknown>(['counter', 'histogram'])

const nothing: Snapshot = { metrics: [], recent: 0 }

export class MetricsOfAll {
  readonly #known = new Map<Worker, Snapshot>()
  #ended: Snapshot = nothing
  #asked = 0
  readonly #answers = new Map<number, () => void>()

  add(instance: Worker): void {
    this.#known.set(instance, nothing)
  }

  remove(instance: Worker): void {
    const last = this.#known.get(instance)
    if (last === undefined) return
    this.#known.delete(instance)
    const counted = last.metrics.filter(({ type }) => counting.has(type))
    this.#ended = { metrics: asMetrics([this.#ended, { metrics: counted, recent: 0 }]), recent: 0 }
  }

  receive(instance: Worker, { number, snapshot }: Extract<FromInstance, { kind: 'snapshot' }>): void {
    if (this.#known.has(instance)) this.#known.set(instance, snapshot)
    this.#answers.get(number)?.()
  }

  async all(): Promise<readonly Snapshot[]> {
    await Promise.all([...this.#known.keys()].map((instance) => this.#ask(instance)))
    return [...this.#known.values(), this.#ended]
  }

  #ask(instance: Worker): Promise<void> {
    const question: ToInstance = { kind: 'measure', number: ++this.#asked }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#answers.delete(question.number)
        resolve()
      }
      const timer = setTimeout(end, patience_ms)
      this.#answers.set(question.number, end)
      if (instance.isConnected()) instance.send(question)
    })
  }
}

/** The added-up metrics of several snapshots, without the functions of a registry, which cannot be sent. */
function asMetrics(snapshots: readonly Snapshot[]): readonly Measured[] {
  return addUp(snapshots)
    .registry.getMetricsAsArray()
    .map((metric) => {
      const { name, help, type, aggregator, values } = metric as Measured
      return { name, help, type, aggregator, values } as Measured
    })
}
