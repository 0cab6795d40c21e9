// Who is in the demo bank: ventures, clients, accounts, and the clients' payees.
import type { KycStatus } from '../../clients/clients.ts'
import { makeIban } from '../../values/iban.ts'
import { companies, type Dice, firstNames, lastNames, places } from './sandbox.demo.dice.ts'

/** The bank processes the transfers of the first one; the others process their own. */
export const ventures = {
  neobank: { name: 'Aurora Neobank', control: 'MANAGED' },
  shop: { name: 'Harbour Books', control: 'OPEN' },
  wallet: { name: 'Lumen Wallet', control: 'OPEN' },
} as const
export type VentureKey = keyof typeof ventures
export const ventureKeys = Object.keys(ventures) as VentureKey[]

export const currencies = ['EUR', 'USD', 'GBP', 'CHF'] as const
export type Currency = (typeof currencies)[number]

export type DemoClient = {
  venture: VentureKey
  first_name: string
  last_name: string
  email: string
  date_of_birth: string
  place: (typeof places)[number]
  house: number
  kyc_status: KycStatus
}

export type AccountStatus = 'ACTIVE' | 'PENDING' | 'SUSPENDED' | 'CLOSED'
/** `opening`: the initial balance. */
export type DemoAccount = {
  venture: VentureKey
  client: number
  account_name: string
  currency: Currency
  status: AccountStatus
  opening: string | undefined
}

/** How a payee is reached: at another bank (`details`), or on another account of the venture. */
export type DemoPayee = {
  venture: VentureKey
  client: number
  name: string
  beneficiary_type: 'PERSON' | 'COMPANY'
  details?: Record<string, string>
  account?: number
}

export type DemoMandate = { account: number; reference: string; debtor_name: string; debtor_iban: string }

/** A client with two accounts, in euros and in another currency, and the client's payees. All numbers are indexes into the lists. */
export type Holder = {
  venture: VentureKey
  client: number
  euros: number
  other: number
  payees: { person: number; company: number; abroad: number; neighbour: number }
}

export type People = {
  clients: DemoClient[]
  accounts: DemoAccount[]
  payees: DemoPayee[]
  mandates: DemoMandate[]
  holders: Record<VentureKey, Holder[]>
  /** Holders with events that must not affect anyone else. */
  special: { kept: Holder; suspended: Holder }
  /** Payees that the bank checks: on the sandbox's watch list, in a country of a rule, or paid for the first time. */
  watched: { listed: number[]; country: number; fresh: number[] }
}

/** Every status of a verification. Those with accounts come first. */
const kyc: Record<VentureKey, { holders: readonly KycStatus[]; others: readonly KycStatus[] }> = {
  neobank: {
    holders: Array.from({ length: 15 }, () => 'VALIDATED'),
    others: ['CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'DECLINED'],
  },
  shop: { holders: Array.from({ length: 5 }, () => 'NOT_STARTED'), others: ['CREATED'] },
  wallet: {
    holders: [...Array.from({ length: 8 }, () => 'NOT_STARTED' as const), 'VALIDATED', 'VALIDATED'],
    others: ['CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW'],
  },
}

export function makePeople(dice: Dice): People {
  const people: Omit<People, 'special' | 'watched'> = {
    clients: [],
    accounts: [],
    payees: [],
    mandates: [],
    holders: { neobank: [], shop: [], wallet: [] },
  }
  const emails = new Set<string>()
  for (const venture of ventureKeys) {
    for (const kyc_status of kyc[venture].holders) addHolder(people, dice, newClient(dice, venture, kyc_status, emails))
    for (const kyc_status of kyc[venture].others) people.clients.push(newClient(dice, venture, kyc_status, emails))
  }
  for (const venture of ventureKeys) for (const holder of people.holders[venture]) addPayees(people, dice, holder)
  const { neobank, shop, wallet } = people.holders
  const [kept, suspended] = neobank.splice(13) as [Holder, Holder]
  // Enough for large amounts, and too little for the orders that wait for money.
  for (const { euros } of neobank.slice(3, 5)) setOpening(people, euros, dice.amount(44_000, 48_000))
  setOpening(people, (neobank.at(-1) as Holder).other, '1500.00')
  setStatus(people, suspended.euros, 'SUSPENDED')
  setStatus(people, suspended.other, 'PENDING')
  setStatus(people, (shop.at(-1) as Holder).other, 'PENDING')
  setStatus(people, (wallet.at(-1) as Holder).other, 'CLOSED')
  for (const holder of neobank.slice(0, 6)) addMandate(people, dice, holder)
  return { ...people, special: { kept, suspended }, watched: addWatched(people, dice, neobank, kept) }
}

function setOpening(people: Pick<People, 'accounts'>, account: number, opening: string): void {
  Object.assign(people.accounts[account] as DemoAccount, { opening })
}

function setStatus(people: Pick<People, 'accounts'>, account: number, status: AccountStatus): void {
  Object.assign(people.accounts[account] as DemoAccount, { status, opening: undefined })
}

function newClient(dice: Dice, venture: VentureKey, kyc_status: KycStatus, emails: Set<string>): DemoClient {
  for (;;) {
    const [first_name, last_name] = [dice.pick(firstNames), dice.pick(lastNames)]
    const email = `${first_name}.${last_name}@demo.example`.toLowerCase()
    if (emails.has(email)) continue
    emails.add(email)
    const born = `${dice.integer(1950, 2004)}-${twoDigits(dice.integer(1, 12))}-${twoDigits(dice.integer(1, 28))}`
    return { venture, first_name, last_name, email, date_of_birth: born, place: dice.pick(places), house: dice.integer(1, 180), kyc_status }
  }
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

type Growing = Pick<People, 'clients' | 'accounts' | 'payees' | 'mandates' | 'holders'>

function addHolder({ clients, accounts, holders }: Growing, dice: Dice, client: DemoClient): void {
  const { venture } = client
  const place = clients.push(client) - 1
  const currency = (['USD', 'GBP', 'CHF'] as const)[holders[venture].length % 3] as Currency
  const account = (account_name: string, currency: Currency) =>
    accounts.push({ venture, client: place, account_name, currency, status: 'ACTIVE', opening: dice.amount(18_000, 24_000) }) - 1
  const [euros, other] = [account('Everyday', 'EUR'), account('Travel', currency)]
  holders[venture].push({ venture, client: place, euros, other, payees: { person: -1, company: -1, abroad: -1, neighbour: -1 } })
}

function addPayees({ accounts, clients, payees, holders }: Growing, dice: Dice, holder: Holder): void {
  const { venture, client, other } = holder
  const add = (payee: Omit<DemoPayee, 'venture' | 'client'>) => payees.push({ venture, client, ...payee }) - 1
  const all = holders[venture]
  const neighbour = all[(all.indexOf(holder) + 1) % Math.min(all.length, 13)] as Holder
  const { first_name, last_name } = clients[neighbour.client] as DemoClient
  const person = { name: `${dice.pick(firstNames)} ${dice.pick(lastNames)}`, beneficiary_type: 'PERSON' } as const
  const company = { name: dice.pick(companies), beneficiary_type: 'COMPANY' } as const
  holder.payees = {
    person: add({ ...person, details: { iban: dice.iban(dice.pick(['DE', 'AT', 'BE'])) } }),
    company: add({ ...company, details: { iban: dice.iban(dice.pick(['DE', 'EE', 'PT'])) } }),
    abroad: add({
      name: `${dice.pick(companies)} International`,
      beneficiary_type: 'COMPANY',
      details: abroad(dice, (accounts[other] as DemoAccount).currency),
    }),
    neighbour: add({ name: `${first_name} ${last_name}`, beneficiary_type: 'PERSON', account: neighbour.euros }),
  }
}

function abroad(dice: Dice, currency: Currency): Record<string, string> {
  if (currency === 'GBP') return { iban: makeIban('GB', `DEMO${dice.digits(14)}`), bic: 'DEMOGB2LXXX' }
  if (currency === 'CHF') return { iban: makeIban('CH', dice.digits(17)), bic: 'DEMOCHZZXXX' }
  return { account_number: dice.digits(10), routing_number: routingNumber(dice) }
}

/** The last digit makes the weighted sum a multiple of ten. */
function routingNumber(dice: Dice): string {
  const digits = `12${dice.digits(6)}`
  const sum = [...digits].reduce((sum, digit, at) => sum + Number(digit) * ([3, 7, 1][at % 3] as number), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function addMandate({ mandates }: Growing, dice: Dice, { euros }: Holder): void {
  const debtor_name = `${dice.pick(firstNames)} ${dice.pick(lastNames)}`
  mandates.push({ account: euros, reference: `DEMO-${mandates.length + 1}`, debtor_name, debtor_iban: dice.iban('DE') })
}

function addWatched({ payees }: Growing, dice: Dice, neobank: readonly Holder[], kept: Holder): People['watched'] {
  const add = ({ client }: Holder, name: string, country: 'DE' | 'CY' = 'DE') => {
    const details = { iban: country === 'CY' ? makeIban('CY', dice.digits(24)) : dice.iban('DE') }
    return payees.push({ venture: 'neobank', client, name, beneficiary_type: 'PERSON', details }) - 1
  }
  const [first, second, third, fourth] = neobank as [Holder, Holder, Holder, Holder]
  return {
    listed: [add(first, 'Zelda Quilfeather'), add(second, 'Mortimer Grimshade'), add(kept, 'Zelda Quillfeather')],
    country: add(third, 'Eleni Markou', 'CY'),
    fresh: ['Agnes Thorn', 'Bertil Moss'].map((name) => add(fourth, name)),
  }
}
