// Carries out the plan of the demo bank, day by day. These rules give the same bank however fast the machine is:
// - Acts on one account happen in order: an act begins when the previous one has settled down.
// - Payments leave the bank together, once all orders are there, so the same ones share a message.
// - The clock moves only when no work is in progress: otherwise a running job, for example, would become due again.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { aheadBy_s, now } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { advanceClock } from '../../platform/test-clock.ts'
import type { TransferStatus } from '../../transfers/life/transfers.status.ts'
import { addDays, isTargetDay, nextTargetDay, todayUtc } from '../../values/calendar.ts'
import { makeIban } from '../../values/iban.ts'
import { type Caller, type DemoApi, DemoFailure, type Loose } from './sandbox.demo.api.ts'
import { type DemoAccount, type DemoClient, type VentureKey, ventureKeys, ventures } from './sandbox.demo.people.ts'
import { type Act, type DemoPlan, isInternal, type OrderAct } from './sandbox.demo.plan.ts'
import { countOpen, countUnderWay, findPurposes, findReturned, findStatuses } from './sandbox.demo.sql.ts'

export type RunOptions = {
  plan: DemoPlan
  api: DemoApi
  database: Database
  /** Processes everything as far as possible now. It would also happen by itself, but later. */
  processNow(): Promise<void>
  /** The worker that sends payments out of the bank. */
  sending: { start(): void; stop(): Promise<void> }
  admin: Caller
  /** The origin of the console, which people's requests have. */
  origin: string
  receiverUrl: string
  signal: AbortSignal
  onProgress(done: number, total: number, step: string): Promise<void>
}

/** A client, by index in the plan, or a venture. */
type Lane = number | VentureKey
type Acts<Kind extends Act['do']> = Extract<Act, { do: Kind }>

const day_s = 86_400
/** A busy machine takes longer. What has not happened by then will not happen. */
const patience_ms = 120_000
const pause_ms = 20
const cards = { plain: '5555555555554444', secure: '4111111111111111', declined: '4000000000009995' }
const onboarding = {
  account_purposes_input: ['SALARY', 'PAY_BILLS'],
  is_us_person: false,
  occupation: 'ENGINEER',
  occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
  source_of_funds: 'SAVINGS_FROM_SALARY',
  expected_monthly_incoming_volume: 'LESS_THAN1000',
  expected_monthly_outgoing_volume: 'LESS_THAN1000',
}
const decisions = { VALIDATED: 'APPROVED', DECLINED: 'DECLINED', PENDING_REVIEW: 'REVIEW', ABORTED: 'ABORTED' } as const

export class DemoRun {
  readonly #options: RunOptions
  readonly #keys = {} as Record<VentureKey, Caller>
  readonly #ventureIds = {} as Record<VentureKey, string>
  readonly #clients: string[] = []
  readonly #accounts: { id: string; account_number: string }[] = []
  readonly #payees: string[] = []
  readonly #mandates: string[] = []
  readonly #links: string[] = []
  /** The ids of orders, payments and arrivals, by key. */
  readonly #made = new Map<string, string>()
  readonly #bankPayments = new Map<string, string>()
  readonly #awaited = new Map<string, TransferStatus>()
  readonly #awaitedPurposes = new Map<string, TransferStatus>()
  readonly #returning = new Set<string>()
  /** The clients whose accounts an order may change, by key. */
  readonly #concerned = new Map<string, readonly number[]>()
  #left: string[] = []
  #leftBefore: string[] = []
  #operator: Caller = {}
  #start_s = 0
  #done = 0
  #total = 0

  constructor(options: RunOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { sending, signal } = this.#options
    await sending.stop()
    try {
      await this.#run()
    } finally {
      // If the service is stopping, sending stays stopped.
      if (!signal.aborted) sending.start()
    }
  }

  async #run(): Promise<void> {
    const { plan } = this.#options
    this.#total = plan.clients.length + plan.accounts.length + plan.payees.length + plan.days.flatMap(({ acts }) => acts.flat()).length
    await this.#progress('Registering ventures and people')
    await this.#toFirstDay()
    await this.#registerVentures()
    await this.#inviteTeams()
    await this.#progress('Verifying clients')
    await this.#registerClients()
    await this.#progress('Opening accounts')
    await this.#openAccounts()
    await this.#addPayees()
    await this.#agree()
    for (const [place, { day, hour, acts }] of plan.days.entries()) {
      await this.#progress(`Day ${day + 1} of ${(plan.days.at(-1)?.day ?? 0) + 1}`)
      if (place > 0) await this.#moveTo(this.#start_s + day * day_s + hour * 3_600)
      if (day >= plan.webhooks_from && (plan.days[place - 1]?.day ?? 0) < plan.webhooks_from) await this.#receiveWebhooks()
      await this.#quiet()
      for (const list of acts) await this.#carryOut(list)
      await this.#expired()
      await this.#endDay()
    }
  }

  async #progress(step: string): Promise<void> {
    this.#options.signal.throwIfAborted()
    await this.#options.onProgress(this.#done, this.#total, step)
  }

  /** Items that share a lane run one after the other, the rest concurrently. */
  async #inOrder<Item>(
    items: readonly Item[],
    lanesOf: (item: Item) => readonly Lane[],
    work: (item: Item, place: number) => Promise<unknown>,
  ): Promise<void> {
    const last = new Map<Lane, Promise<unknown>>()
    const all = items.map(async (item, place) => {
      const lanes = lanesOf(item)
      const before = lanes.map((lane) => last.get(lane))
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const lane of lanes) last.set(lane, promise)
      await Promise.all(before)
      await work(item, place)
      this.#done++
      resolve()
    })
    await Promise.all(all)
  }

  // The clock.

  /** Moves to the next Monday morning, so that everything that depends on the day of the week is the same each time. */
  async #toFirstDay(): Promise<void> {
    const today = new Date(`${todayUtc(now())}T00:00:00Z`)
    const days = (8 - today.getUTCDay()) % 7 || 7
    this.#start_s = today.getTime() / 1000 + days * day_s
    await this.#moveTo(this.#start_s + 6 * 3_600)
  }

  async #moveTo(time_s: number): Promise<void> {
    const ahead_s = time_s - Math.floor(Date.now() / 1000)
    await advanceClock(this.#options.database, Math.max(1, ahead_s - aheadBy_s()))
  }

  // Who is there.

  async #registerVentures(): Promise<void> {
    const { api, admin } = this.#options
    for (const key of ventureKeys) {
      const { id, api_key } = await api.post(admin, '/ventures', ventures[key])
      this.#ventureIds[key] = id
      this.#keys[key] = { 'x-api-key': api_key }
    }
    for (const [to_currency, rate] of Object.entries({ USD: '1.0825', GBP: '0.8450', CHF: '0.9410' }))
      await api.put(admin, '/operator/rates', { from_currency: 'EUR', to_currency, rate, margin: '0.005' })
  }

  /** Nobody knows their passwords: to sign in as one of them, create a link to reset it. */
  async #inviteTeams(): Promise<void> {
    const { api, admin } = this.#options
    const join = async (caller: Caller, path: string, role: string, name: string) => {
      const email = `${name.split(' ')[0]?.toLowerCase()}@demo.example`
      const password = randomBytes(24).toString('base64url')
      const { url } = await api.post(caller, path, { email, role })
      await api.post(this.#console, '/session/links', { secret: new URL(url).hash.slice(1), name, password })
      return { email, password }
    }
    const operator = await join(admin, '/operator/users', 'operator', 'Odile Operator')
    this.#operator = await this.#signIn(operator)
    await join(admin, '/operator/users', 'auditor', 'Arne Auditor')
    const teams: Record<VentureKey, readonly [string, string]> = {
      neobank: ['Nora Noon', 'Nico Nacht'],
      shop: ['Hattie Harbour', 'Henk Haven'],
      wallet: ['Livia Lumen', 'Leo Licht'],
    }
    for (const key of ventureKeys) {
      const caller = { ...admin, 'vostro-venture': this.#ventureIds[key] }
      const [first, second] = teams[key]
      await join(caller, '/venture/users', 'admin', first)
      await join(caller, '/venture/users', 'operator', second)
      await api.post(caller, '/venture/users', { email: `new.${key}@demo.example`, role: 'viewer' })
    }
  }

  /** The headers of a signed-in person. */
  async #signIn(person: { email: string; password: string }): Promise<Caller> {
    const { headers } = await this.#options.api.open(this.#console, '/session', person)
    return { ...this.#console, cookie: String([headers['set-cookie']].flat()[0]).split(';')[0] ?? '' }
  }

  get #console(): Caller {
    return { origin: this.#options.origin, 'x-vostro-console': '1' }
  }

  async #registerClients(): Promise<void> {
    const { plan, api } = this.#options
    await this.#inOrder(
      plan.clients,
      ({ venture }) => [venture],
      async (client, place) => {
        this.#clients[place] = await this.#register(client, place)
      },
    )
    // The verifier opens applications one after the other, so no request waits for one.
    await this.#untilKyc((status) => (status in decisions ? 'PROCESSING' : status))
    await Promise.all(
      plan.clients.map(async ({ venture, kyc_status }, place) => {
        const outcome = (decisions as Partial<Record<string, string>>)[kyc_status]
        if (outcome !== undefined) await api.post(this.#keys[venture], `/sandbox/clients/${this.#clients[place]}/verification`, { outcome })
      }),
    )
    await this.#untilKyc((status) => status)
  }

  async #untilKyc(expected: (kyc_status: DemoClient['kyc_status']) => string): Promise<void> {
    const { api, plan } = this.#options
    await this.#until('clients are verified', async () => {
      const found: Loose[] = (await Promise.all(ventureKeys.map((key) => api.get(this.#keys[key], '/clients?limit=100')))).flat()
      const statuses = new Map(found.map(({ id, kyc_status }) => [id, kyc_status]))
      return plan.clients.every(({ kyc_status }, place) => statuses.get(this.#clients[place]) === expected(kyc_status))
    })
  }

  async #register(client: DemoClient, place: number): Promise<string> {
    const { api } = this.#options
    const { first_name, last_name, email, date_of_birth, kyc_status, venture, house } = client
    const { country, city, street, postcode } = client.place
    const key = this.#keys[venture]
    const { id } = await api.post(key, '/clients/person', {
      first_name,
      last_name,
      email,
      date_of_birth,
      nationality: country,
      birth_country: country,
      country_of_tax_residence: country,
      country_code: country,
      address: `${street} ${house}`,
      city,
      postcode,
      organization_id: place + 1,
      ...(kyc_status === 'NOT_STARTED' && { kyc_level: 'NOT_REQUIRED' }),
    })
    if (kyc_status !== 'NOT_STARTED' && kyc_status !== 'CREATED') await api.post(key, `/clients/${id}/onboarding/details`, onboarding)
    return id
  }

  async #openAccounts(): Promise<void> {
    const { api, plan } = this.#options
    const open = async ({ venture, client, account_name, currency, status, opening }: DemoAccount, place: number) => {
      const key = this.#keys[venture]
      const body = { client_id: this.#clients[client], account_name, account_type: 'CURRENT', currency }
      const { id, account_number } = await api.post(key, '/accounts', body)
      this.#accounts[place] = { id, account_number }
      if (status !== 'PENDING') await api.post(key, `/accounts/${id}/activate`)
      if (status === 'SUSPENDED') await api.post(key, `/accounts/${id}/freeze`)
      if (status === 'CLOSED') await api.post(key, `/accounts/${id}/close`)
      if (opening !== undefined) await this.#deposit({ do: 'deposit', account: place, amount: opening })
    }
    await this.#inOrder(plan.accounts, ({ client }) => [client], open)
    await this.#settled()
  }

  async #addPayees(): Promise<void> {
    const { api, plan } = this.#options
    await this.#inOrder(
      plan.payees,
      ({ client }) => [client],
      async ({ venture, client, name, beneficiary_type, details, account }, place) => {
        const where = details ?? { iban: this.#accountOf(account ?? -1).account_number }
        const body = { client_id: this.#clients[client], name, beneficiary_type, ...where }
        this.#payees[place] = (await api.post(this.#keys[venture], '/beneficiaries', body)).id
      },
    )
    const terms = { creditor_id: 'DE98ZZZ09999999999', scheme: 'CORE', sequence_type: 'RCUR', signed_on: todayUtc(now()) }
    for (const { account, ...mandate } of plan.mandates)
      this.#mandates.push(
        (await api.post(this.#keys.neobank, '/mandates', { account_id: this.#accountOf(account).id, ...mandate, ...terms })).id,
      )
    for (const { active, ...link } of plan.links) {
      const { id, url } = await api.post(this.#keys.shop, '/payment-links', { ...link, ask_email: true })
      this.#links.push(url)
      if (!active) await api.put(this.#keys.shop, `/payment-links/${id}`, { active: false })
    }
    // Payees are compared with the watch list before the bank agrees on rules.
    await this.#quiet()
  }

  /** The bank's agreements with its ventures, after their initial deposits. */
  async #agree(): Promise<void> {
    const { api, admin } = this.#options
    const rules = [
      { kind: 'country', countries: ['CYP'] },
      { kind: 'new_payee', above: '5000' },
    ]
    const policy = { review_above: '10000', sign_above: '8000', signer: 'any', funds_wait_h: 24, rules }
    await api.put(admin, `/ventures/${this.#ventureIds.neobank}/policy`, policy)
    // Card money is paid out on Mondays, with a delay of eight days: the cutoff is on a Sunday, when nobody pays, so no second decides what
    // is paid out.
    await api.put(admin, `/ventures/${this.#ventureIds.shop}/policy`, { card_fee: '0.014', payout_delay_days: 8 })
  }

  async #receiveWebhooks(): Promise<void> {
    const { api, receiverUrl } = this.#options
    const types: Record<VentureKey, readonly string[]> = {
      neobank: ['transfer.completed', 'transfer.failed'],
      shop: ['payment.paid', 'payment.refunded', 'payout.created'],
      wallet: ['transfer.completed'],
    }
    for (const key of ventureKeys)
      await api.post(this.#keys[key], '/webhook-endpoints', {
        url: receiverUrl,
        description: `The systems of ${ventures[key].name}`,
        event_types: types[key],
      })
  }

  // What happens.

  async #carryOut(acts: readonly Act[]): Promise<void> {
    const managed = acts.filter((act) => this.#isManaged(act))
    const others = acts.filter((act) => !this.#isManaged(act))
    await Promise.all([
      this.#manage(managed),
      this.#inOrder(
        others,
        (act) => this.#lanesOf(act),
        (act) => this.#act(act),
      ),
    ])
  }

  /**
   * What the bank processes by itself settles down before the next act about the same people: of two payments of one person, the first one
   * leaves first.
   */
  async #manage(acts: readonly Act[]): Promise<void> {
    const together: Act[] = []
    const [moving, leaving] = [new Set<number>(), new Set<number>()]
    const carryOut = () =>
      this.#inOrder(
        together.splice(0),
        () => [],
        (act) => this.#act(act),
      )
    for (const act of acts) {
      const clients = this.#clientsOf(act)
      const leaves = act.do === 'order' ? !isInternal(act) : act.do === 'move' || act.do === 'decide'
      if (leaves && clients.some((client) => leaving.has(client))) {
        await carryOut()
        await this.#settled()
        moving.clear()
        leaving.clear()
      } else if (clients.some((client) => moving.has(client))) {
        await carryOut()
        await this.#quiet()
        moving.clear()
      }
      together.push(act)
      for (const client of clients) {
        moving.add(client)
        if (leaves) leaving.add(client)
      }
    }
    await carryOut()
    if (acts.length > 0) await this.#settled()
  }

  #isManaged(act: Act): boolean {
    if (act.do === 'order' || act.do === 'deposit') return this.#options.plan.accounts[act.account]?.venture === 'neobank'
    return act.do !== 'pay' && act.do !== 'refund' && act.do !== 'payout'
  }

  #lanesOf(act: Act): readonly Lane[] {
    return act.do === 'order' || act.do === 'deposit' ? this.#clientsOf(act) : ['shop']
  }

  /** The clients whose accounts an act may change. */
  #clientsOf(act: Act): readonly number[] {
    const { accounts, payees } = this.#options.plan
    if ('order' in act) return this.#concerned.get(act.order) ?? []
    // A collection is booked on a later day.
    if (!('account' in act) || ('mandate' in act && act.mandate !== undefined)) return []
    const receiver = act.do === 'order' ? payees[act.payee ?? -1]?.account : undefined
    const clients = [act.account, receiver].flatMap((place) => accounts[place ?? -1]?.client ?? [])
    if ('key' in act) this.#concerned.set(act.key, clients)
    return clients
  }

  #act(act: Act): Promise<unknown> {
    switch (act.do) {
      case 'order':
        return this.#order(act)
      case 'move':
        return this.#move(act)
      case 'expect':
        return this.#expect(act)
      case 'deposit':
        return this.#deposit(act)
      case 'arrive':
        return this.#arrive(act)
      case 'debit':
        return this.#debit(act)
      case 'recall':
        return this.#options.api.post(this.#options.admin, '/sandbox/bank/recalls', {
          bank_payment_id: this.#bankPayments.get(act.arrived),
        })
      case 'decide':
        return this.#decide(act)
      case 'pay':
        return this.#pay(act)
      case 'refund':
        return this.#options.api.post(this.#keys.shop, `/payments/${this.#idOf(act.payment)}/refund`, {
          amount: act.amount,
          external_refund_id: `R-${act.payment}`,
        })
      case 'payout':
        return this.#payOut()
    }
  }

  async #order({ key, account, payee, parent, mandate, in_days, fields, walk = [], becomes }: OrderAct): Promise<void> {
    const { api, plan } = this.#options
    const caller = this.#keys[(plan.accounts[account] as DemoAccount).venture]
    const { id } = await api.post(caller, '/transfers', {
      account_id: this.#accountOf(account).id,
      unique_reference: key,
      ...fields,
      ...(payee !== undefined && { beneficiary_id: this.#payees[payee] }),
      ...(parent !== undefined && { parent_transaction_id: this.#idOf(parent) }),
      ...(mandate !== undefined && { mandate_id: this.#mandates[mandate] }),
      ...(in_days !== undefined && { settlement_date: targetDayIn(in_days) }),
    })
    this.#made.set(key, id)
    if (becomes !== undefined) this.#awaited.set(id, becomes)
    if (becomes === 'COMPLETED' && String(fields['debit_amount']).endsWith('.05')) this.#returning.add(id)
    for (const status of walk) {
      const answer = status === 'TO_RESEND' ? { third_party_status: 'RJCT' } : {}
      await api.put(caller, `/transfers/${id}`, { status, ...answer })
    }
  }

  async #move({ order, status, becomes }: Acts<'move'>): Promise<void> {
    await this.#options.api.put(this.#keys.neobank, `/transfers/${this.#idOf(order)}`, { status })
    this.#awaited.set(this.#idOf(order), becomes)
  }

  async #expect({ order, becomes }: Acts<'expect'>): Promise<void> {
    const id = this.#made.get(order)
    if (id === undefined) this.#awaitedPurposes.set(order, becomes)
    else this.#awaited.set(id, becomes)
  }

  async #deposit({ account, amount }: Acts<'deposit'>): Promise<void> {
    const { venture } = this.#options.plan.accounts[account] as DemoAccount
    const { id } = await this.#options.api.post(this.#keys[venture], `/sandbox/accounts/${this.#accountOf(account).id}/deposits`, {
      amount,
    })
    if (venture === 'neobank') this.#awaited.set(id, 'COMPLETED')
  }

  async #arrive({ key, account, amount, name, purpose, becomes }: Acts<'arrive'>): Promise<void> {
    const { api, admin } = this.#options
    const iban = account === undefined ? makeIban('LT', '9999000000000000') : this.#accountOf(account).account_number
    const text = `${purpose} ${key}`
    const { id } = await api.post(admin, '/sandbox/bank/payments', { iban, amount, name, purpose: text })
    this.#bankPayments.set(key, id)
    if (becomes !== undefined) this.#awaitedPurposes.set(text, becomes)
  }

  async #debit({ key, account, amount, name }: Acts<'debit'>): Promise<void> {
    const { api, admin } = this.#options
    const { account_number: iban } = this.#accountOf(account)
    await api.post(admin, '/sandbox/bank/direct-debits', { iban, amount, name, purpose: key, mandate_reference: key })
  }

  async #decide({ order, decision, becomes }: Acts<'decide'>): Promise<void> {
    const { api } = this.#options
    const id = this.#idOf(order)
    const [open] = await api.get(this.#operator, `/operator/cases?resource_id=${id}&state=OPEN`)
    if (open === undefined) throw new DemoFailure(`The transfer ${order} has no case to decide.`)
    await api.post(this.#operator, `/operator/cases/${open.id}/decisions`, { decision, comment: 'Looked into it.' })
    this.#awaited.set(id, becomes)
  }

  async #pay({ key, amount, currency, description, link, card }: Acts<'pay'>): Promise<void> {
    const { api } = this.#options
    if (link !== undefined) {
      const form = await api.submit(this.#links[link] ?? '', { email: `${key}@demo.example`.toLowerCase() })
      return this.#payWith(form, card)
    }
    const urls = { success_url: 'https://shop.demo.example/thanks', fail_url: 'https://shop.demo.example/sorry' }
    const { id, form_url } = await api.post(this.#keys.shop, '/payments', { amount, currency, description, order_ref: key, ...urls })
    this.#made.set(key, id)
    if (card === 'leaves') this.#left.push(id)
    else if (card === 'is cancelled') await api.post(this.#keys.shop, `/payments/${id}/cancel`)
    else await this.#payWith(form_url, card, `/api/v1/payments/${id}/return`)
  }

  /** The payer fills in the card form and comes back. */
  async #payWith(form_url: string, card: Acts<'pay'>['card'], back?: string): Promise<void> {
    const { api } = this.#options
    const number = card === 'pays' ? cards.plain : card === 'pays securely' ? cards.secure : cards.declined
    let next = await api.submit(form_url, { number, cvv: '777', expiry: '12/99', action: 'pay' })
    if (/\/acs\//.test(next)) next = await api.submit(next, { action: 'confirm' })
    await api.visit(back ?? next)
  }

  async #payOut(): Promise<void> {
    const { api, plan } = this.#options
    const account = plan.holders.shop[0]?.euros ?? -1
    await api.put(this.#keys.shop, '/payout-settings', { payout_account_id: this.#accountOf(account).id })
    await api.post(this.#keys.shop, '/payouts')
    // A daily payout would run at a time of its own.
    await api.put(this.#keys.shop, '/payout-settings', { payout_account_id: null })
  }

  // What follows.

  /** Waits until no work is in progress, except payments that are to leave the bank. */
  #quiet(): Promise<void> {
    const { database, processNow } = this.#options
    return this.#until('no work is in progress', async () => {
      if ((await countUnderWay(database, this.#ventureIds.neobank)).moving === 0) return true
      await processNow()
      return false
    })
  }

  /** Lets payments leave, and waits until everything has its expected status. */
  async #settled(): Promise<void> {
    const { database, processNow, sending } = this.#options
    await this.#quiet()
    sending.start()
    try {
      // Sends inquiries about overdue answers now, even if nothing leaves today.
      await processNow()
      await this.#until('transfers are settled', async () => {
        const { moving, leaving } = await countUnderWay(database, this.#ventureIds.neobank)
        if (moving + leaving === 0 && (await this.#isAsPlanned())) return true
        await processNow()
        return false
      })
    } finally {
      await sending.stop()
    }
  }

  async #isAsPlanned(): Promise<boolean> {
    const { database } = this.#options
    const venture_id = this.#ventureIds.neobank
    if (this.#awaited.size > 0)
      for (const { id, status } of await findStatuses(database, venture_id, [...this.#awaited.keys()]))
        if (this.#awaited.get(id) === status) this.#awaited.delete(id)
    if (this.#awaitedPurposes.size > 0)
      for (const { purpose, status } of await findPurposes(database, venture_id, [...this.#awaitedPurposes.keys()]))
        if (this.#awaitedPurposes.get(purpose) === status) this.#awaitedPurposes.delete(purpose)
    if (this.#returning.size > 0)
      for (const id of await findReturned(database, venture_id, [...this.#returning])) this.#returning.delete(id)
    return this.#awaited.size + this.#awaitedPurposes.size + this.#returning.size === 0
  }

  /** Payments without payers expire once the clock has moved. */
  async #expired(): Promise<void> {
    const left = this.#left
    this.#left = []
    if (this.#leftBefore.length > 0)
      await this.#until(
        'payments expire',
        async () => (await countOpen(this.#options.database, this.#ventureIds.shop, this.#leftBefore)) === 0,
      )
    this.#leftBefore = left
  }

  /** The settlement bank sends its statement; a payment missing on it is a break. */
  async #endDay(): Promise<void> {
    const { api, admin } = this.#options
    await api.post(admin, '/sandbox/bank/day-end')
    await this.#quiet()
    await api.post(admin, '/operator/end-of-day', {})
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + patience_ms
    while (!(await isSo())) {
      this.#options.signal.throwIfAborted()
      if (performance.now() > end) throw new DemoFailure(`Timed out waiting until ${what}: ${this.#missing()}.`)
      await sleep(pause_ms, undefined, { signal: this.#options.signal })
    }
  }

  #missing(): string {
    const orders = new Map([...this.#made].map(([key, id]) => [id, key]))
    const all = [...[...this.#awaited].map(([id, status]) => [orders.get(id) ?? id, status]), ...this.#awaitedPurposes]
    return all.map(([key, status]) => `${key} is not ${status}`).join(', ')
  }

  #idOf(key: string): string {
    const id = this.#made.get(key)
    if (id === undefined) throw new Error(`the plan of the demo bank uses ${key} before it is made`)
    return id
  }

  #accountOf(place: number): { id: string; account_number: string } {
    const account = this.#accounts[place]
    if (account === undefined) throw new Error(`the plan of the demo bank uses the account ${place} before it is opened`)
    return account
  }
}

function targetDayIn(days: number): string {
  const day = addDays(todayUtc(now()), days)
  return isTargetDay(day) ? day : nextTargetDay(day)
}
