// Beneficiaries: whom a client pays. Where the money goes is fixed at creation; a changed account is a new beneficiary.
import { uuidv7 } from 'uuidv7'
import { getClient } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import type { Database } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { parseBic } from '../values/bic.ts'
import { parseIban } from '../values/iban.ts'
import { type RefusalCode, refuse } from '../values/refusals.ts'
import { parseRoutingNumber } from '../values/routing-number.ts'
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

export type { Beneficiary, BeneficiaryKey, BeneficiaryRow }
export { findBeneficiaries }

/** What is wrong with the request is said first, then what is wrong with the client. */
export async function createBeneficiary(database: Database, venture_id: string, given: NewBeneficiary): Promise<Beneficiary> {
  const beneficiary = beneficiaryOf(given)
  // Clients are never deleted, and the foreign key would notice.
  await getClient(database, venture_id, given.client_id)
  return database.transaction(async (tx) => {
    insertBeneficiary(tx, { ...beneficiary, venture_id, sequence: 1 })
    emit(tx, { venture_id, type: 'beneficiary.created', object: shown(Beneficiary, beneficiary), sequence: 1 })
    return beneficiary
  })
}

function beneficiaryOf(given: NewBeneficiary): Beneficiary {
  const { account_number = null } = given
  const iban = parsed(given, 'iban')
  if (iban === null && account_number === null) refuse('beneficiary_needs_account')
  const now = new Date().toISOString()
  return {
    id: uuidv7(),
    client_id: given.client_id,
    name: given.name,
    beneficiary_type: given.beneficiary_type,
    display: given.display ?? true,
    iban,
    bic: parsed(given, 'bic'),
    account_number,
    routing_number: parsed(given, 'routing_number'),
    swift_code: parsed(given, 'swift_code'),
    bank_name: given.bank_name ?? null,
    bank_address: given.bank_address ?? null,
    address: given.address ?? null,
    city: given.city ?? null,
    postal_code: given.postal_code ?? null,
    country_code: given.country_code ?? null,
    created_at: now,
    updated_at: now,
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

/** An identifier in the form in which it is kept. */
function parsed(given: NewBeneficiary, field: Identifier): string | null {
  const text = given[field] ?? null
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

/** An update that changes nothing writes nothing and is no event. */
export function updateBeneficiary(database: Database, key: BeneficiaryKey, { display }: BeneficiaryUpdate): Promise<Beneficiary> {
  return database.transaction(async (tx) => {
    const row = (await lockBeneficiary(tx, key)) ?? refuse('beneficiary_not_found')
    if (display === undefined || display === row.display) return shown(Beneficiary, row)
    const changed = { ...row, display, updated_at: new Date().toISOString(), sequence: row.sequence + 1 }
    const { venture_id, sequence } = changed
    const object = shown(Beneficiary, changed)
    writeBeneficiary(tx, changed)
    emit(tx, { venture_id, type: 'beneficiary.updated', object, sequence })
    return object
  })
}
