// Finds the resource that a pasted text names. Each folder searches its own tables; this file decides who may see what, and how much is shown.
import { findAccountsBy } from '../accounts/accounts.ts'
import { findBeneficiariesBy } from '../beneficiaries/beneficiaries.ts'
import { findClients } from '../clients/clients.ts'
import { findEventsBy } from '../events/events.ts'
import { findMandatesBy } from '../mandates/mandates.ts'
import { findLinksBy, findPaymentsBy } from '../payments/payments.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { type Found, type FoundKind, mostFound, type Sought } from '../platform/found.ts'
import { type Access, maySee, reads } from '../platform/http/access.ts'
import { isUuid } from '../platform/http/validation.ts'
import { findTransfersBy } from '../transfers/transfers.ts'
import { parseEmail } from '../values/email.ts'
import { parseIban } from '../values/iban.ts'
import { findVenture, findVenturesByName, listVentureIds, type Scope } from '../ventures/ventures.ts'
import { findEndpointsBy } from '../webhooks/webhooks.ts'
import type { FoundAnywhere, FoundResource } from './desk.find.schemas.ts'

type LookUp = { access: Access; find(reader: Reader, sought: Sought): Promise<Found[]> }

/** How each kind is found, and who may list it. */
export const lookUps: Readonly<Record<FoundKind, LookUp>> = {
  transfer: { access: reads('transfers'), find: findTransfersBy },
  client: { access: reads('clients'), find: findClients },
  account: { access: reads('accounts'), find: findAccountsBy },
  beneficiary: { access: reads('transfers'), find: findBeneficiariesBy },
  payment: { access: reads('payments'), find: findPaymentsBy },
  payment_link: { access: reads('payments'), find: findLinksBy },
  event: { access: reads('webhooks'), find: findEventsBy },
  mandate: { access: reads('transfers'), find: findMandatesBy },
  webhook_endpoint: { access: reads('webhooks'), find: findEndpointsBy },
}

/** The possible meanings of a text. IBANs are pasted with spaces, and ids in either case. */
function soughtIn(ventures: readonly string[], given: string): Sought {
  const text = given.trim()
  const id = isUuid(text) ? text.toLowerCase() : undefined
  const iban = parseIban(text.replaceAll(' ', ''))
  const email = parseEmail(text)
  const isName = /^\p{L}[^\d@]+$/u.test(text)
  return { ventures, text, id, iban, email, name: isName ? text : undefined }
}

/** `scopes`: those of the key. A key finds only what it may list. */
export async function find(
  database: Database,
  { venture_id, scopes, text }: { venture_id: string; scopes: readonly Scope[] | undefined; text: string },
): Promise<FoundResource[]> {
  const visible = Object.values(lookUps).filter(({ access }) => maySee(access, scopes))
  return lookUp(database, visible, soughtIn([venture_id], text))
}

/** Across all ventures: ids, references, emails and IBANs, and ventures by the beginning of their name. */
export async function findInAllVentures(database: Database, text: string): Promise<FoundAnywhere[]> {
  const ventures = await listVentureIds(database)
  const { name: _, ...sought } = soughtIn(ventures, text)
  const [named, found] = await Promise.all([
    findVenturesByName(database, sought.text, mostFound),
    lookUp(database, Object.values(lookUps), { ...sought, name: undefined }),
  ])
  const own = sought.id !== undefined && ventures.includes(sought.id) ? await venturesById(database, sought.id) : []
  return [
    ...own,
    ...named.map(({ id, name }) => ({ kind: 'venture' as const, id, venture_id: id, title: name })),
    ...found.map(({ kind, id, venture_id, title }) => ({ kind, id, venture_id, title: kind === 'client' ? id : title })),
  ].slice(0, mostFound)
}

async function venturesById(database: Database, id: string): Promise<FoundAnywhere[]> {
  const venture = await findVenture(database, id)
  return venture === undefined ? [] : [{ kind: 'venture', id, venture_id: id, title: venture.name }]
}

async function lookUp(database: Database, visible: readonly LookUp[], sought: Sought): Promise<Found[]> {
  return (await Promise.all(visible.map(({ find }) => find(database, sought)))).flat().slice(0, mostFound)
}
