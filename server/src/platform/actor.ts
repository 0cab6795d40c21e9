// Actors: who does something. Moves, events, approvals and the audit log name them.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Companions } from './companions.ts'

/**
 * venture: a key of a venture. user: a person of a venture. operator: a person of the bank, or the admin key. service: the service itself.
 * connector: a rail that reports what happened outside.
 */
export const actorKinds = ['venture', 'user', 'operator', 'service', 'connector'] as const
export type ActorKind = (typeof actorKinds)[number]

/**
 * `id`: the id of the key or person; null if there is none, as for the service. `seen_by_bank`: the bank could use the key, so nothing that
 * its people may only do together is done with it.
 */
export type Actor = { readonly kind: ActorKind; readonly id: string | null; readonly seen_by_bank?: true }

export const theService: Actor = { kind: 'service', id: null }

const acting = new AsyncLocalStorage<Actor>()

/** Runs `work` as this actor, including everything that it does later. */
export function actAs<Result>(actor: Actor, work: () => Result): Result {
  return acting.run(actor, work)
}

/**
 * The actor of the current request; outside of requests, the service. The commands of a batch name their own actors, because they come from
 * many requests.
 */
export function currentActor(): Actor {
  return acting.getStore() ?? theService
}

/** Who carries something out, and with what authority. */
export type By = {
  readonly actor: Actor
  /** True if a second person has approved it or a case was decided this way. Only the handlers of approvals and cases set this. */
  readonly approved?: boolean
  /** The person who made the request that the actor has approved. */
  readonly maker_id?: string
  /** The sequence of the resource when the approval was requested. It must not have changed since. */
  readonly sequence?: number
  /** The approval that is being carried out. */
  readonly approval_id?: string | undefined
  /**
   * Called while the rows are locked, with exactly what is about to be done. A rehearsal stores it for the second person. When the approval
   * is carried out, the witness refuses if it differs from what the second person saw.
   */
  readonly witness?: ((subject: object) => void) | undefined
  readonly companions?: Companions
}

/**
 * Only the bank's side may report what the scheme has already done: rails, the service, and people of the bank together, but never one of
 * them alone.
 */
export function isBanksSide({ actor, approved = false }: Pick<By, 'actor' | 'approved'>): boolean {
  return actor.kind === 'connector' || actor.kind === 'service' || (actor.kind === 'operator' && approved)
}

/** Whether the actor acts for the venture, as one of its keys or people, and not for the bank. */
export function isVentures({ kind }: Pick<Actor, 'kind'>): boolean {
  return kind === 'venture' || kind === 'user'
}
