// What happens in the demo bank on each day, generated from a seed. Plain data: ids and dates come with the run (sandbox.demo.run.ts).
import type { TransferStatus } from '../../transfers/life/transfers.status.ts'
import { companies, Dice, purposes } from './sandbox.demo.dice.ts'
import { type Currency, type Holder, makePeople, type People } from './sandbox.demo.people.ts'

/** Keys refer to earlier acts. */
export type Act =
  /** A venture orders a transfer. If the bank processes it, it `becomes` something by itself; otherwise its venture moves it along `walk`. */
  | OrderAct
  | { do: 'move'; order: string; status: TransferStatus; becomes: TransferStatus }
  /** A transfer left to itself on an earlier day must now have this status. */
  | { do: 'expect'; order: string; becomes: TransferStatus }
  | { do: 'deposit'; account: number; amount: string }
  /** Another bank pays. Without an account, the IBAN belongs to nobody. */
  | { do: 'arrive'; key: string; account: number | undefined; amount: string; name: string; purpose: string; becomes?: TransferStatus }
  | { do: 'debit'; key: string; account: number; amount: string; name: string }
  | { do: 'recall'; arrived: string }
  | { do: 'decide'; order: string; decision: string; becomes: TransferStatus }
  | { do: 'pay'; key: string; amount: string; currency: Currency; description: string; link?: number; card: CardOutcome }
  | { do: 'refund'; payment: string; amount: string }
  | { do: 'payout' }

export type OrderAct = {
  do: 'order'
  key: string
  account: number
  payee?: number
  parent?: string
  mandate?: number
  /** Its settlement date, in days from today. */
  in_days?: number
  fields: Record<string, string | boolean>
  walk?: readonly TransferStatus[]
  becomes?: TransferStatus
}

/** What a payer does, and the outcome. `leaves`: without paying. */
export type CardOutcome = 'pays' | 'pays securely' | 'is declined' | 'leaves' | 'is cancelled'

/** The lists run one after the other, and so do the acts of one venture within a list. */
export type DemoDay = { day: number; hour: number; acts: Act[][] }

export type DemoPlan = People & {
  links: { description: string; amount: string; currency: Currency; active: boolean }[]
  days: DemoDay[]
  /** The day on which ventures begin to receive webhooks. Deliveries are kept for 30 days, so earlier ones would be gone. */
  webhooks_from: number
}

/** The size of the demo bank. The small one is for tests. */
export type DemoSize = { days: number; transfers: number; payments: number }
export const demoSizes = {
  full: { days: 90, transfers: 2_000, payments: 300 },
  small: { days: 8, transfers: 330, payments: 12 },
} as const satisfies Record<string, DemoSize>

const screened = ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED'] as const
const cleared = ['RESERVED', ...screened, 'READY_TO_CLEAR'] as const
const sent = [...cleared, 'SENT_TO_CLEAR'] as const

/** How a venture that moves its own transfers takes one to each status. First outgoing payments, then incoming money. */
export const walks: {
  out: Partial<Record<TransferStatus, readonly TransferStatus[]>>
  in: Partial<Record<TransferStatus, readonly TransferStatus[]>>
} = {
  out: {
    CREATED: [],
    TO_SIGN: ['TO_SIGN'],
    SIGNED: ['TO_SIGN', 'SIGNED'],
    TO_RESERVE: ['TO_RESERVE'],
    RESERVED: ['RESERVED'],
    READY_FOR_SCREENING: ['RESERVED', 'READY_FOR_SCREENING'],
    BLACKLIST_SCANNING: ['RESERVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING'],
    AML_SCANNING: ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING'],
    AML_APPROVED: ['RESERVED', ...screened],
    READY_TO_CLEAR: cleared,
    SENT_TO_PACK: [...cleared, 'SENT_TO_PACK'],
    PACKED: [...cleared, 'SENT_TO_PACK', 'PACKED'],
    SENT_TO_CLEAR: sent,
    ACCEPTED: [...sent, 'ACCEPTED'],
    COMPLETED: [...sent, 'COMPLETED'],
    TO_RESEND: [...sent, 'TO_RESEND'],
    REVIEW: ['RESERVED', 'READY_FOR_SCREENING', 'REVIEW'],
    ON_HOLD: ['RESERVED', 'ON_HOLD'],
    SOME_PROBLEMS: [...cleared, 'SENT_TO_PACK', 'SOME_PROBLEMS'],
    MANUAL_ACTION: [...cleared, 'MANUAL_ACTION'],
    TO_CANCEL: ['RESERVED', 'TO_CANCEL'],
    CANCELLED: ['RESERVED', 'CANCELLED'],
    REJECTED: ['RESERVED', 'REJECTED'],
    INVALID: ['INVALID'],
    AML_REJECTED: ['RESERVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_REJECTED'],
    MANUAL_REJECTED: ['RESERVED', 'ON_HOLD', 'MANUAL_REJECTED'],
  },
  in: {
    RECEIVED: ['RECEIVED'],
    CREDIT_TECH_BALANCE: ['RECEIVED', 'CREDIT_TECH_BALANCE'],
    TO_RETURN: ['RECEIVED', 'TO_RETURN'],
    DROPPED: ['DROPPED'],
  },
}
const walkIn: readonly TransferStatus[] = ['RECEIVED', ...screened, 'COMPLETED']
const walkInternal: readonly TransferStatus[] = ['RESERVED', ...screened, 'COMPLETED']
const walkFee: readonly TransferStatus[] = ['RESERVED', 'COMPLETED']

export function planDemo(seed: number, size: DemoSize): DemoPlan {
  return new Planner(seed, size).plan()
}

/** No work on Sundays. The first day is a Monday. */
const isQuiet = (day: number): boolean => day % 7 === 6
/** How many transfers an act creates, besides those that only people of the bank create. */
function rowsOf(act: Act): number {
  switch (act.do) {
    case 'order':
      // The receiver of an internal transfer has a record of its own, and so does a return.
      return (isInternal(act) && lastOf(act) === 'COMPLETED' ? 2 : 1) + (cameBack(act) ? 1 : 0)
    case 'deposit':
    case 'debit':
    case 'payout':
      return 1
    case 'arrive':
      return act.account === undefined ? 0 : 1
    default:
      return 0
  }
}

const lastOf = ({ walk, becomes }: OrderAct): TransferStatus | undefined => becomes ?? walk?.at(-1)
export const isInternal = ({ fields }: OrderAct): boolean => fields['method'] === 'INTERNAL'
/** The cents with which the simulated bank returns a payment. */
const cameBack = ({ fields, becomes }: OrderAct): boolean => becomes !== undefined && String(fields['debit_amount']).endsWith('.05')

class Planner {
  readonly #dice: Dice
  readonly #size: DemoSize
  readonly #people: People
  readonly #days: DemoDay[]
  #orders = 0

  constructor(seed: number, size: DemoSize) {
    this.#dice = new Dice(seed)
    this.#size = size
    this.#people = makePeople(this.#dice)
    const days = Array.from({ length: size.days }, (_, day) => day).filter((day) => !isQuiet(day))
    // Never the same hour as on the previous day, so that nothing that ends after 24 hours depends on a second.
    let hour = 16
    this.#days = days.map((day) => {
      const other = this.#dice.integer(7, 15)
      hour = other < hour ? other : other + 1
      return { day, hour, acts: [[], [], []] }
    })
  }

  plan(): DemoPlan {
    const { days } = this.#size
    for (const [place, day] of this.#days.entries()) {
      if (place === 0) continue
      this.#neobankDay(day, place)
      this.#walletDay(day)
    }
    this.#neobankSpecials()
    this.#walletStatuses()
    const links = this.#shop()
    this.#fees()
    return { ...this.#people, links, days: this.#days, webhooks_from: Math.max(1, days - 25) }
  }

  /** The day at a share of the time. */
  #at(share: number): DemoDay {
    return this.#days[1 + Math.round(share * (this.#days.length - 2))] as DemoDay
  }

  /** The first working day at least this many days later. */
  #after({ day }: DemoDay, days: number): DemoDay | undefined {
    return this.#days.find((other) => other.day >= day + days)
  }

  #order(day: DemoDay | undefined, act: Omit<OrderAct, 'do' | 'key'>, phase = 0): string {
    const key = `DEMO-${String(++this.#orders).padStart(5, '0')}`
    day?.acts[phase]?.push({ do: 'order', key, ...act })
    return key
  }

  #holder(venture: 'neobank' | 'shop' | 'wallet'): Holder {
    return this.#dice.pick(this.#people.holders[venture])
  }

  #purpose(direction: 'in' | 'out'): string {
    return this.#dice.pick(purposes[direction])
  }

  #isOpen(account: number): boolean {
    return this.#people.accounts[account]?.status === 'ACTIVE'
  }

  /** SEPA payments leave in packs, so different people order them together every third day, and nobody waits for an earlier one. */
  #neobankDay(day: DemoDay, place: number): void {
    const dice = this.#dice
    const pay = (amount: string, holder: Holder, payee: number, fields: Record<string, string | boolean> = {}) =>
      this.#order(day, {
        account: holder.euros,
        payee,
        becomes: 'COMPLETED',
        fields: { debit_amount: amount, purpose: this.#purpose('out'), ...fields },
      })
    for (let count = dice.integer(1, 3); count > 0; count--) {
      const holder = this.#holder('neobank')
      pay(dice.amount(5, 250), holder, holder.payees.neighbour, { method: 'INTERNAL' })
    }
    // Not the last one, whose balance is too low.
    const traveller = dice.pick(this.#people.holders.neobank.slice(0, -1))
    const { currency = 'USD' } = this.#people.accounts[traveller.other] ?? {}
    if (place % 6 === 0) {
      pay(dice.amount(40, 300), traveller, traveller.payees.abroad, { credit_currency: currency })
    } else {
      this.#order(day, {
        account: traveller.other,
        payee: traveller.payees.abroad,
        becomes: 'COMPLETED',
        fields: { debit_amount: dice.amount(10, 180), purpose: this.#purpose('out') },
      })
    }
    if (place % 3 !== 1) return
    const [holder, ...others] = dice.shuffled(this.#people.holders.neobank) as [Holder, ...Holder[]]
    for (const other of others.slice(0, dice.integer(8, 10)))
      pay(dice.amount(5, 400), other, dice.pick([other.payees.person, other.payees.company]))
    pay(dice.amount(5, 90), holder, holder.payees.person, { is_instant: true })
    for (let count = 2; count > 0; count--) {
      const [key, purpose] = [`IN-${++this.#orders}`, this.#purpose('in')]
      const account = this.#holder('neobank').euros
      day.acts[0]?.push({
        do: 'arrive',
        key,
        account,
        amount: dice.amount(200, 3_000),
        name: dice.pick(companies),
        purpose,
        becomes: 'COMPLETED',
      })
    }
    day.acts[0]?.push({ do: 'deposit', account: this.#holder('neobank').other, amount: dice.amount(50, 900) })
  }

  #neobankSpecials(): void {
    const { special, watched, holders, mandates } = this.#people
    const [first, second, third, fourth, fifth, sixth] = holders.neobank as [Holder, Holder, Holder, Holder, Holder, Holder]
    const last = holders.neobank.at(-1) as Holder
    const pay = (day: DemoDay | undefined, holder: Holder, payee: number, amount: string, more: Partial<OrderAct> = {}) =>
      this.#order(day, {
        account: holder.euros,
        payee,
        becomes: 'COMPLETED',
        ...more,
        fields: { debit_amount: amount, purpose: this.#purpose('out') },
      })
    const review = (share: number, holder: Holder, payee: number, amount: string, decision?: readonly [string, TransferStatus]) => {
      const day = this.#at(share)
      const order = pay(day, holder, payee, amount, { becomes: 'REVIEW' })
      if (decision !== undefined) this.#after(day, 1)?.acts[1]?.push({ do: 'decide', order, decision: decision[0], becomes: decision[1] })
      return order
    }
    const amount = (from: number, to: number) => this.#dice.amount(from, to)
    const [zelda, mortimer, ofKept] = watched.listed as [number, number, number]
    const [agnes, bertil] = watched.fresh as [number, number]

    // Hits of the watch list.
    review(0.15, first, zelda, amount(10, 90), ['decline', 'AML_REJECTED'])
    review(0.45, second, mortimer, amount(10, 90), ['decline', 'AML_REJECTED'])
    review(0.6, special.kept, ofKept, amount(100, 900), ['keep', 'ON_HOLD'])
    for (const share of [0.8, 0.95]) review(share, first, zelda, amount(10, 90))
    for (const share of [0.9, 1]) review(share, second, mortimer, amount(10, 90))
    // Rules.
    review(0.2, third, watched.country, amount(10, 90), ['approve', 'COMPLETED'])
    review(0.5, third, watched.country, amount(10, 90), ['decline', 'AML_REJECTED'])
    for (const share of [0.85, 0.97]) review(share, third, watched.country, amount(10, 90))
    review(0.35, fourth, agnes, amount(5_100, 6_000), ['approve', 'COMPLETED'])
    review(0.92, fourth, bertil, amount(5_100, 6_000))
    // Large amounts: they are signed first, and go to known payees, so that no rule fires.
    pay(this.#at(0), fifth, fifth.payees.company, '20.00')
    for (const [share, decision] of [
      [0.7, 'approve'],
      [0.98, undefined],
    ] as const) {
      const day = this.#at(share)
      const order = pay(day, fifth, fifth.payees.company, amount(10_100, 10_900), { becomes: 'TO_SIGN' })
      day.acts[1]?.push({ do: 'move', order, status: 'SIGNED', becomes: 'REVIEW' })
      if (decision) this.#after(day, 1)?.acts[1]?.push({ do: 'decide', order, decision, becomes: 'COMPLETED' })
    }
    for (let count = 3; count > 0; count--) pay(this.#at(1), sixth, sixth.payees.person, amount(8_100, 8_900), { becomes: 'TO_SIGN' })

    // Orders without money wait for a day, and future-dated orders until their day.
    const poor = (day: DemoDay) => pay(day, last, last.payees.abroad, '7900.00', { account: last.other, becomes: 'TO_RESERVE' })
    const tooPoor = this.#at(0.25)
    const rejected = poor(tooPoor)
    this.#after(tooPoor, 3)?.acts[2]?.push({ do: 'expect', order: rejected, becomes: 'REJECTED' })
    poor(this.#at(1))
    const later = (day: DemoDay) => pay(day, sixth, sixth.payees.company, amount(20, 400), { in_days: 21, becomes: 'CREATED' })
    for (let count = 3; count > 0; count--) later(this.#at(1))
    for (const share of [0.4, 0.75]) {
      const day = this.#at(share)
      day.acts[1]?.push({ do: 'move', order: later(day), status: 'CANCELLED', becomes: 'CANCELLED' })
    }
    const held = this.#at(1)
    held.acts[1]?.push({ do: 'move', order: later(held), status: 'ON_HOLD', becomes: 'ON_HOLD' })

    // What the simulated bank does because of the cents: docs/simulated-bank.md.
    for (const [share, cents, becomes] of [
      [0.1, '01', 'REJECTED'],
      [0.4, '02', 'REJECTED'],
      [0.7, '03', 'REJECTED'],
      [0.33, '05', 'COMPLETED'],
      [0.66, '05', 'COMPLETED'],
      [0.55, '16', 'COMPLETED'],
      [0.88, '17', 'COMPLETED'],
      [0.96, '09', 'SENT_TO_CLEAR'],
    ] as const) {
      const holder = this.#holder('neobank')
      pay(this.#at(share), holder, holder.payees.person, `${this.#dice.integer(10, 300)}.${cents}`, { becomes })
    }

    // Messages from other banks: for a suspended account, for one that does not exist, and recalls.
    const arrive = (share: number, account: number | undefined, becomes?: TransferStatus) => {
      const key = `IN-${++this.#orders}`
      const act = {
        do: 'arrive',
        key,
        account,
        amount: amount(50, 900),
        name: this.#dice.pick(companies),
        purpose: this.#purpose('in'),
      } as const
      this.#at(share).acts[0]?.push({ ...act, ...(becomes && { becomes }) })
      return key
    }
    for (const share of [0.5, 0.94]) arrive(share, special.suspended.euros, 'CREDIT_TECH_BALANCE')
    for (const share of [0.52, 0.91]) arrive(share, undefined)
    const wanted = arrive(0.86, first.euros, 'COMPLETED')
    this.#after(this.#at(0.86), 1)?.acts[1]?.push({ do: 'recall', arrived: wanted })

    // Direct debits in both directions. They take some days.
    for (const share of [0, 0.2, 0.4, 0.6]) {
      const day = this.#at(share)
      const settled = this.#after(day, 10)
      if (settled === undefined) continue
      for (const [mandate, { account }] of mandates.entries()) {
        const order = this.#order(day, { account, mandate, fields: { credit_amount: amount(5, 60), purpose: 'Membership' } })
        settled.acts[2]?.push({ do: 'expect', order, becomes: 'COMPLETED' })
      }
      const key = `DD-${++this.#orders}`
      day.acts[0]?.push({
        do: 'debit',
        key,
        account: this.#holder('neobank').euros,
        amount: amount(5, 80),
        name: this.#dice.pick(companies),
      })
      settled.acts[2]?.push({ do: 'expect', order: key, becomes: 'COMPLETED' })
    }
  }

  #walletDay(day: DemoDay): void {
    const dice = this.#dice
    for (let count = dice.integer(1, 3); count > 0; count--) {
      const { euros: account, payees } = this.#holder('wallet')
      const fields = { debit_amount: dice.amount(2, 120), method: 'INTERNAL', purpose: this.#purpose('out') }
      this.#order(day, { account, payee: payees.neighbour, fields, walk: walkInternal })
    }
    for (let count = dice.integer(1, 2); count > 0; count--) {
      const fields = {
        direction: 'INBOUND',
        credit_amount: dice.amount(20, 900),
        dr_name: dice.pick(companies),
        purpose: this.#purpose('in'),
      }
      const holder = this.#holder('wallet')
      this.#order(day, {
        account: this.#isOpen(holder.other) ? dice.pick([holder.euros, holder.other]) : holder.euros,
        fields,
        walk: walkIn,
      })
    }
    const { euros: account, payees } = this.#holder('wallet')
    this.#order(day, {
      account,
      payee: payees.person,
      fields: { debit_amount: dice.amount(5, 150), purpose: this.#purpose('out') },
      walk: walks.out.COMPLETED ?? [],
    })
    // A card is used, and the clearing takes the money held for it.
    const { euros: buyer, payees: shops } = this.#holder('wallet')
    const bought = { account: buyer, payee: shops.company }
    const [debit_amount, purpose] = [dice.amount(2, 80), dice.pick(companies)]
    const parent = this.#order(day, { ...bought, fields: { transfer_type: 'CARD_AUTH', debit_amount, purpose }, walk: ['RESERVED'] })
    if (dice.next() < 0.85)
      this.#order(day, { ...bought, parent, fields: { transfer_type: 'CARD_CLEARING', debit_amount, purpose }, walk: walkFee }, 1)
  }

  /** A transfer in every status, more of them towards the end, so that people have something to do. */
  #walletStatuses(): void {
    const dice = this.#dice
    for (const share of [0.3, 0.9]) {
      for (const [direction, table] of Object.entries(walks)) {
        for (const walk of Object.values(table)) {
          const day = this.#at(Math.min(1, share + dice.integer(0, 10) / 100))
          const { euros: account, payees } = this.#holder('wallet')
          const fields =
            direction === 'in'
              ? { direction: 'INBOUND', credit_amount: dice.amount(20, 600), dr_name: dice.pick(companies), purpose: this.#purpose('in') }
              : { debit_amount: dice.amount(5, 120), purpose: this.#purpose('out') }
          this.#order(day, { account, ...(direction === 'out' && { payee: payees.company }), fields, walk })
        }
      }
    }
  }

  #shop(): DemoPlan['links'] {
    const dice = this.#dice
    const books = [
      'The Tin Lighthouse',
      'A Field Guide to Fog',
      'Nine Quiet Rooms',
      'Maps of Nowhere',
      'The Salt Calendar',
      'Small Engines',
    ]
    const links = books.map((book, at) => ({ description: book, amount: dice.amount(9, 60), currency: 'EUR' as const, active: at < 4 }))
    const days = this.#days.slice(1)
    const paid: { key: string; amount: string; day: DemoDay }[] = []
    for (let count = 0; count < this.#size.payments; count++) {
      const day = days[Math.floor((count * days.length) / this.#size.payments)] as DemoDay
      const isLast = day === days.at(-1)
      // The last payments are still open when the bank is full.
      const card = count >= this.#size.payments - 3 ? 'leaves' : dice.pick(cardOutcomes)
      const link = count % 12 === 5 && (card === 'pays' || card === 'pays securely') ? dice.integer(0, 3) : undefined
      const { amount, description, currency } = (link === undefined ? undefined : links[link]) ?? {
        amount: dice.amount(8, 140),
        description: dice.pick(books),
        currency: dice.pick<Currency>([...many<Currency>('EUR', 7), 'USD', 'GBP', 'CHF']),
      }
      const key = `PAY-${String(count + 1).padStart(4, '0')}`
      day.acts[0]?.push({ do: 'pay', key, amount, currency, description, card, ...(link !== undefined && { link }) })
      if (card.startsWith('pays') && currency === 'EUR' && link === undefined && !isLast) paid.push({ key, amount, day })
    }
    for (const [at, { key, amount, day }] of paid.entries()) {
      if (at % 7 !== 3) continue
      const later = this.#after(day, dice.integer(1, 5))
      // All or part of it.
      later?.acts[2]?.push({ do: 'refund', payment: key, amount: at % 2 === 0 ? amount : '5.00' })
    }
    // Card money is paid out on Mondays, before anything else on that day.
    for (const [at, { acts }] of this.#days.entries()) if (at > 8 && at % 6 === 0) acts.unshift([{ do: 'payout' }])
    return links
  }

  /** Fees fill up the number of transfers. */
  #fees(): void {
    const { accounts } = this.#people
    const opened = accounts.filter(({ opening }) => opening !== undefined).length
    const planned = opened + this.#days.flatMap(({ acts }) => acts.flat()).reduce((sum, act) => sum + rowsOf(act), 0)
    const missing = this.#size.transfers - planned
    if (missing < 0) throw new Error(`the demo bank is planned with ${planned} transfers`)
    const days = this.#days.slice(1)
    for (let count = 0; count < missing; count++) {
      const { euros: account, payees } = this.#holder(this.#dice.pick(['wallet', 'wallet', 'shop']))
      const fields = { transfer_type: 'FEE', debit_amount: this.#dice.amount(1, 9), purpose: 'Monthly fee' }
      const day = days[Math.floor((count * days.length) / missing)]
      const phase = (day?.acts.length ?? 3) - 3
      this.#order(day, { account, payee: payees.company, fields, walk: walkFee }, phase)
    }
  }
}

/** Weighted by how often each occurs. */
const cardOutcomes: readonly CardOutcome[] = [
  ...many<CardOutcome>('pays', 11),
  ...many<CardOutcome>('pays securely', 4),
  ...many<CardOutcome>('is declined', 2),
  'leaves',
  'is cancelled',
]

function many<Item>(item: Item, times: number): Item[] {
  return Array.from({ length: times }, () => item)
}
