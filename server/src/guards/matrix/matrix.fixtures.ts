// Fixtures: a venture with one resource of every kind, and functions that create another if a request uses it up.

import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { requestApproval } from '../../audit/audit.ts'
import { openCase } from '../../cases/cases.ts'
import { txIdOf } from '../../iso20022/iso20022.ts'
import { payWith } from '../../payments/payments.testing.ts'
import { bankId } from '../../platform/idempotency/idempotency.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { sendFileTo, someNote } from '../../testing/testing.files.ts'
import { formOf, someList } from '../../testing/testing.lists.ts'
import { ManagedVenture, toSent } from '../../testing/testing.managed.ts'
import { Authenticator } from '../../testing/testing.passkeys.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import { openReceiver } from '../../testing/testing.receiver.ts'
import {
  consoleOf,
  consoleOrigin,
  openBanker,
  openMember,
  type PersonCaller,
  secretIn,
  signIn,
  someEmail,
} from '../../testing/testing.sessions.ts'
import { type Answer, type Bank, Caller, VentureCaller } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { currencyCodes } from '../../values/currency.ts'
import { houseId } from '../../ventures/ventures.ts'

/** By name in paths, queries and bodies. */
export type Ids = Record<
  | ('venture_id' | 'client_id' | 'account_id' | 'beneficiary_id' | 'transfer_id' | 'parent_transaction_id' | 'unique_reference')
  | ('payee_verification_id' | 'mandate_id')
  | ('payment_id' | 'link_id' | 'payment_link_id' | 'token' | 'orderNumber' | 'application_id' | 'verifier_token')
  | ('key_id' | 'bank_key_id' | 'user_id' | 'session_id' | 'passkey_id' | 'invitation_id' | 'job_id')
  | ('payout_id' | 'payout_account_id')
  | ('endpoint_id' | 'delivery_id' | 'event_id' | 'resource_id' | 'since')
  | ('logged_request_id' | 'request_id')
  | ('case_file_id' | 'other_case_id' | 'question_id')
  | ('approval_id' | 'case_id' | 'actor_id' | 'assignee_id' | 'maker_id')
  | ('watchlist_id' | 'version_id' | 'screening_id' | 'subject_id' | 'nostro_id')
  | ('pack_id' | 'message_id' | 'verification_id'),
  string
>

/** The fields of a mandate besides its account and its debtor. */
export const someMandate = () => ({
  reference: `M-${randomBytes(8).toString('hex')}`,
  creditor_id: 'DE98ZZZ09999999999',
  scheme: 'CORE',
  sequence_type: 'RCUR',
  signed_on: '2026-01-15',
})

const plainCard = '5555555555554444'
const secureCard = '4111111111111111'

export class Fixtures {
  readonly bank: Bank
  readonly caller: VentureCaller
  /** With the venture's previous key. */
  readonly former: Caller
  /** The venture's own value for freely chosen names and references. */
  readonly label = `word-${randomBytes(6).toString('hex')}`
  readonly number = randomInt(1, 1_000_000)
  readonly authenticator = new Authenticator(consoleOrigin, { counts: false })
  #person: PersonCaller | undefined
  #banker: PersonCaller | undefined
  #maker: PersonCaller | undefined
  #bankAdmin: PersonCaller | undefined
  #ids: Ids | undefined
  #managed: ReturnType<Fixtures['newManaged']> | undefined

  private constructor(bank: Bank, { caller, former }: { caller: VentureCaller; former: Caller }) {
    this.bank = bank
    this.caller = caller
    this.former = former
  }

  static async open(bank: Bank): Promise<Fixtures> {
    const former = await bank.registerVenture(`Fixtures ${randomUUID()}`)
    const caller = new VentureCaller(bank.app, await made(former.post('/venture/rotate-key')))
    const fixtures = new Fixtures(bank, { caller, former })
    await fixtures.make()
    return fixtures
  }

  /** Runs `work` while the venture is disabled. */
  async whileDisabled(work: () => Promise<void>): Promise<void> {
    const become = (status: string) => made(this.bank.admin.put(`/ventures/${this.caller.venture.id}`, { status }))
    await become('DISABLED')
    try {
      await work()
    } finally {
      await become('ACTIVE')
    }
  }

  get ids(): Ids {
    if (this.#ids === undefined) throw new Error('the fixtures have not been made')
    return this.#ids
  }

  /** An admin of the venture, signed in and acting for it, with a passkey. */
  get person(): PersonCaller {
    if (this.#person === undefined) throw new Error('the fixtures have not been made')
    return this.#person
  }

  /** A person of the bank. */
  get banker(): PersonCaller {
    if (this.#banker === undefined) throw new Error('the fixtures have not been made')
    return this.#banker
  }

  /** Creates one resource of every kind. Each further call creates another set and replaces the ids. */
  async make(): Promise<void> {
    const { caller, bank } = this
    const receiver = await openReceiver()
    const endpoint = await made(caller.post('/webhook-endpoints', { url: receiver.url }))
    const client = await caller.registerClient({ kyc_level: 'NOT_REQUIRED' })
    await made(caller.post(`/clients/${client.id}/onboarding/details`, someOnboarding))
    await bank.runJobs()
    const { kyc_application_id, kyc_link } = await made(caller.get(`/clients/${client.id}/onboarding/details`))
    const account = await caller.openAccount({ client_id: client.id, balance: '500.00' })
    const parent = await caller.deposit(account.id, '20.00')
    const beneficiary = await caller.addBeneficiary(client.id)
    const transfer = await caller.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' })
    const verification = await made(caller.post('/payee-verifications', { name: this.label, iban: 'DE89370400440532013000' }))
    const { mandate_id } = await this.newMandate(account.id)
    const { link, payment } = await this.#payLink()
    this.#person ??= await this.#openPerson()
    const { id: key_id } = await made(caller.post('/venture/keys', { name: 'Another', scopes: ['read'] }))
    const { bank_key_id } = await this.newBankKey()
    const { id: session_id } = await made(this.person.get('/session'))
    const [{ id: passkey_id }] = await made(this.person.get('/session/passkeys'))
    const { id: invitation_id } = await this.newInvitation()
    await this.newBankInvitation()
    const { job_id } = await this.newDeadJob()
    await made(caller.put('/payout-settings', { payout_account_id: account.id }))
    const payout = await made(caller.post('/payouts'))
    const verification_id = uuidv7()
    await bank.owner.query("insert into verification_runs values ($1, now(), now(), 1, '{}')", [verification_id])
    await newDemoRun(bank)
    await bank.runDeliveries()
    const [delivery] = await made(caller.get(`/webhook-endpoints/${endpoint.id}/deliveries?limit=1`))
    await made(caller.post(`/events/${delivery.event_id}/resend`))
    const { approval_id, maker_id, case_id, person_id } = await this.#workOfTheBank(client.id)
    const { case_file_id } = await this.newCaseFile(case_id)
    const { question_id } = await this.newQuestion(case_id)
    const { watchlist_id, version_id } = await this.newWatchlist()
    const { screening_id } = await this.newScreening(client.id)
    const { pack_id, message_id } = await this.newPack()
    await this.bank.owner.query(
      `insert into rail_applied (message_id, position, outcome, transfer_id, created_at) values ($1, 1, 'applied', $2, now())`,
      [message_id, transfer.id],
    )
    const { logged_request_id, request_id } = await this.newLoggedRequest()
    this.#ids = {
      venture_id: caller.venture.id,
      client_id: client.id,
      account_id: account.id,
      beneficiary_id: beneficiary.id,
      transfer_id: transfer.id,
      parent_transaction_id: parent.id,
      unique_reference: transfer.unique_reference,
      payee_verification_id: verification.id,
      mandate_id,
      payment_id: payment.id,
      link_id: link.id,
      payment_link_id: link.id,
      payout_id: payout.id,
      payout_account_id: account.id,
      token: link.token,
      orderNumber: payment.gateway_order_number,
      application_id: kyc_application_id,
      verifier_token: new URL(kyc_link).pathname.split('/').at(-1) ?? '',
      key_id,
      bank_key_id,
      user_id: this.person.person.user_id,
      session_id,
      passkey_id,
      invitation_id,
      job_id,
      endpoint_id: endpoint.id,
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      resource_id: client.id,
      since: await this.#firstEvent(),
      approval_id,
      maker_id,
      case_id,
      other_case_id: (await this.newCase()).case_id,
      case_file_id,
      question_id,
      actor_id: person_id,
      assignee_id: person_id,
      watchlist_id,
      version_id,
      screening_id,
      pack_id,
      message_id,
      subject_id: client.id,
      logged_request_id,
      request_id,
      nostro_id: await this.newNostro(),
      verification_id,
    }
  }

  /** One verification runs at a time. */
  async verificationsEnded(): Promise<void> {
    await eventually(async () => (await this.bank.owner.query("select from verification_runs where status = 'RUNNING'")).rowCount === 0)
  }

  /** A payment link with a payment that was paid and partly refunded. */
  async #payLink() {
    const link = await made(this.caller.post('/payment-links', { amount: '50.00', currency: 'EUR' }))
    await this.#submit(`/pay/${link.token}`, {})
    const [payment] = await made(this.caller.get(`/payments?payment_link_id=${link.id}`))
    await payWith(this.bank.app, payment, plainCard)
    await made(this.bank.stranger.get(`/payments/${payment.id}/return`))
    await made(this.caller.post(`/payments/${payment.id}/refund`, { amount: '0.10', external_refund_id: this.label }))
    return { link, payment }
  }

  /** A pending approval, and a case that is assigned to a person of the bank. */
  async #workOfTheBank(resource_id: string) {
    this.#banker ??= await openBanker(this.bank, 'operator')
    const { id } = this.#banker
    const { approval_id, maker_id } = await this.#request(resource_id)
    const { case_id } = await this.newCase(resource_id)
    await made(this.#banker.put(`/operator/cases/${case_id}`, { assignee_id: id }))
    return { approval_id, maker_id, case_id, person_id: id }
  }

  /** A request by another person of the bank. */
  async #request(resource_id: string) {
    this.#maker ??= await openBanker(this.bank, 'operator')
    const { rows } = await this.bank.owner.query('select venture_id, sequence from clients where id = $1', [resource_id])
    const { id } = await requestApproval(
      this.bank.approvals,
      { ...rows[0], resource_id, action: 'unblock-client', payload: { blocked: false } },
      { actor: { kind: 'operator', id: this.#maker.id } },
    )
    return { approval_id: id, maker_id: this.#maker.id }
  }

  /** A request to unblock a client whom the bank has blocked. */
  async newApproval() {
    const { client_id } = await this.newClient()
    await made(this.banker.actingFor(this.caller.venture.id).put(`/clients/${client_id}`, { blocked: true }))
    const { approval_id } = await this.#request(client_id)
    return { approval_id }
  }

  async newCase(resource_id: string = randomUUID()) {
    const opened = { venture_id: this.caller.venture.id, kind: 'test', resource_id, payload: { note: 'Look at this.' } }
    return { case_id: await this.bank.database.transaction((tx) => openCase(tx, opened)) }
  }

  /** A client about whom nobody has opened a case. */
  async newSubject() {
    return { venture_id: this.caller.venture.id, resource_id: (await this.newClient()).client_id }
  }

  async newCaseFile(case_id: string) {
    const file = { name: 'note.txt', type: 'text/plain', content: someNote() }
    return { case_file_id: (await made(sendFileTo(this.banker, `/operator/cases/${case_id}/files`, file))).id as string }
  }

  async newQuestion(case_id?: string) {
    const id = case_id ?? (await this.newCase()).case_id
    const asked = this.banker.post(`/operator/cases/${id}/questions`, { text: 'What was it for?', due_on: '2099-11-20' })
    return { question_id: (await made(asked)).id as string }
  }

  /** An event after which a follower still has something to read. */
  async #firstEvent(): Promise<string> {
    const { rows } = await this.bank.owner.query('select id from events where venture_id = $1 order by xid, id limit 1', [
      this.caller.venture.id,
    ])
    return rows[0].id
  }

  /** A session counts as signed in with a passkey once it has registered one. */
  async #openPerson(): Promise<PersonCaller> {
    const person = await openMember(this.bank, this.caller.venture.id, 'admin')
    const credential = this.authenticator.create(await made(person.post('/session/passkeys/options')))
    await made(person.post('/session/passkeys', { name: 'First', credential }))
    // The registration has changed the token, so the person signs in again.
    const again = await this.#signIn(person)
    await this.bank.owner.query('update sessions set by_passkey = true where user_id = $1', [person.person.user_id])
    return again
  }

  #signIn({ person }: PersonCaller): Promise<PersonCaller> {
    return signIn(this.bank, person, this.caller.venture.id)
  }

  /** Another session of the same person. */
  newSession(): Promise<PersonCaller> {
    return this.#signIn(this.person)
  }

  /** Another person in the venture. */
  newMember(): Promise<PersonCaller> {
    return openMember(this.bank, this.caller.venture.id, 'viewer')
  }

  async newKey() {
    return { key_id: (await made(this.caller.post('/venture/keys', { name: 'New', scopes: ['read'] }))).id as string }
  }

  async newBankKey() {
    return { bank_key_id: (await made(this.bank.admin.post('/operator/keys', { name: 'New', scope: 'lists' }))).id as string }
  }

  /** An admin of the bank. The admin key can invite only a few. */
  async bankAdmin(): Promise<PersonCaller> {
    this.#bankAdmin ??= await openBanker(this.bank, 'operator')
    await this.bank.owner.query("update memberships set role = 'admin' where user_id = $1", [this.#bankAdmin.id])
    return this.#bankAdmin
  }

  /** Two people of the bank, of whom one has invited the other. */
  async newRelated() {
    const [one_id, other_id] = [(await openBanker(this.bank, 'operator')).id, (await openBanker(this.bank, 'operator')).id]
    await this.bank.owner.query('update links set made_by_id = $1 where user_id = $2', [one_id, other_id])
    return { one_id, other_id }
  }

  /** A cleared pair. */
  async newClearing(): Promise<string> {
    const clearing_id = uuidv7()
    const ids = Object.values(await this.newRelated()).sort()
    await this.bank.owner.query(
      `insert into pair_clearings (venture_id, id, one_id, other_id, ties, reason, cleared_by, cleared_at)
       values ($1, $2, $3, $4, array[$2::uuid], 'A test', $5, now())`,
      [bankId, clearing_id, ...ids, this.banker.id],
    )
    return clearing_id
  }

  newInvitation(): Promise<Answer['body']> {
    const operator = new Caller(this.bank.app, { ...this.bank.admin.headers, 'vostro-venture': this.caller.venture.id })
    return made(operator.post('/venture/users', { email: someEmail(), role: 'viewer' }))
  }

  async newSecret(): Promise<string> {
    return secretIn(await this.newInvitation())
  }

  async newBankInvitation() {
    const { id } = await made(this.bank.admin.post('/operator/users', { email: someEmail(), role: 'auditor' }))
    return { invitation_id: id as string }
  }

  /** A passkey that a new device of the person has just created. */
  async newPasskey() {
    const caller = await openMember(this.bank, this.caller.venture.id, 'viewer')
    const options = await made(caller.post('/session/passkeys/options'))
    return { caller, body: { name: 'Another', credential: new Authenticator(consoleOrigin).create(options) } }
  }

  /** The id of another session of the person. */
  async addSession(): Promise<string> {
    return (await made((await signIn(this.bank, this.person.person)).get('/session'))).id
  }

  /** Another passkey of the person. */
  async addPasskey(): Promise<string> {
    const id = randomUUID()
    await this.bank.owner.query(
      `insert into passkeys (credential_id, id, user_id, name, public_key, counter, transports, created_at)
       values ($1, $2, $3, 'Extra', '', 0, '{}', now())`,
      [randomBytes(16).toString('base64url'), id, this.person.person.user_id],
    )
    return id
  }

  /** A challenge that the person's passkey has signed. */
  async signChallenge(): Promise<object> {
    return this.authenticator.get(await made(consoleOf(this.bank).post('/session/passkey/options')))
  }

  /** A job of a kind that no worker runs. */
  async newDeadJob() {
    const job_id = uuidv7()
    await this.bank.owner.query(
      `insert into jobs (id, kind, venture_id, payload, due_at, attempts, state, last_error)
       values ($1, 'fixture', $2, '{}', now(), 20, 'DEAD', 'Error: it failed')`,
      [job_id, this.caller.venture.id],
    )
    return { job_id }
  }

  /** A stored entry of the request log; the log is off in this test. */
  async newLoggedRequest() {
    const [logged_request_id, request_id] = [uuidv7(), `fixture:${randomUUID()}`]
    await this.bank.owner.query('select make_request_days()')
    await this.bank.owner.query(
      `insert into requests (venture_id, id, at, method, route, status, duration_ms, actor, key_prefix, request_id)
       values ($1, $2, now(), 'GET', '/api/v1/venture', 200, 1.5, 'venture', 'vk_test_abcd', $3)`,
      [this.caller.venture.id, logged_request_id, request_id],
    )
    return { logged_request_id, request_id }
  }

  /** A list with a version that is not active. */
  async newWatchlist() {
    const { admin } = this.bank
    const list = await made(admin.post('/operator/watchlists', { name: `list-${randomUUID()}`, format: 'OPENSANCTIONS' }))
    const url = `/api/v1/operator/watchlists/${list.id}/versions`
    const version = await made(admin.send({ method: 'POST', url, ...formOf({ list: someList(`Nobody ${randomUUID()}`) }) }))
    return { watchlist_id: list.id as string, version_id: version.id as string }
  }

  /** An unanswered pack with its message. Routes use `message_id` both for the message and for its name, so the two are equal here. */
  async newPack(named = (message_id: string) => message_id) {
    const [pack_id, message_id] = [uuidv7(), uuidv7()]
    const name = named(message_id)
    await this.bank.owner.query(
      `insert into rail_packs (id, rail, kind, message_id, settlement_date, state, currency, created_at, updated_at, sequence)
       values ($1, 'SEPA', 'CREDIT_TRANSFER', $2, '2026-11-17', 'UNKNOWN', 'EUR', now(), now(), 1)`,
      [pack_id, name],
    )
    await this.bank.owner.query(
      `insert into rail_messages (id, direction, type, message_id, sender, file, pack_id, sha256, body, state, created_at, updated_at)
       values ($1, 'OUT', 'pacs.008.001.08', $2, 'VOSTLT21XXX', $2 || '.xml', $3, repeat('0', 64), '<a/>', 'DELIVERED', now(), now())`,
      [message_id, name, pack_id],
    )
    return { pack_id, message_id }
  }

  /** A rail settles a currency on one nostro, so each nostro has another currency or rail. */
  static nostros = 0

  nostro() {
    const number = Fixtures.nostros++
    const currency = currencyCodes[number % currencyCodes.length] ?? ''
    const rail = ['SWIFT', 'INTERNAL', 'CARD'][Math.floor(number / currencyCodes.length)] ?? ''
    return { name: 'Settlement', account: `NO${number}`, bic: 'COBADEFF', currency, rails: [rail], prefunding: '0' }
  }

  /** A nostro with two statements, each with an entry that is a break. */
  async newNostro(): Promise<string> {
    const nostro = this.nostro()
    const { id } = await made(this.bank.admin.post('/operator/nostros', nostro))
    for (const number of [1, 2]) {
      const [statement, entry] = [uuidv7(), uuidv7()]
      await this.bank.owner.query(
        `insert into nostro_statements (nostro_id, number, id, statement_id, sequence, opening, closing, opened_on, closed_on, until, entries, sha256,
           message_id, created_at)
         values ($1, $2::int, $3, 'S' || $2, $2::int, $2::int - 1, $2::int, now(), now(), now(), 1, repeat('0', 64), $3, now())`,
        [id, number, statement],
      )
      await this.bank.owner.query(
        `insert into nostro_entries (id, nostro_id, number, position, amount, booked_on, value_on, state, created_at)
         values ($1, $2, $3, 1, 1, now(), now(), 'BREAK', now())`,
        [entry, id, number],
      )
      await this.bank.owner.query(
        `insert into breaks (venture_id, id, status, kind, rail, amount, currency, nostro_id, entry_id, difference, created_at)
         values ($1, $2, 'OPEN', 'UNKNOWN', $3, 1, $4, $5, $6, 1, now())`,
        [houseId, uuidv7(), nostro.rails[0], nostro.currency, id, entry],
      )
    }
    return id
  }

  /** A transfer that was sent to another bank, so that it can be recalled. */
  async newSent(): Promise<string> {
    const { id: venture_id } = this.caller.venture
    // A name that is valid in a message.
    const { pack_id } = await this.newPack((message_id) => message_id.replaceAll('-', ''))
    const { account_id, beneficiary_id } = this.ids
    const order = { account_id, beneficiary_id, unique_reference: randomUUID(), debit_amount: '0.01' }
    const { id } = await made(this.caller.post('/transfers', order))
    const parties = {
      debtor: { name: 'Ada' },
      debtor_iban: 'LT601010012345678901',
      creditor: { name: 'Charles' },
      creditor_iban: 'DE89370400440532013000',
    }
    await this.bank.owner.query(
      `insert into rail_payments (venture_id, transfer_id, attempt, tx_id, end_to_end_id, rail, kind, pack_id, position, amount, currency,
         settlement_date, walks, content, state, created_at, updated_at)
       values ($1, $2, 1, $3, $3, 'SEPA', 'CREDIT_TRANSFER', $4, 1, 0.01, 'EUR', now(), true, $5, 'SENT', now(), now())`,
      [venture_id, id, txIdOf(id), pack_id, parties],
    )
    return id
  }

  /** A screening with a hit, as the comparison stores it. */
  async newScreening(subject_id: string) {
    const [screening_id, venture_id] = [uuidv7(), this.caller.venture.id]
    await this.bank.owner.query(
      `insert into screenings (venture_id, id, subject_kind, subject_id, cause, parties, versions, algorithm, policy_version, screen_threshold,
         block_threshold, outcome, best_score, created_at)
       values ($1, $2, 'client', $3, 'created', '[]', '{}', 'fixture', 0, 0.85, 0.97, 'HIT', null, now())`,
      [venture_id, screening_id, subject_id],
    )
    await this.bank.owner.query(
      `insert into screening_hits (venture_id, id, screening_id, party, party_hash, reason, entry_hash, state)
       values ($1, $2, $3, 'client', $4, 'unreadable', $4, 'OPEN')`,
      [venture_id, uuidv7(), screening_id, '0'.repeat(64)],
    )
    return { screening_id }
  }

  async newVenture() {
    return { venture_id: (await this.bank.registerVenture()).venture.id }
  }

  async newClient() {
    return { client_id: (await made(this.caller.post('/clients/person', somePerson()))).id as string }
  }

  async newAccount(status: 'PENDING' | 'ACTIVE') {
    const { client_id } = this.ids
    if (status === 'ACTIVE') return { account_id: (await this.caller.openAccount({ client_id })).id as string }
    const order = { client_id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' }
    return { account_id: (await made(this.caller.post('/accounts', order))).id as string }
  }

  async newMandate(account_id = this.ids.account_id) {
    const debtor = { debtor_name: 'Charles Babbage', debtor_iban: 'DE89370400440532013000' }
    const order = { account_id, ...someMandate(), ...debtor }
    return { mandate_id: (await made(this.caller.post('/mandates', order))).id as string }
  }

  async newTransfer() {
    const { account_id, beneficiary_id } = this.ids
    return { transfer_id: (await this.caller.createTransfer({ account_id, beneficiary_id, debit_amount: '1.00' })).id as string }
  }

  async newPayment() {
    const places = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
    const payment = await made(this.caller.post('/payments', { amount: '5.00', currency: 'EUR', ...places }))
    return { payment_id: payment.id as string }
  }

  /** A paid card payment, so that there is money to pay out. */
  async payCard(): Promise<void> {
    const { payment_id } = await this.newPayment()
    await payWith(this.bank.app, await made(this.caller.get(`/payments/${payment_id}`)), plainCard)
    await made(this.bank.stranger.get(`/payments/${payment_id}/return`))
  }

  async newEndpoint() {
    return { endpoint_id: (await made(this.caller.post('/webhook-endpoints', { url: 'https://example.com/hooks' }))).id as string }
  }

  /** A MANAGED venture: a client with two funded accounts, and a sent payment. Created once. */
  managed(): ReturnType<Fixtures['newManaged']> {
    this.#managed ??= this.newManaged()
    return this.#managed
  }

  async newManaged() {
    const caller = await ManagedVenture.open(this.bank)
    const client = await caller.verifiedClient()
    const account = await caller.openAccount({ client_id: client.id, balance: '500.00' })
    const other = await caller.openAccount({ client_id: client.id, balance: '500.00' })
    const closed = await caller.openAccount({ client_id: client.id })
    await made(caller.post(`/accounts/${closed.id}/close`))
    const name = `${client.first_name} ${client.last_name}`
    const own = await caller.addBeneficiary(client.id, { name, iban: 'DE89370400440532013000' })
    const transfer = await caller.createTransfer({ account_id: account.id, beneficiary_id: own.id, debit_amount: '100.00' })
    await caller.process(transfer as { id: string }, ...toSent, 'COMPLETED')
    const venture_id = caller.venture.id
    const [account_id, other_id, closed_id] = [account.id, other.id, closed.id] as string[]
    const [beneficiary_id, transfer_id, iban] = [own.id, transfer.id, account.account_number] as string[]
    return { venture_id, account_id, other_id, closed_id, beneficiary_id, transfer_id, iban } as Record<
      'venture_id' | 'account_id' | 'other_id' | 'closed_id' | 'beneficiary_id' | 'transfer_id' | 'iban',
      string
    >
  }

  /** A new message from another bank. */
  message() {
    return { sender: 'COBADEFF', kind: 'pacs.008', tx_id: randomUUID() }
  }

  /** A payment from the simulated bank to an account that is not ours. */
  async newBankPayment(): Promise<string> {
    return (await made(this.bank.admin.post('/sandbox/bank/payments', { iban: 'FR1420041010050500013M02606', amount: '1.00' }))).id
  }

  /** A payment that arrived for an account that does not exist. */
  async newUnapplied(): Promise<string> {
    const payment = { ...this.message(), iban: 'FR1420041010050500013M02606', amount: '1.00', currency: 'EUR', rail: 'SEPA' }
    return (await made(this.bank.admin.post('/operator/inbound-payments', payment))).id
  }

  /** A forced debit on a closed account. */
  async newBreak(): Promise<string> {
    const { venture_id, closed_id: account_id } = await this.managed()
    const debit = { ...this.message(), venture_id, account_id, amount: '1.00', transfer_type: 'ADJUSTMENT', explanation: 'Chargeback' }
    return (await made(this.bank.admin.post('/operator/forced-debits', debit))).id
  }

  /** A suspended account with money, and a beneficiary that is its client. */
  async newPayout() {
    const { venture_id, account_id, beneficiary_id } = await this.newManaged()
    await this.bank.owner.query("update accounts set status = 'SUSPENDED' where id = $1", [account_id])
    return { venture_id, account_id, beneficiary_id }
  }

  /** An order at the sandbox gateway, which does not know ventures. */
  async newOrder(state: 'registered' | 'at its bank' | 'paid'): Promise<string> {
    const { user: userName, password } = sandboxGatewayCredentials
    const order = { orderNumber: randomUUID().slice(-12), amount: '500', currency: '978', returnUrl: 'https://shop.example/thanks' }
    const { orderId } = await this.#submit('/sandbox/gateway/payment/rest/register.do', { userName, password, ...order })
    const form = `/sandbox/gateway/form/${orderId}`
    if (state === 'paid') await payWith(this.bank.app, { form_url: form }, plainCard)
    if (state === 'at its bank') await this.#submit(form, { number: secureCard, cvv: '777', expiry: '12/99', action: 'pay' })
    return orderId
  }

  #submit(url: string, fields: Record<string, string>): Promise<Answer['body']> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return made(this.bank.stranger.send({ method: 'POST', url, payload: new URLSearchParams(fields).toString(), headers }))
  }
}

async function made(asked: Promise<Answer>): Promise<Answer['body']> {
  const answer = await asked
  if (answer.status >= 400) throw new Error(`a fixture cannot be made: ${answer.text}`)
  return answer.body
}

/** A run that never ends, so that a start returns it and begins nothing. */
async function newDemoRun({ owner }: Bank): Promise<void> {
  await owner.query(
    `insert into demo_run (run_id, seed, status, done, total, step, beat_at)
     values (gen_random_uuid(), 7, 'RUNNING', 1, 2, 'Day 1 of 2', now() + interval '1 year') on conflict do nothing`,
  )
}
