// Random choices that are the same for the same seed, and the invented names to choose from.
import { makeIban } from '../../values/iban.ts'
import { SeededRandom } from '../../values/seeded-random.ts'

export class Dice extends SeededRandom {
  shuffled<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items]
    for (let at = shuffled.length - 1; at > 0; at--) {
      const other = this.below(at + 1)
      ;[shuffled[at], shuffled[other]] = [shuffled[other] as Item, shuffled[at] as Item]
    }
    return shuffled
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.integer(0, 9)).join('')
  }

  /**
   * An amount whose cents have no meaning for the simulated bank.
   * @see sandbox.bank.behaviours.ts
   */
  amount(from: number, to: number): string {
    return `${this.integer(from, to)}.${this.pick(['00', '20', '25', '40', '50', '60', '75', '80', '90', '95', '99'])}`
  }

  /** In a country whose account numbers consist of digits only. */
  iban(country: keyof typeof bbanLengths): string {
    return makeIban(country, this.digits(bbanLengths[country]))
  }
}

export const bbanLengths = { DE: 18, AT: 16, BE: 12, EE: 16, LT: 16, PT: 21 } as const

export const firstNames = [
  'Alma',
  'Anton',
  'Beatriz',
  'Bruno',
  'Carla',
  'Casper',
  'Dalia',
  'Emil',
  'Elin',
  'Farid',
  'Freya',
  'Gustav',
  'Hanna',
  'Hugo',
  'Ines',
  'Ivo',
  'Jana',
  'Joris',
  'Katrin',
  'Lars',
  'Lucia',
  'Marek',
  'Mina',
  'Nadia',
  'Nils',
  'Olga',
  'Oskar',
  'Paula',
  'Pavel',
  'Rasa',
  'Rafael',
  'Sana',
  'Simon',
  'Tessa',
  'Tomas',
  'Ulla',
  'Viktor',
  'Wanda',
  'Yusuf',
  'Zora',
] as const

export const lastNames = [
  'Almqvist',
  'Barros',
  'Bergmann',
  'Carvalho',
  'Dekker',
  'Eklund',
  'Farkas',
  'Fontaine',
  'Gruber',
  'Hakala',
  'Holm',
  'Ilves',
  'Jansen',
  'Kask',
  'Kowalski',
  'Laurent',
  'Lindqvist',
  'Marchetti',
  'Mazur',
  'Nemeth',
  'Novak',
  'Oliveira',
  'Petrauskas',
  'Quint',
  'Rossi',
  'Saar',
  'Schreiber',
  'Silva',
  'Soto',
  'Svensson',
  'Tamm',
  'Toth',
  'Urban',
  'Vanderveen',
  'Vogel',
  'Weiss',
  'Winter',
  'Yilmaz',
  'Zeman',
  'Zimmer',
] as const

export const companies = [
  'Blue Anchor Foods',
  'Copper Kettle Cafe',
  'Dovetail Joinery',
  'Evergreen Garden Supply',
  'Fieldstone Insurance',
  'Glasshouse Studio',
  'Hilltop Energy',
  'Ironbridge Tools',
  'Juniper Pharmacy',
  'Kingfisher Rentals',
  'Lantern Telecom',
  'Millrace Fitness',
  'Oakleaf Schools',
  'Paper Crane Press',
  'Quayside Market',
  'Redwood Property',
  'Saltwater Ferries',
  'Thistle and Rye',
  'Umbra Optics',
  'Windmill Water',
] as const

/** With the country codes of persons (ISO 3166-1 alpha-3). */
export const places = [
  { country: 'DEU', city: 'Leipzig', street: 'Lindenweg', postcode: '04109' },
  { country: 'AUT', city: 'Graz', street: 'Rosengasse', postcode: '8010' },
  { country: 'FRA', city: 'Nantes', street: 'rue des Tanneurs', postcode: '44000' },
  { country: 'EST', city: 'Tartu', street: 'Pihlaka', postcode: '50410' },
  { country: 'LTU', city: 'Kaunas', street: 'Liepu gatve', postcode: '44280' },
  { country: 'PRT', city: 'Porto', street: 'Rua do Almada', postcode: '4050-038' },
  { country: 'SWE', city: 'Uppsala', street: 'Bangatan', postcode: '753 20' },
  { country: 'POL', city: 'Gdansk', street: 'Ogarna', postcode: '80-826' },
] as const

export const purposes = {
  out: [
    'Rent',
    'Electricity',
    'Groceries',
    'School fees',
    'Insurance premium',
    'Dentist',
    'Holiday flat',
    'Piano lessons',
    'Bicycle repair',
  ],
  in: ['Salary', 'Invoice', 'Tax refund', 'Travel expenses', 'Sale of a bicycle', 'Bonus', 'Shared dinner'],
} as const
