// The dry run: what would become of an order now. It runs the code that carries orders out, and writes nothing.

import { validUntil } from '../payees/payees.ts'
import type { Actor } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Policy } from '../policies/policies.ts'
import type { RailBook } from '../schemes/schemes.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import type { TransferOrder } from '../transfers/life/transfers.schemas.ts'
import { scanStatuses } from '../transfers/life/transfers.sets.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import { isVerifiable, limitsLeft, Preview, previewTransfer, type StandingNow, type Transfers } from '../transfers/transfers.ts'
import { todayUtc } from '../values/calendar.ts'
import { formatMoney } from '../values/money.ts'
import { catalogue, type Refusal } from '../values/refusals.ts'
import { DerivedTransfer, type DryRun, type Stop, type waitsFor } from './processing.dryrun.schemas.ts'
import { type Exchange, isLeftToRails } from './processing.exchange.ts'
import { monitor } from './processing.monitoring.ts'
import { advance, type ScreeningOutcome, type Situation } from './processing.planner.ts'
import { type Screener, sendingDayOf, situationOf, withoutSending } from './processing.worker.ts'

/** What would stop a transfer for a person to look at. Nothing is stored. */
export type Outlook = (planned: Foreseen) => Promise<Pick<Situation, 'alert'> & { screening: ScreeningOutcome }>

type Foreseen = { standing: StandingNow; policy: Policy; book: RailBook; now: Date }

/** The outlook for the watch lists, the rules and the policy's amount. */
export function outlookOf(database: Database, screener: Screener): Outlook {
  return async ({ standing, policy, book, now }) => {
    const { transfer, account } = standing
    const [[screened], [alerts = []]] = await Promise.all([
      screener.screen([{ transfer, policy }]),
      monitor(database, [{ transfer, client_id: account.client_id, policy, foreseen: true }], now),
    ])
    const { alert } = situationOf(standing, policy, { book, now })
    return { screening: screened?.outcome ?? 'UNLOADED', alert: alerts.length > 0 ? 'rule' : alert }
  }
}

/** `exchange`: a payment that it does not carry would not be sent. */
export type DryRuns = {
  database: Database
  transfers: Transfers
  outlook: Outlook
  exchange: Pick<Exchange, 'carries' | 'leaves'>
  foresee: Foresee
}

/** What a transfer's message would contain; undefined if no message could carry it. */
export type Foresee = (transfer: TransferRow, now: Date) => Promise<Foretold | undefined>

type Foretold = Omit<NonNullable<DryRun['message']>, 'fault'> & { fault: { code: string; reason: string } | null }

/** More walks than any transfer takes. */
const mostWalks = 20

/** Refuses only errors of the request itself. A refusal of the order is part of the result. */
export async function dryRun(
  { database, transfers, outlook, exchange, foresee }: DryRuns,
  { venture_id, order }: { venture_id: string; order: TransferOrder },
  actor: Actor,
): Promise<DryRun> {
  const at = now()
  const book = await transfers.participations.current()
  const preview = await previewTransfer(database, transfers.bank, {
    kind: 'create',
    venture_id,
    id: uuidv7(),
    order,
    now: at,
    actor,
    // An order that takes two people of the bank is previewed as approved.
    approved: true,
  })
  if (!(preview instanceof Preview)) return refusedRun(preview, at)
  const { transfer, account, policy } = preview
  const { currency } = account
  const isManaged = transfer.managed
  const available = account.current - account.reserved
  const created = transfer.status
  const needed = transfer.direction === 'OUTBOUND' ? preview.standing.needed : 0n
  const foreseen = isManaged && policy !== undefined ? await outlook({ standing: preview.standing, policy, book, now: at }) : undefined
  const isCarried = exchange.carries(transfer) || isLeftToRails(exchange, transfer)
  const way = foreseen === undefined || policy === undefined ? own : walk(preview, { ...foreseen, policy, book, now: at, isCarried })
  const message = await foresee(transfer, at)
  const fault = message?.fault ? { code: message.fault.code, detail: message.fault.reason } : null
  return {
    accepted: true,
    refusal: null,
    transfer: shown(DerivedTransfer, transfer),
    ...way,
    ...(fault !== null && way.stopped_by === null && { stopped_by: fault, waits_for: null, waits_until: null }),
    message: message === undefined ? null : { ...message, fault },
    walk: ['CREATED', ...(created === 'CREATED' ? [] : [created]), ...hideScan(way.walk)],
    sending_day: sendingDayOf(transfer, { book, now: at }),
    limits: limitsLeft(account, todayUtc(at)),
    funds: {
      currency,
      available: formatMoney(available, currency),
      needed: formatMoney(needed, currency),
      sufficient: available >= needed,
    },
    screening: foreseen === undefined ? null : screeningWord(foreseen),
    payee_check: policy === undefined || !isVerifiable(transfer) ? null : payeeCheckOf(preview, policy),
  }
}

/** Another venture's resource looks like one that does not exist. */
function refusedRun({ refusal, account, policy }: Exclude<Awaited<ReturnType<typeof previewTransfer>>, Preview>, now: Date): DryRun {
  if (catalogue[refusal.code].status === 404 || account === undefined) throw refusal
  const available = formatMoney(account.current - account.reserved, account.currency)
  return {
    accepted: false,
    refusal: stopOf(refusal),
    transfer: null,
    walk: [],
    stopped_by: null,
    waits_for: null,
    waits_until: null,
    sending_day: null,
    message: null,
    limits: limitsLeft(account, todayUtc(now)),
    screening: null,
    funds: { currency: account.currency, available, needed: null, sufficient: null },
    payee_check: policy === undefined ? null : { policy: policy.payee_check, result: null, matched_name: null, valid_until: null },
  }
}

const stopOf = ({ code, message }: Refusal): Stop => ({ code, detail: message })

type Way = Pick<DryRun, 'walk' | 'stopped_by' | 'waits_for' | 'waits_until'>

/** The venture processes its own transfers. */
const own: Way = { walk: [], stopped_by: null, waits_for: 'venture', waits_until: null }

/** Takes the transfer as far as the bank would now. */
function walk(
  preview: Preview,
  { screening, alert, policy, book, now, isCarried }: Awaited<ReturnType<Outlook>> & Omit<Foreseen, 'standing'> & { isCarried: boolean },
): Way {
  const { transfer } = preview
  const steps: TransferStatus[] = []
  for (let walks = 0; walks < mostWalks; walks++) {
    const whole = advance({ ...situationOf(preview.standing, policy, { book, now }), screening, alert })
    const plan = isCarried ? whole : withoutSending(whole)
    if (plan.kind !== 'walk') {
      const waits_until = plan.kind === 'wait' && plan.until !== undefined ? plan.until.toISOString() : null
      return { walk: steps, stopped_by: null, waits_for: waitOf(transfer, waits_until), waits_until }
    }
    const refusal = preview.move(plan.steps, plan.reason)
    if (refusal !== undefined) return { walk: steps, stopped_by: stopOf(refusal), waits_for: null, waits_until: null }
    steps.push(...plan.steps)
  }
  throw new Error(`the plan of a transfer has no end: ${steps.join(' ')}`)
}

const waits: Partial<Record<TransferStatus, (typeof waitsFor)[number]>> = {
  TO_SIGN: 'signature',
  TO_RESERVE: 'funds',
  READY_FOR_SCREENING: 'screening',
  REVIEW: 'review',
  READY_TO_CLEAR: 'other_bank',
  SENT_TO_PACK: 'other_bank',
  SENT_TO_CLEAR: 'other_bank',
}

function waitOf({ status }: TransferRow, until: string | null): (typeof waitsFor)[number] | null {
  if (status === 'COMPLETED' || status === 'REJECTED') return null
  return until === null ? (waits[status] ?? 'bank') : 'sending_day'
}

/** Before a review, the progress of the scan would reveal whether a list or a rule stopped the transfer. */
function hideScan(steps: readonly TransferStatus[]): TransferStatus[] {
  return steps.at(-1) === 'REVIEW' ? steps.filter((status) => !scanStatuses.includes(status)) : [...steps]
}

/** All that a venture learns about screening. */
function screeningWord({ screening, alert }: Awaited<ReturnType<Outlook>>): NonNullable<DryRun['screening']> {
  if (screening === 'UNLOADED') return 'NOT_AVAILABLE'
  return screening === 'CLEAR' && alert === undefined ? 'CLEAR' : 'UNDER_REVIEW'
}

function payeeCheckOf({ verification, transfer }: Preview, { payee_check }: Policy): NonNullable<DryRun['payee_check']> {
  const found = transfer.payee_verification_id === null ? undefined : verification
  return {
    policy: payee_check,
    result: found?.result ?? null,
    matched_name: found?.matched_name ?? null,
    valid_until: found === undefined ? null : validUntil(found),
  }
}
