// A message is booked once: the claim on it is a companion of what is booked.
import { hash } from 'node:crypto'
import type { By } from '../../platform/actor.ts'
import { boundId, idOfName } from '../../platform/bound-id.ts'
import { now } from '../../platform/clock.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import { tryLocks, waitForLocks } from '../../platform/idempotency/idempotency.sql.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import type { BookedAs, BookedFact } from './transfers.facts.schemas.ts'
import { findFact, findFacts, insertFacts, type Message } from './transfers.facts.sql.ts'

const nameOf = ({ sender, kind, tx_id }: Message): string => `${sender} ${kind} ${tx_id}`

/** The sender as it is stored: the head office of a bank is the bank itself. */
export const senderOf = ({ sender }: Pick<Message, 'sender'>): string => sender.padEnd(11, 'X')

/** The same id for the same message, so that one message has one open approval at most: a UUID of version 8, from a hash. */
export function messageIdOf(message: Message): string {
  return idOfName(`message ${nameOf({ ...message, sender: senderOf(message) })}`)
}

/** Advisory locks have numbers of 64 bits. Two messages that share one by chance only wait for each other. */
function lockNumber(message: Message): string {
  return hash('sha256', `inbound ${nameOf(message)}`, 'buffer')
    .readBigInt64BE(0)
    .toString()
}

/**
 * A message is claimed over all ventures. The lock comes first, because only a statement after it certainly sees the claim of whoever had
 * the lock before.
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

/** Only what becomes of the first of two commands says what the second one is to be told, so the batch is run again one by one. */
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

/** On whose authority the transfers are created and moved: a rail's, or that of the bank's people together. */
export const authorityOf = ({ actor, approved = false }: By): Pick<By, 'actor' | 'approved'> => ({ actor, approved })

/** The id of what is booked is bound to the message, so that nobody can book the message again by renaming its claim. */
export const factOf = (message: Message, booked_as: BookedAs, venture_id: string): BookedFact => {
  const { kind, tx_id } = message
  const sender = senderOf(message)
  return { id: boundId(sender, kind, tx_id), sender, kind, tx_id, booked_as, venture_id, created_at: now().toISOString() }
}

/** A closed account stays closed, so what was found closed can be booked in the house without another look. */
export function isClosed(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'account_not_active' && error.details['current_status'] === 'CLOSED'
}

/** A report by a message of any kind. Those within the bank have a kind of their own, which nobody can report. */
export type Told<Report extends Message> = Omit<Report, keyof Message> & Message

/** What was booked for a message; undefined if nothing was. */
export async function findBooked({ database }: Transfers, message: Message): Promise<BookedFact | undefined> {
  return (await findFacts(database, [{ ...message, sender: senderOf(message) }]))[0]
}

export async function getFact({ database }: Transfers, id: string): Promise<BookedFact> {
  return (await findFact(database, id)) ?? refuse('inbound_payment_not_found')
}

/** `on_us`: the money comes from an account in this bank. */
export type Origin = { on_us?: boolean; awaits_statement?: boolean }

/** What the case about money says that a statement has to show first. */
export const awaiting = (awaits_statement: boolean) => (awaits_statement ? ({ awaits: 'statement' } as const) : {})
