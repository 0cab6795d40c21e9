// Who does something: named in moves, events, approvals and the audit log.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Companions } from './companions.ts'

/**
 * venture: a key of a venture. user: a person of a venture. operator: a person of the bank, or the admin key. service: the service itself.
 * connector: a rail that reports what happened outside.
 */
export const actorKinds = ['venture', 'user', 'operator', 'service', 'connector'] as const
export type ActorKind = (typeof actorKinds)[number]

/**
 * `id`: of the key or of the person; null where there is none, as for the service. `seen_by_bank`: the bank could use the key, so what its people do only
 * together is not done with it.
 */
export type Actor = { readonly kind: ActorKind; readonly id: string | null; readonly seen_by_bank?: true }

export const theService: Actor = { kind: 'service', id: null }

const acting = new AsyncLocalStorage<Actor>()

/** Whatever `work` does, also later, is done by this actor. */
export function actAs<Result>(actor: Actor, work: () => Result): Result {
  return acting.run(actor, work)
}

/** Who sent the request that is being carried out; outside of requests it is the service. A batch carries out the commands of many, which name theirs. */
export function currentActor(): Actor {
  return acting.getStore() ?? theService
}

/** Who carries something out, and on what authority. */
export type By = {
  readonly actor: Actor
  /** A second person has approved it, or a case was decided so. Only the handlers of approvals and cases set this. */
  readonly approved?: boolean
  /** Who requested what the actor has approved. */
  readonly maker_id?: string
  /** The sequence that the resource had when the approval was requested: it must not have changed since. */
  readonly sequence?: number
  /** The approval that is carried out. */
  readonly approval_id?: string | undefined
  /**
   * Is told under the locks what exactly is about to be done. In a rehearsal it notes that for the second person; when the approval is carried out, it
   * refuses if that is not what the second person has seen.
   */
  readonly witness?: ((subject: object) => void) | undefined
  readonly companions?: Companions
}

/** What the scheme has already done is reported by the bank's side: rails, the service, and the bank's people together, never one alone. */
export function isBanksSide({ actor, approved = false }: Pick<By, 'actor' | 'approved'>): boolean {
  return actor.kind === 'connector' || actor.kind === 'service' || (actor.kind === 'operator' && approved)
}

/** Whether somebody acts for the venture, with a key or as one of its people, and not for the bank. */
export function isVentures({ kind }: Pick<Actor, 'kind'>): boolean {
  return kind === 'venture' || kind === 'user'
}
