// Payees who are not listed: invented people and companies, and everyone in the demo bank.
import { Dice } from '../../server/src/sandbox/demo/sandbox.demo.dice.ts'
import { makePeople } from '../../server/src/sandbox/demo/sandbox.demo.people.ts'
import type { Details, Party } from '../../server/src/screening/screening.ts'
import { inventCompany, inventPerson } from '../../server/src/testing/testing.names.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'

const payee = (name: string, kind: 'person' | 'organisation', countries: readonly string[] = []): Party => {
  const details: Details = { unverified: { by: 'venture', kind, countries } }
  return { party: 'creditor', ref: null, name, details }
}

/** Some of the countries in which listed people live. */
const countries = ['DE', 'FR', 'ES', 'PL', 'LV', 'CY', 'TR', 'BR', 'US', 'SG']

/** No two of the same name. A tenth are joint accounts, whose names are long. */
export function ordinaryPayees(count: number, seed = 41): Party[] {
  const random = new SeededRandom(seed)
  const payees = new Map<string, Party>()
  while (payees.size < count) {
    const kind = random.chance(0.65) ? 'person' : 'organisation'
    const isJoint = kind === 'person' && random.chance(0.15)
    const name = kind === 'person' ? inventPerson(random) : inventCompany(random)
    const whole = isJoint ? `${name} and ${inventPerson(random)}` : name
    payees.set(whole, payee(whole, kind, [random.pick(countries)]))
  }
  return [...payees.values()]
}

/** Clients, payees and debtors of the demo bank, in a hundred of its editions, without those who are meant to be hits. */
export function demoPayees(): Party[] {
  const names = new Map<string, Party>()
  for (let seed = 1; seed <= 100; seed++) {
    const { clients, payees, mandates, watched } = makePeople(new Dice(seed))
    for (const { first_name, last_name } of clients) names.set(`${first_name} ${last_name}`, payee(`${first_name} ${last_name}`, 'person'))
    for (const { debtor_name } of mandates) names.set(debtor_name, payee(debtor_name, 'person'))
    for (const [at, { name, beneficiary_type }] of payees.entries())
      if (!watched.listed.includes(at)) names.set(name, payee(name, beneficiary_type === 'COMPANY' ? 'organisation' : 'person'))
  }
  return [...names.values()]
}
