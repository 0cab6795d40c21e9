// Triggers events in the sandbox, and creates everything they need.
import { randomUUID } from 'node:crypto'
import { type EventsByType, type Vostro, type VostroEvent, VostroProblem } from '@vostro/sdk'
import { Refused, UsageError } from '../failures.ts'
import { cards, Scenario } from '../scenario.ts'
import type { Call, Command } from '../table.ts'
import { pause } from '../waiting.ts'

type Trigger = {
  /** Triggers the event, and returns the id of its resource. */
  make?(scenario: Scenario): Promise<string>
  /** Needs the admin key with --venture. */
  byBank?: true
  /** Occurs only where the bank processes the transfers. */
  managedOnly?: true
  /** Why it cannot be triggered. */
  cannot?: string
}

const idOf = async (made: Promise<{ id: string }>): Promise<string> => (await made).id

/** Complete: a missing type is a compile error. */
export const triggers: Readonly<Record<keyof EventsByType, Trigger>> = {
  'client.created': { make: (s) => idOf(s.client()) },
  'client.updated': { make: async (s) => idOf(s.vostro.clients.update((await s.client()).id, { city: 'Lyon', postcode: '69001' })) },
  'client.kyc_updated': { make: (s) => idOf(s.verifiedClient()) },
  'onboarding.submitted': { make: async (s) => idOf(s.onboarding((await s.client()).id)) },
  'onboarding.updated': { make: async (s) => idOf(s.onboarding((await s.client()).id)) },
  'beneficiary.created': { make: async (s) => idOf(s.beneficiary((await s.client()).id)) },
  'beneficiary.updated': {
    make: async (s) => idOf(s.vostro.beneficiaries.update((await s.beneficiary((await s.client()).id)).id, { display: false })),
  },
  'account.created': { make: (s) => idOf(s.newAccount()) },
  'account.updated': { make: async (s) => idOf(s.vostro.accounts.update((await s.account()).id, { account_name: 'Renamed' })) },
  'account.activated': { make: (s) => idOf(s.account()) },
  'account.frozen': { make: async (s) => idOf(s.vostro.accounts.freeze((await s.account()).id)) },
  'account.overdrawn': { byBank: true, managedOnly: true, make: overdraw },
  'account.closed': { make: async (s) => idOf(s.vostro.accounts.close((await s.account()).id)) },
  'mandate.created': { make: (s) => s.mandate() },
  'mandate.cancelled': { make: async (s) => idOf(s.vostro.mandates.cancel(await s.mandate())) },
  'transfer.created': { make: (s) => idOf(s.transfer()) },
  'transfer.updated': { make: updateTransfer },
  'transfer.status_changed': { make: (s) => s.settled('COMPLETED', '10.00') },
  'transfer.completed': { make: (s) => s.settled('COMPLETED', '10.00') },
  // The simulated bank rejects amounts ending in .01 and returns those ending in .05.
  'transfer.failed': { make: (s) => s.settled('REJECTED', '10.01') },
  'transfer.returned': { make: (s) => s.settled('RETURNED', '10.05') },
  'payment.created': { make: (s) => idOf(s.payment()) },
  'payment.paid': { make: (s) => s.paidWith(cards.good) },
  'payment.failed': {
    cannot: 'The sandbox card gateway accepts every order with the requested amount, so no payment fails.',
  },
  'payment.refused': { make: (s) => s.paidWith(cards.declined) },
  'payment.canceled': { make: async (s) => idOf(s.vostro.payments.cancel((await s.payment()).id)) },
  'payment.expired': { make: (s) => s.paidWith(cards.expired) },
  'payment.refunded': {
    make: async (s) =>
      idOf(s.vostro.payments.refund(await s.paidWith(cards.good), { amount: '5.00', external_refund_id: s.reference.slice(0, 32) })),
  },
  'payment_link.created': { make: (s) => idOf(s.vostro.paymentLinks.create({ amount: '12.50', currency: 'EUR' })) },
  'payment_link.updated': {
    make: async (s) => {
      const { id } = await s.vostro.paymentLinks.create({ amount: '12.50', currency: 'EUR' })
      return idOf(s.vostro.paymentLinks.update(id, { active: false }))
    },
  },
  'payout.created': { make: payOut },
  'case.question': { byBank: true, make: askVenture },
  'venture.updated': { byBank: true, make: renameVenture },
  'venture.key_rotated': {
    cannot: 'It would replace the key that you and your systems use. Rotate it on purpose, with POST /api/v1/venture/rotate-key.',
  },
  'webhook_endpoint.disabled': { make: (s) => s.withEndpoint((id) => s.vostro.webhookEndpoints.update(id, { status: 'DISABLED' })) },
  'webhook_endpoint.test': { make: (s) => s.withEndpoint((id) => s.vostro.webhookEndpoints.test(id)) },
}

const types = Object.keys(triggers)
/** How long to wait for the event once everything is done. */
const patience_ms = 60_000

export const triggerCommands: readonly Command[] = [
  {
    words: ['trigger'],
    summary: 'Trigger an event in the sandbox, and create everything it needs.',
    args: [{ name: 'TYPE', describe: 'The type of the event, such as transfer.completed.', optional: true, choices: types }],
    options: { list: { describe: 'List all types, and whether they can be triggered.' } },
    async run(call) {
      const [type] = call.args
      if (call.flag('list')) return list(call)
      if (type === undefined) throw new UsageError('TYPE is missing. `vostro trigger --list` lists all types.')
      return trigger(call, type as keyof EventsByType)
    },
  },
]

function list({ out }: Call): void {
  const rows = Object.entries(triggers).map(([type, { cannot, byBank }]) => ({
    type,
    trigger: cannot === undefined ? (byBank ? 'with the admin key' : 'yes') : 'no',
    reason: cannot ?? '',
  }))
  out.list(rows, ['type', 'trigger', 'reason'])
}

async function trigger(call: Call, type: keyof EventsByType): Promise<void> {
  const { make, cannot, byBank, managedOnly } = triggers[type]
  if (make === undefined) throw new Refused(`${type} cannot be triggered. ${cannot}`)
  const [vostro, bank] = [call.vostro(), call.bank()]
  const venture = await vostro.venture.get()
  await requireSandbox(vostro)
  if (managedOnly && venture.control !== 'MANAGED')
    throw new Refused(
      `${type} occurs only in ventures whose transfers the bank processes (control MANAGED). This venture is ${venture.control}.`,
    )
  const [last] = (await vostro.events.list({ since: 'now' }).page()).items
  const scenario = new Scenario({ vostro, bank, venture, say: (text) => call.out.note(`made: ${text}`) })
  const resource_id = await make(scenario).catch((error) => {
    if (!byBank || !(error instanceof VostroProblem) || (error.status !== 401 && error.status !== 403)) throw error
    throw new Refused(`Only the bank can cause ${type}. Use the admin key with --key, and name the venture with --venture.`)
  })
  const event = await findEvent(call, type, { resource_id, since: last?.id ?? 'start' })
  call.out.result(event, `${type}  ${event.id}  (resource ${resource_id})`)
}

/** Creates invented data, which must never be mixed with real clients. The sandbox routes exist only in a sandbox. */
async function requireSandbox(vostro: Vostro): Promise<void> {
  const { code } = await vostro.sandbox.transfers.settle(randomUUID(), { outcome: 'COMPLETED' }).then(
    () => ({ code: undefined }),
    (error) => (error instanceof VostroProblem ? error : Promise.reject(error)),
  )
  if (code === 'route_not_found')
    throw new Refused('This service is not a sandbox. Events can be triggered only in a sandbox, because their data is invented.')
}

async function findEvent(
  call: Call,
  type: keyof EventsByType,
  { resource_id, since }: { resource_id: string; since: string },
): Promise<VostroEvent> {
  const vostro = call.vostro()
  const start_ms = performance.now()
  while (performance.now() - start_ms < patience_ms) {
    const { items } = await vostro.events.list({ type, resource_id, since, limit: 1 }).page()
    if (items[0] !== undefined) return items[0]
    await pause(100)
  }
  throw new Refused(`All steps succeeded, but ${type} of ${resource_id} did not occur within ${patience_ms / 1000} s.`)
}

/** A debit that the bank cannot refuse, larger than the balance. */
async function overdraw(scenario: Scenario): Promise<string> {
  const { id: account_id } = await scenario.account()
  await scenario.bank.operator.forcedDebits.create({
    sender: 'SIMBLT22XXX',
    kind: 'camt.054',
    tx_id: scenario.reference,
    venture_id: scenario.venture.id,
    account_id,
    amount: '12.50',
    transfer_type: 'FEE',
    explanation: 'vostro trigger account.overdrawn',
  })
  return account_id
}

/** Ventures may always set the reason, even if the bank processes their transfers. */
async function updateTransfer(scenario: Scenario): Promise<string> {
  const { id } = await scenario.transfer()
  return idOf(scenario.vostro.transfers.update(id, { status_reason: 'vostro trigger' }))
}

/** To the venture's payout account, or to a new one. */
async function payOut(scenario: Scenario): Promise<string> {
  const { vostro } = scenario
  const { payout_account_id } = await vostro.payoutSettings.get()
  if (payout_account_id === null) await vostro.payoutSettings.update({ payout_account_id: (await scenario.account()).id })
  await scenario.paidWith(cards.good)
  return idOf(vostro.payouts.create({}))
}

/** Renames the venture and back. */
async function renameVenture({ bank, venture: { id, name } }: Scenario): Promise<string> {
  await bank.ventures.update(id, { name: `${name.slice(0, 80)} (triggered)` })
  return idOf(bank.ventures.update(id, { name }))
}

/** The bank asks in a case that it opens by hand, and then closes. */
async function askVenture(scenario: Scenario): Promise<string> {
  const { bank, venture } = scenario
  const { id: resource_id } = await scenario.client()
  const { id } = await bank.operator.cases.open({ venture_id: venture.id, about: 'client', resource_id, reason: 'Triggered.' })
  const due_on = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const question = await bank.operator.cases.ask(id, { text: 'What does the client live on?', due_on })
  await bank.operator.cases.decide(id, { decision: 'close' })
  return question.id
}
