// Payee verification: does an account belong to a holder of this name? For accounts in this bank, the service answers itself; for all
// others, it asks a directory.

import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { parseIban } from '../values/iban.ts'
import { refuse } from '../values/refusals.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { compareNames } from './payees.names.ts'
import { type PayeeAnswer, type PayeeQuestion, PayeeVerification } from './payees.schemas.ts'
import { insertVerification, type Payee, selectHolder, selectVerification, selectVerifications, type Verification } from './payees.sql.ts'

export type { PayeeAnswer, PayeeQuestion, Verification }
export { PayeeVerification }

/** The time until which transfers can rely on a verification. */
export const validUntil = ({ created_at }: Pick<Verification, 'created_at'>): string =>
  new Date(Date.parse(created_at) + validFor_ms).toISOString()

/** Asks the bank of an account. It should stop when the signal aborts; nobody waits for it after that. */
export type PayeeDirectory = { verify(question: PayeeQuestion, signal: AbortSignal): Promise<PayeeAnswer> }

export type Payees = {
  database: Database
  log: Logger
  /** The directory for accounts in other banks; undefined if there is none. */
  directory: PayeeDirectory | undefined
  /** What IBANs of this bank begin with, apart from their check digits. */
  bank: { country: string; code: string }
  limit_ms?: number
}

/** How long the other bank may take. */
const limit_ms = 3_000

/** How long transfers can rely on a verification. */
const validFor_ms = 24 * 3_600_000

const notPossible = (reason: NonNullable<PayeeAnswer['reason']>): PayeeAnswer => ({ result: 'NOT_POSSIBLE', matched_name: null, reason })

/** Answers the venture's question and stores the answer, so that transfers can rely on it. */
export async function verifyPayee(
  payees: Payees,
  venture_id: string,
  question: PayeeQuestion,
  companions: Companions,
): Promise<PayeeVerification> {
  const asked = { ...question, iban: requireIban(question.iban) }
  const answer = await answerTo(payees, asked)
  const row: Verification = { venture_id, id: uuidv7(), ...asked, ...answer, created_at: now().toISOString() }
  return payees.database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      insertVerification(tx, row)
      return shownVerification(row)
    }),
  )
}

function requireIban(text: string): string {
  const message = 'must be a valid IBAN'
  return parseIban(text) ?? refuse('invalid_iban', { detail: `iban ${message}.`, errors: [{ field: 'iban', message }] })
}

async function answerTo(payees: Payees, question: PayeeQuestion): Promise<PayeeAnswer> {
  const here = await answerHere(payees, question)
  if (here !== undefined) return here
  if (isOfBank(payees, question.iban)) return notPossible('account_unknown')
  return payees.directory === undefined ? notPossible('no_directory') : askDirectory(payees, payees.directory, question)
}

function isOfBank({ bank: { country, code } }: Payees, iban: string): boolean {
  return iban.startsWith(country) && iban.startsWith(code, 4)
}

/** Undefined if the bank does not know the account. That includes accounts of ventures that keep their own books. */
async function answerHere({ database }: Payees, { name, iban }: PayeeQuestion): Promise<PayeeAnswer | undefined> {
  const holder = await selectHolder(database, await listManagedIds(database), iban)
  if (holder === undefined) return undefined
  const registered = `${holder.first_name} ${holder.last_name}`
  const result = compareNames(name, registered)
  if (result === 'UNREADABLE') return notPossible('name_unreadable')
  return { result, matched_name: result === 'CLOSE_MATCH' ? registered : null, reason: null }
}

/** Payments do not wait for a bank that does not answer. */
async function askDirectory(
  { log, limit_ms: limit = limit_ms }: Payees,
  directory: PayeeDirectory,
  question: PayeeQuestion,
): Promise<PayeeAnswer> {
  const signal = AbortSignal.timeout(limit)
  const late = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => late.reject(new Error(`no answer within ${limit} ms`)), { once: true })
  try {
    const answer = await Promise.race([directory.verify(question, signal), late.promise])
    if (!isWhole(answer)) throw new Error(`the answer ${answer.result} lacks its name or its reason, or has one that it must not have`)
    return answer
  } catch (error) {
    log.info({ err: error }, 'the payee directory gave no answer')
    return notPossible('no_answer')
  }
}

/** A close match has a name, an impossible verification has a reason, and nothing else has either. */
function isWhole({ result, matched_name, reason }: PayeeAnswer): boolean {
  return (result === 'CLOSE_MATCH') === (matched_name !== null) && (result === 'NOT_POSSIBLE') === (reason !== null)
}

/** Answers another bank about an account in this one. Nothing is stored. */
export async function answerBank(payees: Payees, question: PayeeQuestion): Promise<PayeeAnswer> {
  return (await answerHere(payees, { ...question, iban: requireIban(question.iban) })) ?? notPossible('account_unknown')
}

export async function getVerification({ database }: Pick<Payees, 'database'>, venture_id: string, id: string): Promise<PayeeVerification> {
  return shownVerification((await database.first(selectVerification(venture_id, id))) ?? refuse('payee_verification_not_found'))
}

function shownVerification(row: Verification): PayeeVerification {
  return { ...row, valid_until: validUntil(row) }
}

/** Whether a transfer that is ordered now can rely on a verification. */
export function isFresh({ created_at }: Pick<Verification, 'created_at'>, now: Date): boolean {
  return Date.parse(created_at) + validFor_ms >= now.getTime()
}

/** The verifications of these payees, newest first, that orders at these times may rely on. */
export function findVerifications(reader: Reader, payees: readonly (Payee & { now: Date })[]): Promise<Verification[]> {
  const earliest = Math.min(...payees.map(({ now }) => now.getTime()))
  return selectVerifications(reader, payees, new Date(earliest - validFor_ms).toISOString())
}
