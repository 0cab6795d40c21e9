// Payee verification: does an account belong to a holder of this name? For accounts in this bank, the service answers itself; for all
// others, it asks a directory.

import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { parseBic } from '../values/bic.ts'
import { parseIban } from '../values/iban.ts'
import { type FieldError, refuse } from '../values/refusals.ts'
import type { DirectoryQuestion, PayeeDirectory } from './payees.directory.ts'
import { compareWith, findHolder, notPossible } from './payees.holders.ts'
import {
  type Identification,
  idResults,
  type PayeeAnswer,
  type PayeeQuestion,
  type PayeeRequest,
  PayeeVerification,
} from './payees.schemas.ts'
import { insertVerification, type Payee, selectVerification, selectVerifications, type Verification } from './payees.sql.ts'
import type { Route } from './vop/payees.vop.route.ts'
import { readQuestion, vopHeaders, writeAnswer } from './vop/payees.vop.wire.ts'

export type { PayeeAnswer, PayeeDirectory, Route, Verification }
export { PayeeVerification, readQuestion, vopHeaders, writeAnswer }

/** The time until which transfers can rely on a verification. */
export const validUntil = ({ created_at }: Pick<Verification, 'created_at'>): string =>
  new Date(Date.parse(created_at) + validFor_ms).toISOString()

export type Payees = {
  database: Database
  log: Logger
  /** The directory for accounts in other banks; undefined if there is none. */
  directory: PayeeDirectory | undefined
  /** What IBANs of this bank begin with, apart from their check digits. */
  bank: { country: string; code: string }
  limit_ms?: number
}

/** How long the other bank may take: the limit of the scheme, from the question to the answer. */
const limit_ms = 5_000

/** How long transfers can rely on a verification. */
const validFor_ms = 24 * 3_600_000

/** Answers the venture's question and stores the answer, so that transfers can rely on it. */
export async function verifyPayee(
  payees: Payees,
  venture_id: string,
  question: PayeeQuestion,
  companions: Companions,
): Promise<PayeeVerification> {
  const { name } = question
  const asked = { venture_id, iban: requireIban(question.iban), bic: requireBic(question.bic) }
  const identification = requireId(question.identification)
  const [answer, idAnswer] = await Promise.all([
    answerTo(payees, { ...asked, name }),
    identification === null ? undefined : answerTo(payees, { ...asked, identification }),
  ])
  const row: Verification = {
    venture_id,
    id: uuidv7(),
    name,
    iban: asked.iban,
    ...answer,
    identification,
    id_result: idAnswer === undefined ? null : (idResults.find((result) => result === idAnswer.result) ?? 'NOT_POSSIBLE'),
    created_at: now().toISOString(),
  }
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

function requireBic(text: string | null | undefined): string | undefined {
  return text == null ? undefined : (parseBic(text) ?? refuseField({ field: 'bic', message: 'must be a valid BIC' }))
}

/** LEI and BIC have a form of their own, and no issuer. */
function requireId(given: PayeeQuestion['identification']): Identification | null {
  if (given == null) return null
  const { scheme, issuer = null } = given
  if (scheme !== 'LEI' && scheme !== 'BIC') return { ...given, issuer }
  if (issuer !== null) refuseField({ field: 'identification.issuer', message: `is not a field of the scheme ${scheme}` })
  const value = given.value.toUpperCase()
  const fits = scheme === 'LEI' ? /^[A-Z0-9]{18}[0-9]{2}$/.test(value) : parseBic(value) !== undefined
  if (!fits)
    refuseField({ field: 'identification.value', message: scheme === 'LEI' ? 'must be an LEI of 20 characters' : 'must be a valid BIC' })
  return { scheme, value, issuer }
}

function refuseField(error: FieldError): never {
  refuse('invalid_request', { detail: `${error.field} ${error.message}.`, errors: [error] })
}

async function answerTo(payees: Payees, question: DirectoryQuestion): Promise<PayeeAnswer> {
  const here = await answerHere(payees, question)
  if (here !== undefined) return here
  if (isOfBank(payees, question.iban)) return notPossible('account_unknown')
  return payees.directory === undefined ? notPossible('no_directory') : askDirectory(payees, payees.directory, question)
}

function isOfBank({ bank: { country, code } }: Payees, iban: string): boolean {
  return iban.startsWith(country) && iban.startsWith(code, 4)
}

/** Undefined if the bank does not know the account. Its clients are people, of whom no id is verified. */
async function answerHere(
  { database }: Payees,
  { name, iban }: Pick<DirectoryQuestion, 'name' | 'iban'>,
): Promise<PayeeAnswer | undefined> {
  const holder = await findHolder(database, iban)
  if (holder === undefined) return undefined
  return name === undefined ? notPossible('not_applicable') : compareWith(holder, name)
}

/** Payments do not wait for a bank that does not answer. */
async function askDirectory(
  { log, limit_ms: limit = limit_ms }: Payees,
  directory: PayeeDirectory,
  question: DirectoryQuestion,
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

/** Answers a connector that asks for another bank about an account in this one. Nothing is stored. */
export async function answerBank(payees: Payees, { name, iban }: PayeeRequest): Promise<PayeeAnswer> {
  return (await answerHere(payees, { name, iban: requireIban(iban) })) ?? notPossible('account_unknown')
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
