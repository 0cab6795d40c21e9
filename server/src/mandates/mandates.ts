// Mandates: debtors' consent to direct debits. A collection names the mandate that allows it.

import { type Accounts, getAccount } from '../accounts/accounts.ts'
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, changesOf, subjectOf } from '../audit/audit.ts'
import { emit } from '../events/events.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { type Shown, shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { todayUtc } from '../values/calendar.ts'
import { parseCreditorId } from '../values/creditor-id.ts'
import { isSepaIban, parseIban } from '../values/iban.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { getVenture, requireUnreserved, type Venture } from '../ventures/ventures.ts'
import { findMandatesBy } from './mandates.find.ts'
import { expiresOn, stateOn, unusedFor_months } from './mandates.rules.ts'
import { Mandate, type MandateList, type NewMandate } from './mandates.schemas.ts'
import {
  insertMandate,
  listMandateRows,
  lockMandate,
  type MandateKey,
  type MandateUse,
  type StoredMandate,
  selectMandate,
  selectMandates,
  writeCancelled,
  writeUses,
} from './mandates.sql.ts'

export type { MandateKey, MandateUse }
export { findMandatesBy, Mandate, writeUses }

/** `accounts`: the accounts that receive the money. */
export type Mandates = { database: Database; accounts: Accounts }

/** A mandate with its venture, in its state as of today. */
export type MandateRow = Mandate & { venture_id: string }

function rowOn(today: string, { cancelled, sequence: _, ...stored }: StoredMandate): MandateRow {
  return { ...stored, state: stateOn(today, { ...stored, cancelled }), expires_on: expiresOn(stored) }
}

const showOn = (today: string, stored: StoredMandate): Shown<Mandate> => shown(Mandate, rowOn(today, stored))

type Owner = Pick<Venture, 'id' | 'control'>

const createAction = 'create-mandate'

/** With four-eyes approval, a mandate for an account of a MANAGED venture is registered by the venture, or by two people of the bank. */
export function createMandate(
  mandates: Mandates,
  approvals: Approvals,
  venture: Owner,
  input: NewMandate,
  by: By,
): Promise<Mandate | Approval> {
  const id = uuidv7()
  const reference = `${input.creditor_id} ${input.reference}`
  const wanted = { venture_id: venture.id, action: createAction, resource_id: id, payload: input, reference }
  return actOrRequest(approvals, wanted, by, (allowed) => registerMandate(mandates, venture, { ...input, id }, allowed))
}

/** What the bank's people can do with mandates only together. */
export function mandateApprovals(mandates: Mandates): ApprovalHandler[] {
  return [
    {
      action: createAction,
      operations: ['createMandate'],
      async carryOut({ venture_id, resource_id: id, payload }, by) {
        const venture = await getVenture(mandates.database, venture_id)
        return registerMandate(mandates, venture, { ...(payload as NewMandate), id }, { ...by, approved: true })
      },
    },
  ]
}

const seenFields = ['reference', 'creditor_id', 'scheme', 'sequence_type', 'signed_on', 'last_used_on'] as const

/** Errors in the request are reported before a missing account. */
async function registerMandate(
  { database, accounts }: Mandates,
  { id: venture_id, control }: Owner,
  input: NewMandate & { id: string },
  by: By,
): Promise<Mandate> {
  const at = now()
  const mandate = mandateOf(venture_id, input, at)
  // A mandate that does not exist yet has no changes, so the sequence is 0.
  if (control === 'MANAGED') requireUnreserved('createMandate', {}, by, 0)
  await getAccount(accounts, { venture_id, id: input.account_id })
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const { account_id, debtor_name: payer, debtor_iban: payer_account } = mandate
      by.witness?.(subjectOf({ account_id, payer, payer_account, changes: changesOf<StoredMandate>(seenFields, {}, mandate) }))
      if (!(await insertMandate(tx, mandate))) refuse('mandate_exists')
      const object = showOn(todayUtc(at), mandate)
      emit(tx, { venture_id, type: 'mandate.created', object, sequence: mandate.sequence })
      return object
    }),
  )
}

function mandateOf(venture_id: string, input: NewMandate & { id: string }, at: Date): StoredMandate {
  const today = todayUtc(at)
  const { signed_on, last_used_on = null, sequence_type } = input
  const creditor_id =
    parseCreditorId(input.creditor_id) ?? refuseField('creditor_id', 'must be a SEPA creditor identifier with correct check digits')
  const debtor_iban = parseIban(input.debtor_iban) ?? refuseIban('must be a valid IBAN')
  if (!isSepaIban(debtor_iban)) refuseIban('must be an IBAN of a SEPA country')
  if (signed_on > today) refuseField('signed_on', 'must not be in the future')
  if (last_used_on !== null) {
    if (sequence_type === 'OOFF') refuseField('last_used_on', 'must be left out, because a mandate for one collection is used up after it')
    if (last_used_on < signed_on || last_used_on > today) refuseField('last_used_on', 'must be between signed_on and today')
  }
  if (expiresOn({ signed_on, last_used_on }) < today)
    refuseField('signed_on', `must be within the last ${unusedFor_months} months; if the mandate was used since, send last_used_on`)
  const created_at = at.toISOString()
  return {
    venture_id,
    id: input.id,
    account_id: input.account_id,
    reference: input.reference,
    creditor_id,
    scheme: input.scheme,
    sequence_type,
    debtor_name: input.debtor_name,
    debtor_iban,
    signed_on,
    last_used_on,
    cancelled: false,
    created_at,
    updated_at: created_at,
    sequence: 1,
  }
}

function refuseIban(message: string): never {
  refuse('invalid_iban', { detail: `debtor_iban ${message}.`, errors: [{ field: 'debtor_iban', message }] })
}

export async function getMandate(database: Database, key: MandateKey): Promise<Mandate> {
  return showOn(todayUtc(now()), (await database.first(selectMandate(key))) ?? refuse('mandate_not_found'))
}

export async function listMandates(database: Database, venture_id: string, query: MandateList): Promise<Mandate[]> {
  const today = todayUtc(now())
  return (await listMandateRows(database, venture_id, query, today)).map((row) => showOn(today, row))
}

/** Collections that have been sent continue. Those that have not been sent are stopped when their turn comes. */
export function cancelMandate(database: Database, key: MandateKey, companions?: Companions): Promise<Mandate> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const at = now()
      const today = todayUtc(at)
      const row = (await lockMandate(tx, key)) ?? refuse('mandate_not_found')
      const { state } = rowOn(today, row)
      if (state !== 'ACTIVE') refuseInactive(state)
      const cancelled = { ...row, cancelled: true, updated_at: at.toISOString(), sequence: row.sequence + 1 }
      const object = showOn(today, cancelled)
      writeCancelled(tx, cancelled)
      emit(tx, { venture_id: key.venture_id, type: 'mandate.cancelled', object, sequence: cancelled.sequence, previous_status: state })
      return object
    }),
  )
}

export function refuseInactive(current_state: Mandate['state']): never {
  refuse('mandate_not_active', { detail: `The mandate is ${current_state}, not ACTIVE. Ask the debtor for a new one.`, current_state })
}

/** The mandates that exist, in no particular order, with their states on a day. */
export async function findMandates(reader: Reader, keys: readonly MandateKey[], today: string): Promise<MandateRow[]> {
  return (await selectMandates(reader, keys)).map((row) => rowOn(today, row))
}
