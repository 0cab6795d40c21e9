// Who is compared with the watch lists: the parties of a payment, a client, a beneficiary. The same person has the same details everywhere,
// so that a hit cleared for a client or a beneficiary is not raised again by each payment. Only details that the bank has verified can
// lower a match; those from ventures and other banks stay unverified.
import type { Beneficiary } from '../beneficiaries/beneficiaries.ts'
import type { Details, Location, Party, ScreenedText, ScreeningPolicy, Subject, UnverifiedSource } from '../screening/screening.ts'
import type { PaymentParty, TransferDetails } from '../transfers/life/transfers.details.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import type { StandingNow } from '../transfers/transfers.ts'
import { alpha3ToAlpha2 } from '../values/country.ts'
import { payerGaps } from './processing.payer.ts'
import type { ClientParty } from './processing.sql.ts'

export type TransferRow = StandingNow['transfer']

/** What is known about the parties besides the transfer. */
export type Known = { owner?: ClientParty | undefined; receiver?: ClientParty | undefined; beneficiary?: BeneficiaryParty | undefined }

export type BeneficiaryParty = Pick<
  Beneficiary,
  'name' | 'beneficiary_type' | 'iban' | 'account_number' | 'country_code' | 'bic' | 'swift_code'
>

export function partyOfClient(client: ClientParty, party = 'client'): Party {
  const { id, date_of_birth: birth_date, nationality, birth_country, country_code, kyc_status } = client
  const facts = { kind: 'person', birth_date, countries: countriesOf(nationality, birth_country, country_code) } as const
  const identity = countriesOf(nationality, birth_country)
  // The venture can change the country of the address at any time, even after verification.
  const address = facts.countries.filter((country) => !identity.includes(country))
  const unverified = address.length === 0 ? {} : { unverified: { by: 'venture' as const, countries: address } }
  const details: Details =
    kyc_status === 'VALIDATED' ? { ...facts, countries: identity, ...unverified } : { unverified: { by: 'venture', ...facts } }
  return { party, ref: id, name: nameOf(client), details }
}

const nameOf = ({ first_name, middle_name, last_name }: ClientParty) => [first_name, middle_name, last_name].filter(Boolean).join(' ')

export function partyOfBeneficiary(beneficiary: BeneficiaryParty, party = 'beneficiary'): Party {
  const { name, beneficiary_type, iban, account_number, country_code } = beneficiary
  const kind = beneficiary_type === 'COMPANY' ? 'organisation' : 'person'
  return {
    party,
    ref: iban ?? account_number,
    name,
    details: { unverified: { by: 'venture', kind, countries: countriesOf(country_code) } },
  }
}

function countriesOf(...codes: readonly (string | null)[]): string[] {
  return [...new Set(codes.flatMap((code) => (code === null ? [] : (alpha3ToAlpha2(code) ?? []))))]
}

export function subjectOfClient(venture_id: string, client: ClientParty, policy: ScreeningPolicy): Subject {
  return { venture_id, kind: 'client', id: client.id, policy, parties: [partyOfClient(client)] }
}

export function subjectOfBeneficiary(venture_id: string, beneficiary: BeneficiaryParty & { id: string }, policy: ScreeningPolicy): Subject {
  const { id, iban, account_number, bic, swift_code } = beneficiary
  const locations = locationsOf('beneficiary_bank', { ref: iban ?? account_number, iban, bics: [bic, swift_code] })
  return { venture_id, kind: 'beneficiary', id, policy, parties: [partyOfBeneficiary(beneficiary)], locations }
}

/** One side of a transfer, as ordered or reported. */
type Side = {
  party: 'debtor' | 'creditor'
  name: string | null
  iban: string | null
  account: string | null
  bic: string | null
  country: string | null
  /** The source of the details. */
  by: UnverifiedSource
}

/** Whether a hit is about our client, and not about the other party, its bank or a text. */
export function isOfClient({ direction }: Pick<TransferRow, 'direction'>, { party }: { party: string }): boolean {
  return party === (direction === 'OUTBOUND' ? 'debtor' : 'creditor')
}

export function subjectOfTransfer(transfer: TransferRow, policy: ScreeningPolicy, { owner, receiver, beneficiary }: Known): Subject {
  const { venture_id, id, direction, details = {} } = transfer
  const by = sourceOf(transfer)
  const debtor: Side = {
    by,
    party: 'debtor',
    name: transfer.dr_name,
    iban: transfer.dr_iban,
    account: transfer.dr_account_id,
    bic: transfer.dr_bank_bic,
    country: transfer.dr_country_code,
  }
  const creditor: Side = {
    by,
    party: 'creditor',
    name: transfer.cr_name,
    iban: transfer.cr_iban,
    account: transfer.cr_account_id,
    bic: transfer.cr_bank_bic,
    country: transfer.cr_country_code,
  }
  const [own, other] = direction === 'OUTBOUND' ? [debtor, creditor] : [creditor, debtor]
  // Money that no account can take has no party on our side, unless it is paid out.
  const isNobodys = transfer.account_id === null && own.name === null
  const ref = other.iban ?? other.account
  // A clearing applies between these two accounts only, not to everyone else who mentions the name.
  const between = `${transfer.account_id} ${ref}`
  const parties = [
    ...(isNobodys ? [] : ownParties(own, owner)),
    ...otherParties(other, { receiver, beneficiary }),
    ...partiesBesides(details, { by, ref: between, holder: own.name, owner }),
  ]
  const bics = [other.bic, beneficiary?.bic ?? null, beneficiary?.swift_code ?? null]
  const banks = receiver === undefined ? locationsOf(`${other.party}_bank`, { ref, iban: other.iban, bics }) : []
  const agents = (details.agents ?? []).flatMap(({ role, bic }) =>
    bic === undefined ? [] : locationsOf(role, { ref: bic, iban: null, bics: [bic] }),
  )
  const missing = isPaidFromOutside(transfer) ? payerGaps(transfer).map((reason) => ({ party: 'debtor', reason })) : []
  return { venture_id, kind: 'transfer', id, policy, parties, locations: [...banks, ...agents], texts: textsOf(transfer, between), missing }
}

/** Everything that can contain a name, besides names. */
function textsOf(transfer: TransferRow, ref: string): ScreenedText[] {
  const { purpose, structured_reference, structured_reference_issuer, details = {} } = transfer
  const texts: Record<string, readonly (string | null | undefined)[]> = {
    purpose: [purpose],
    structured_reference: [structured_reference],
    structured_reference_issuer: [structured_reference_issuer],
    end_to_end_id: [details.end_to_end_id],
    additional_remittance: details.additional_remittance ?? [],
    instructions: details.instructions ?? [],
  }
  return Object.entries(texts).flatMap(([party, lines]) => lines.flatMap((text) => (text == null ? [] : [{ party, ref, text }])))
}

type Besides = { by: UnverifiedSource; ref: string; holder: string | null; owner: ClientParty | undefined }

/** The parties that only the message names, each by its field. */
function partiesBesides(details: TransferDetails, { by, ref, holder, owner }: Besides): Party[] {
  const { holder_name, initiating_party, ultimate_debtor, ultimate_creditor, agents = [] } = details
  const named = (party: string, { name, country_code, bic, lei }: PaymentParty): Party[] => {
    const identifiers = [bic, lei].filter((id) => id !== undefined)
    // A bank or a company that only its BIC or LEI names has no name that could be missing.
    const called = name ?? identifiers[0]
    const known = { by, countries: countriesOf(country_code ?? null) }
    return called === undefined
      ? []
      : [{ party, ref, name: called, details: { ...(identifiers.length > 0 && { identifiers }), unverified: known } }]
  }
  const isHolder = holder_name === undefined || holder_name === holder || (owner !== undefined && isNameOf(owner, holder_name))
  return [
    ...(isHolder ? [] : named('holder_name', { name: holder_name })),
    ...named('initiating_party', initiating_party ?? {}),
    ...named('ultimate_debtor', ultimate_debtor ?? {}),
    ...named('ultimate_creditor', ultimate_creditor ?? {}),
    ...agents.flatMap(({ role, name, bic }) => named(role, { ...(name !== undefined && { name }), ...(bic !== undefined && { bic }) })),
  ]
}

/** A payment that another bank's client has ordered: its message has to say who pays. */
function isPaidFromOutside({ direction, transfer_type, ordered_by_bank, on_us, method }: TransferRow): boolean {
  return direction === 'INBOUND' && transfer_type === 'PAYMENT' && ordered_by_bank && !on_us && methods[method].flow.INBOUND === 'receiving'
}

/** Incoming payments carry another bank's details, and so do debits that another bank's client ordered. */
function sourceOf({ ordered_by_bank, on_us, direction, method }: TransferRow): UnverifiedSource {
  if (!ordered_by_bank || on_us) return 'venture'
  return direction === 'INBOUND' || !methods[method].ventureOrders ? 'other_bank' : 'bank'
}

/** The client, and anyone else whom the transfer names in the client's place. */
function ownParties(side: Side, client: ClientParty | undefined): Party[] {
  if (client === undefined) return [partyOfSide(side)]
  const isNamed = side.name === null || isNameOf(client, side.name)
  return [partyOfClient(client, side.party), ...(isNamed ? [] : [partyOfSide(side)])]
}

function isNameOf(client: ClientParty, name: string): boolean {
  return name === nameOf(client) || name === `${client.first_name} ${client.last_name}`
}

/** The beneficiary decides where the money goes, whatever name the order gives. */
function otherParties(side: Side, { receiver, beneficiary }: Known): Party[] {
  if (receiver !== undefined) return ownParties(side, receiver)
  if (beneficiary === undefined) return [partyOfSide(side)]
  const isNamed = side.name === null || side.name === beneficiary.name
  return [partyOfBeneficiary(beneficiary, side.party), ...(isNamed ? [] : [partyOfSide(side)])]
}

const partyOfSide = ({ party, name, iban, account, country, by }: Side): Party => ({
  party,
  ref: iban ?? account,
  name,
  details: { unverified: { by, countries: countriesOf(country) } },
})

/** The locations of a bank, by its account and its BIC. */
function locationsOf(
  party: string,
  { ref, iban, bics }: { ref: string | null; iban: string | null; bics: readonly (string | null)[] },
): Location[] {
  const countries = [iban?.slice(0, 2), ...bics.map((bic) => bic?.slice(4, 6))]
  return [...new Set(countries)].flatMap((country) => (country === undefined ? [] : [{ party, ref, country }]))
}
