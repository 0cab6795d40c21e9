// Beneficiaries: whom clients pay. Their account is fixed at creation; another account needs a new beneficiary.

import { getClient, toScreen } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { parseBic } from '../values/bic.ts'
import { parseIban } from '../values/iban.ts'
import { type RefusalCode, refuse } from '../values/refusals.ts'
import { parseRoutingNumber } from '../values/routing-number.ts'
import type { Venture } from '../ventures/ventures.ts'
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

/** Errors in the request are reported before a missing client. */
export async function createBeneficiary(
  database: Database,
  { id: venture_id, control }: Pick<Venture, 'id' | 'control'>,
  input: NewBeneficiary,
  companions?: Companions,
): Promise<Beneficiary> {
  const beneficiary = beneficiaryOf(input)
  // No lock is needed: clients are never deleted, and there is a foreign key.
  await getClient(database, venture_id, input.client_id)
  const { id } = beneficiary
  const all =
    control === 'MANAGED' ? [...(companions ?? []), toScreen({ venture_id, kind: 'beneficiary', id, cause: 'created' })] : companions
  return database.transaction((tx) =>
    accompanied(tx, all, async () => {
      insertBeneficiary(tx, { ...beneficiary, venture_id, sequence: 1 })
      emit(tx, { venture_id, type: 'beneficiary.created', object: shown(Beneficiary, beneficiary), sequence: 1 })
      return beneficiary
    }),
  )
}

function beneficiaryOf(input: NewBeneficiary): Beneficiary {
  const { account_number = null } = input
  const iban = parsed(input, 'iban')
  if (iban === null && account_number === null) refuse('beneficiary_needs_account')
  const at = now().toISOString()
  return {
    id: uuidv7(),
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
export function updateBeneficiary(
  database: Database,
  key: BeneficiaryKey,
  { display }: BeneficiaryUpdate,
  companions?: Companions,
): Promise<Beneficiary> {
  const change = async (tx: Tx): Promise<Beneficiary> => {
    const row = (await lockBeneficiary(tx, key)) ?? refuse('beneficiary_not_found')
    if (display === undefined || display === row.display) return shown(Beneficiary, row)
    const changed = { ...row, display, updated_at: now().toISOString(), sequence: row.sequence + 1 }
    const { venture_id, sequence } = changed
    const object = shown(Beneficiary, changed)
    writeBeneficiary(tx, changed)
    emit(tx, { venture_id, type: 'beneficiary.updated', object, sequence })
    return object
  }
  return database.transaction((tx) => accompanied(tx, companions, () => change(tx)))
}
