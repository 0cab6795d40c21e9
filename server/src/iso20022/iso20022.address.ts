// Postal addresses of scheme messages. Since 15 November 2026 the SEPA schemes accept structured and hybrid addresses only; we write hybrid
// ones: town and country in fields of their own, and the rest in at most two lines.
import { alpha3ToAlpha2 } from '../values/country.ts'
import { isEeaIban } from '../values/iban.ts'
import { sepaText } from './iso20022.text.ts'

/** In the form of clients, beneficiaries and transfers. `country`: alpha-3. */
export type GivenAddress = {
  address?: string | null | undefined
  city?: string | null | undefined
  postal_code?: string | null | undefined
  country?: string | null | undefined
}

/** In the form of messages. `country`: alpha-2. */
export type HybridAddress = { postal_code?: string; town: string; country: string; lines?: readonly string[] }

const lineLength = 70

/** Undefined without a town or a country; then no address is written. */
export function hybridAddress({ address, city, postal_code, country }: GivenAddress): HybridAddress | undefined {
  const town = sepaText(city ?? '', 35)?.sent
  const code = alpha3ToAlpha2(country ?? '')
  if (town === undefined || code === undefined) return undefined
  const postalCode = sepaText(postal_code ?? '', 16)?.sent
  const lines = twoLines(sepaText(address ?? '', 2 * lineLength + 1)?.sent ?? '')
  return { ...(postalCode !== undefined && { postal_code: postalCode }), town, country: code, ...(lines.length > 0 && { lines }) }
}

/** Breaks at the last space that fits, and drops what does not fit into two lines. */
function twoLines(text: string): readonly string[] {
  if (text.length <= lineLength) return text === '' ? [] : [text]
  const space = text.lastIndexOf(' ', lineLength)
  const end = space > 0 ? space : lineLength
  return [text.slice(0, end), text.slice(end).trim().slice(0, lineLength).trimEnd()]
}

/** The reason code of a transfer that cannot be sent because its address lacks a town or country, or is missing. */
export const addressIncomplete = 'address_incomplete'

/** Whether the schemes require the address of the debtor: one of the banks is outside the European Economic Area. */
export function needsAddress(debtorIban: string, creditorIban: string): boolean {
  return !isEeaIban(debtorIban) || !isEeaIban(creditorIban)
}
