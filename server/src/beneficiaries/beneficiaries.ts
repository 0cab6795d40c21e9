// Beneficiaries: the people and companies that clients pay. Their account is fixed at creation; another account needs a new beneficiary.

import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, changesOf, requireSequence, subjectOf } from '../audit/audit.ts'
import { getClient, toScreen } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { parseBic } from '../values/bic.ts'
import { parseIban } from '../values/iban.ts'
import { type RefusalCode, refuse } from '../values/refusals.ts'
import { parseRoutingNumber } from '../values/routing-number.ts'
import { getVenture, requireUnreserved, type Venture } from '../ventures/ventures.ts'
import { findBeneficiariesBy } from './beneficiaries.find.ts'
import { Beneficiary, type BeneficiaryList, type BeneficiaryUpdate, type NewBeneficiary } from './beneficiaries.schemas.ts'
import {
  type BeneficiaryKey,
  type BeneficiaryRow,
  findBeneficiaries,
  insertBeneficiary,
  lockBeneficiary,
  selectBeneficiaries,
  selectBeneficiary,
  writeBeneficiary,
} from './beneficiaries.sql.ts'

export type { BeneficiaryKey, BeneficiaryRow }
export { Beneficiary, findBeneficiaries, findBeneficiariesBy }

type Owner = Pick<Venture, 'id' | 'control'>

const createAction = 'create-beneficiary'
const updateAction = 'update-beneficiary'

/** Whom a client of a MANAGED venture may pay is decided by the venture or, with four-eyes approval, by two people of the bank. */
export function createBeneficiary(approvals: Approvals, venture: Owner, input: NewBeneficiary, by: By): Promise<Beneficiary | Approval> {
  const id = uuidv7()
  const wanted = { venture_id: venture.id, action: createAction, resource_id: id, payload: input }
  return actOrRequest(approvals, wanted, by, (allowed) => addBeneficiary(approvals.database, venture, { ...input, id }, allowed))
}

export function updateBeneficiary(approvals: Approvals, venture: Owner, id: string, update: BeneficiaryUpdate, by: By) {
  const wanted = { venture_id: venture.id, action: updateAction, resource_id: id, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => changeBeneficiary(approvals.database, venture, id, update, allowed))
}

/** What the bank's people can do with beneficiaries only together. */
export function beneficiaryApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: createAction,
      operations: ['createBeneficiary'],
      async carryOut({ venture_id, resource_id: id, payload }, by) {
        const venture = await getVenture(database, venture_id)
        return addBeneficiary(database, venture, { ...(payload as NewBeneficiary), id }, { ...by, approved: true })
      },
    },
    {
      action: updateAction,
      operations: ['updateBeneficiary'],
      async carryOut({ venture_id, resource_id, payload, sequence }, by) {
        const venture = await getVenture(database, venture_id)
        return changeBeneficiary(database, venture, resource_id, payload as BeneficiaryUpdate, { ...by, approved: true, sequence })
      },
    },
  ]
}

/** Errors in the request are reported before a missing client. */
async function addBeneficiary(
  database: Database,
  { id: venture_id, control }: Owner,
  input: NewBeneficiary & { id: string },
  by: By,
): Promise<Beneficiary> {
  const { companions } = by
  const beneficiary = beneficiaryOf(input)
  // A beneficiary that does not exist yet has no changes, so the sequence is 0.
  if (control === 'MANAGED') requireUnreserved('createBeneficiary', {}, by, 0)
  // No lock is needed: clients are never deleted, and there is a foreign key.
  await getClient(database, venture_id, input.client_id)
  const { id } = beneficiary
  const all =
    control === 'MANAGED' ? [...(companions ?? []), toScreen({ venture_id, kind: 'beneficiary', id, cause: 'created' })] : companions
  return database.transaction((tx) =>
    accompanied(tx, all, async () => {
      by.witness?.(subjectFor({}, beneficiary))
      insertBeneficiary(tx, { ...beneficiary, venture_id, sequence: 1 })
      emit(tx, { venture_id, type: 'beneficiary.created', object: shown(Beneficiary, beneficiary), sequence: 1 })
      return beneficiary
    }),
  )
}

const seenFields = [
  'client_id',
  'name',
  'beneficiary_type',
  'display',
  'iban',
  'bic',
  'account_number',
  'routing_number',
  'swift_code',
  'bank_name',
  'country_code',
] as const

/** What a second person sees: which beneficiary it is about, and what will change. */
function subjectFor(before: Partial<Beneficiary>, after: Beneficiary): object {
  const { name, iban, account_number, bic, swift_code, bank_name } = after
  return subjectOf({
    payee: name,
    payee_account: iban ?? account_number,
    payee_bic: bic ?? swift_code,
    payee_bank: bank_name,
    changes: changesOf<Beneficiary>(seenFields, before, after),
  })
}

function beneficiaryOf(input: NewBeneficiary & { id: string }): Beneficiary {
  const { account_number = null } = input
  const iban = parsed(input, 'iban')
  if (iban === null && account_number === null) refuse('beneficiary_needs_account')
  const at = now().toISOString()
  return {
    id: input.id,
    client_id: input.client_id,
    name: input.name,
    beneficiary_type: input.beneficiary_type,
    display: input.display ?? true,
    iban,
    bic: parsed(input, 'bic'),
    account_number,
    routing_number: parsed(input, 'routing_number'),
    swift_code: parsed(input, 'swift_code'),
    bank_name: input.bank_name ?? null,
    bank_address: input.bank_address ?? null,
    address: input.address ?? null,
    city: input.city ?? null,
    postal_code: input.postal_code ?? null,
    country_code: input.country_code ?? null,
    created_at: at,
    updated_at: at,
  }
}

type Identifier = 'iban' | 'bic' | 'routing_number' | 'swift_code'
type Rule = { parse: (text: string) => string | undefined; code: RefusalCode; message: string }

const bicRule: Rule = { parse: parseBic, code: 'invalid_bic', message: 'must be a BIC of 8 or 11 characters' }
const rules: Record<Identifier, Rule> = {
  iban: {
    parse: parseIban,
    code: 'invalid_iban',
    message: 'must be an IBAN without spaces, of the right length for its country and with correct check digits',
  },
  bic: bicRule,
  routing_number: {
    parse: parseRoutingNumber,
    code: 'invalid_routing_number',
    message: 'must be an ABA routing number of nine digits with a correct check digit',
  },
  swift_code: bicRule,
}

/** An identifier in its stored form. */
function parsed(input: NewBeneficiary, field: Identifier): string | null {
  const text = input[field] ?? null
  if (text === null) return null
  const { parse, code, message } = rules[field]
  return parse(text) ?? refuse(code, { detail: `${field} ${message}.`, errors: [{ field, message }] })
}

export async function getBeneficiary(database: Database, key: BeneficiaryKey): Promise<Beneficiary> {
  return (await database.first(selectBeneficiary(key))) ?? refuse('beneficiary_not_found')
}

export function listBeneficiaries(database: Database, venture_id: string, query: BeneficiaryList): Promise<Beneficiary[]> {
  return selectBeneficiaries(database, venture_id, query)
}

/** An update that changes nothing writes nothing and emits no event. */
function changeBeneficiary(
  database: Database,
  { id: venture_id, control }: Owner,
  id: string,
  { display }: BeneficiaryUpdate,
  by: By,
): Promise<Beneficiary> {
  const change = async (tx: Tx): Promise<Beneficiary> => {
    const row = (await lockBeneficiary(tx, { venture_id, id })) ?? refuse('beneficiary_not_found')
    requireSequence(row, by.sequence)
    if (display === undefined || display === row.display) return shown(Beneficiary, row)
    if (control === 'MANAGED') requireUnreserved('updateBeneficiary', {}, by, row.sequence)
    const changed = { ...row, display, updated_at: now().toISOString(), sequence: row.sequence + 1 }
    by.witness?.(subjectFor(row, changed))
    const { sequence } = changed
    const object = shown(Beneficiary, changed)
    writeBeneficiary(tx, changed)
    emit(tx, { venture_id, type: 'beneficiary.updated', object, sequence })
    return object
  }
  return database.transaction((tx) => accompanied(tx, by.companions, () => change(tx)))
}
