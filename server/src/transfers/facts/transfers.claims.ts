// A message is booked once: its claim is a companion of the booking.
import { hash } from 'node:crypto'
import type { By } from '../../platform/actor.ts'
import { boundId, idOfName } from '../../platform/bound-id.ts'
import { now } from '../../platform/clock.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import { tryLocks, waitForLocks } from '../../platform/idempotency/idempotency.sql.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import type { Said } from '../life/transfers.details.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import type { BookedAs, BookedFact } from './transfers.facts.schemas.ts'
import { findFact, findFacts, insertFacts, type Message } from './transfers.facts.sql.ts'

const nameOf = ({ sender, kind, tx_id }: Message): string => `${sender} ${kind} ${tx_id}`

/** The sender as stored. The head office's BIC of 11 characters stands for the bank itself. */
export const senderOf = ({ sender }: Pick<Message, 'sender'>): string => sender.padEnd(11, 'X')

/** A UUID of version 8, hashed from the message, so one message has at most one open approval. */
export function messageIdOf(message: Message): string {
  return idOfName(`message ${nameOf({ ...message, sender: senderOf(message) })}`)
}

/** Advisory locks have 64-bit numbers. Two messages that collide only wait for each other. */
function lockNumber(message: Message): string {
  return hash('sha256', `inbound ${nameOf(message)}`, 'buffer')
    .readBigInt64BE(0)
    .toString()
}

/**
 * A message is claimed across all ventures. The lock comes first, because only a later statement is certain to see the claim of the previous holder.
 */
const messages: CompanionKind<BookedFact, unknown> = {
  name: 'inbound_claims',
  async acquire(tx, facts, wait) {
    const numbers = facts.map(lockNumber)
    const [locked, booked] = await Promise.all([wait ? waitForLocks(tx, numbers) : tryLocks(tx, numbers), findFacts(tx, facts)])
    const known = new Map(booked.map((fact) => [nameOf(fact), fact]))
    const taken = new Set<string>()
    return facts.map((fact, index) => {
      const name = nameOf(fact)
      const existing = known.get(name)
      if (existing !== undefined) return alreadyBooked(existing)
      const isFree = locked === undefined || locked.has(numbers[index] ?? '')
      if (!isFree || taken.has(name)) return wait ? runAlone() : 'held'
      taken.add(name)
      return 'granted'
    })
  },
  write(tx, granted) {
    insertFacts(
      tx,
      granted.map(({ row }) => row),
    )
  },
}

/** The answer to the second of two commands depends on the outcome of the first, so the batch is run again one by one. */
export function runAlone(): never {
  throw new Error('two commands of a batch concern the same message or the same decision')
}

function alreadyBooked({ booked_as, id: existing_id, venture_id: existing_venture_id }: BookedFact): Refusal {
  return new Refusal('inbound_payment_booked', {
    detail: `This message has been booked before, as the ${booked_as === 'unapplied' ? 'unapplied payment' : booked_as} ${existing_id}.`,
    booked_as,
    existing_id,
    existing_venture_id,
  })
}

export function claimOf(fact: BookedFact): Companion {
  return companion(messages, fact)
}

/** The authority for creating and moving the transfers: a rail, or people of the bank together. */
export const authorityOf = ({ actor, approved = false }: By): Pick<By, 'actor' | 'approved'> => ({ actor, approved })

/** The id of the booking is derived from the message, so nobody can book the message again by renaming its claim. */
export const factOf = (message: Message, booked_as: BookedAs, venture_id: string, id?: string): BookedFact => {
  const { kind, tx_id } = message
  const sender = senderOf(message)
  return { id: id ?? boundId(sender, kind, tx_id), sender, kind, tx_id, booked_as, venture_id, created_at: now().toISOString() }
}

/** A closed account stays closed, so what was meant for it can be booked in the house without checking again. */
export function isClosed(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'account_not_active' && error.details['current_status'] === 'CLOSED'
}

/** A report with any kind of message. Messages within the bank have a kind that cannot be reported. */
export type Told<Report extends Message> = Omit<Report, keyof Message> & Message

/** What was booked for a message; undefined if nothing. */
export async function findBooked({ database }: Transfers, message: Message): Promise<BookedFact | undefined> {
  return (await findFacts(database, [{ ...message, sender: senderOf(message) }]))[0]
}

export async function getFact({ database }: Transfers, id: string): Promise<BookedFact> {
  return (await findFact(database, id)) ?? refuse('inbound_payment_not_found')
}

/** `on_us`: the money comes from an account in this bank. `instant`: it was decided before it is booked. */
export type Origin = Arrival & { on_us?: boolean }

/** How money arrives. `id`: of the booking, if it is known before; it must be bound to the message. `said`: what the message says besides the report. */
export type Arrival = { awaits_statement?: boolean; instant?: 'awaited' | 'final' | undefined; id?: string; said?: Said }

/** The part of a case's subject that says a statement has to show the money first. */
export const awaiting = (awaits_statement: boolean) => (awaits_statement ? ({ awaits: 'statement' } as const) : {})
