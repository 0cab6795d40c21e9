// Makes events happen, in the sandbox, with everything they need.
import { randomUUID } from 'node:crypto'
import { type EventsByType, type Vostro, type VostroEvent, VostroProblem } from '@vostro/sdk'
import { Refused, UsageError } from '../failures.ts'
import { cards, Scenario } from '../scenario.ts'
import type { Call, Command } from '../table.ts'
import { pause } from '../waiting.ts'

type Trigger = {
  /** Makes it happen, and returns the id of the resource of the event. */
  make?(scenario: Scenario): Promise<string>
  /** Needs the admin key, with --venture. */
  byBank?: true
  /** Happens only where the bank processes the transfers. */
  managedOnly?: true
  /** Why it cannot be made to happen. */
  cannot?: string
}

const idOf = async (made: Promise<{ id: string }>): Promise<string> => (await made).id

/** Complete: a type that is missing does not compile. */
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
  // The simulated bank rejects what ends in .01, and sends back what ends in .05.
  'transfer.failed': { make: (s) => s.settled('REJECTED', '10.01') },
  'transfer.returned': { make: (s) => s.settled('RETURNED', '10.05') },
  'payment.created': { make: (s) => idOf(s.payment()) },
  'payment.paid': { make: (s) => s.paidWith(cards.good) },
  'payment.failed': {
    cannot: 'The card gateway of the sandbox accepts every order and takes the amount that it was asked for, so no payment fails there.',
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
  'venture.updated': { byBank: true, make: renameVenture },
  'venture.key_rotated': {
    cannot: 'It would replace the key that you and your systems use: do it on purpose, with POST /api/v1/venture/rotate-key.',
  },
  'webhook_endpoint.disabled': { make: (s) => s.withEndpoint((id) => s.vostro.webhookEndpoints.update(id, { status: 'DISABLED' })) },
  'webhook_endpoint.test': { make: (s) => s.withEndpoint((id) => s.vostro.webhookEndpoints.test(id)) },
}

const types = Object.keys(triggers)
/** How long the event may take after everything was done. */
const patience_ms = 60_000

export const triggerCommands: readonly Command[] = [
  {
    words: ['trigger'],
    summary: 'Make an event happen in the sandbox, with everything it needs.',
    args: [{ name: 'TYPE', describe: 'The type of the event, such as transfer.completed.', optional: true, choices: types }],
    options: { list: { describe: 'List all types, and which of them can be triggered.' } },
    async run(call) {
      const [type] = call.args
      if (call.flag('list')) return list(call)
      if (type === undefined) throw new UsageError('TYPE is missing: `vostro trigger --list` lists them.')
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
      `${type} happens only in ventures whose transfers the bank processes (control MANAGED), and this one is ${venture.control}.`,
    )
  const [last] = (await vostro.events.list({ since: 'now' }).page()).items
  const scenario = new Scenario({ vostro, bank, venture, say: (text) => call.out.note(`made: ${text}`) })
  const resource_id = await make(scenario).catch((error) => {
    if (!byBank || !(error instanceof VostroProblem) || (error.status !== 401 && error.status !== 403)) throw error
    throw new Refused(`${type} is something that the bank does: give the admin key with --key, and the venture with --venture.`)
  })
  const event = await findEvent(call, type, { resource_id, since: last?.id ?? 'start' })
  call.out.result(event, `${type}  ${event.id}  (resource ${resource_id})`)
}

/** What is made is invented, so it must never be made among real clients. Elsewhere the routes of the sandbox do not exist. */
async function requireSandbox(vostro: Vostro): Promise<void> {
  const { code } = await vostro.sandbox.transfers.settle(randomUUID(), { outcome: 'COMPLETED' }).then(
    () => ({ code: undefined }),
    (error) => (error instanceof VostroProblem ? error : Promise.reject(error)),
  )
  if (code === 'route_not_found')
    throw new Refused('This service is no sandbox: events are triggered only there, because everything they need is invented.')
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
  throw new Refused(`Everything was done, but ${type} of ${resource_id} did not happen within ${patience_ms / 1000} s.`)
}

/** A debit that the bank cannot refuse takes the account below zero. */
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

/** The reason is a field that ventures may always write, also where the bank processes. */
async function updateTransfer(scenario: Scenario): Promise<string> {
  const { id } = await scenario.transfer()
  return idOf(scenario.vostro.transfers.update(id, { status_reason: 'vostro trigger' }))
}

/** The card money goes to the account that the venture has chosen, or to a new one. */
async function payOut(scenario: Scenario): Promise<string> {
  const { vostro } = scenario
  const { payout_account_id } = await vostro.payoutSettings.get()
  if (payout_account_id === null) await vostro.payoutSettings.update({ payout_account_id: (await scenario.account()).id })
  await scenario.paidWith(cards.good)
  return idOf(vostro.payouts.create({}))
}

/** To another name, and back. */
async function renameVenture({ bank, venture: { id, name } }: Scenario): Promise<string> {
  await bank.ventures.update(id, { name: `${name.slice(0, 80)} (triggered)` })
  return idOf(bank.ventures.update(id, { name }))
}
