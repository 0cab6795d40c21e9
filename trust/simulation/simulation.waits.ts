// For whom a transfer waits that the bank processes, as a reader of the design would say it. It shares only types and the calendar with the
// planner. A transfer that has not ended and waits for nobody is stuck.
import { subtractTargetDays } from '../../server/src/values/calendar.ts'
import type { Money } from '../../server/src/values/money.ts'
import { booksOnly, isOver, isReceiving, type Noted } from './simulation.model.ts'

/** What a reader has to know besides the transfer. */
export type Surroundings = {
  now: Date
  venture_active: boolean
  /** A client who pays, or is paid inside the venture, is blocked; the bank has frozen the account. */
  barred: boolean
  frozen: boolean
  /** What the account has, what the transfer costs, and since when it has waited for the difference. */
  available: Money
  cost: Money
  waitingSince: number
  funds_wait_h: number
  loaded: boolean
  /** The other bank has said all that it will say. */
  silent: boolean
  /** The last move was one of a person or of a rail, and not planned. */
  movedByOthers: boolean
  hasCase: boolean
  /** The planner has put it on hold because of a blocked client. */
  heldForBlock: boolean
}

const leads: Record<string, number> = { SEPA: 1, SDD: 1, SWIFT: 2, DOMESTIC: 2 }

const underWay =
  /^(CREATED|SIGNED|TO_RESERVE|RESERVED|RECEIVED|READY_FOR_SCREENING|\w+_SCANNING|AML_APPROVED|READY_TO_CLEAR|TO_RESEND|SENT_TO_PACK|PACKED)$/

export function waitsFor(noted: Noted, around: Surroundings): string | undefined {
  const { transfer, status, sent, received, heldByBank } = noted
  const { direction, method, transfer_type } = transfer
  if (isOver(status)) return 'nobody, it has ended'
  if (booksOnly.includes(transfer_type) || method === 'CARD' || transfer_type.startsWith('CARD_'))
    return 'the bank, which processes such types itself'
  if (status === 'TO_SIGN') return 'a signature'
  if (status === 'REVIEW') return around.movedByOthers || around.hasCase ? 'a decision' : undefined
  if (status === 'ON_HOLD') {
    if (!heldByBank) return 'the venture, which holds it'
    if (!around.heldForBlock) return 'the bank, which holds it'
    return around.barred || !around.venture_active || around.frozen ? 'the client to be unblocked' : undefined
  }
  if (status === 'CREDIT_TECH_BALANCE') return around.movedByOthers || around.hasCase ? 'a decision' : undefined
  if (/^(MANUAL_ACTION|SOME_PROBLEMS|TO_RETURN)$/.test(status)) return 'a person of the bank'
  if (sent) return /^(SENT_TO_CLEAR|ACCEPTED|TO_CANCEL)$/.test(status) && around.silent ? 'the other bank' : undefined
  const stopped = !around.venture_active ? 'the venture to be enabled' : stopOf(noted, around)
  if (stopped !== undefined && underWay.test(status)) return stopped
  const collected = method === 'SDD' && direction === 'OUTBOUND'
  if (/^(CREATED|SIGNED)$/.test(status)) {
    if ((isReceiving(noted) || collected) && !received) return 'the other bank'
    const starts = subtractTargetDays(transfer.settlement_date, leads[method] ?? 0)
    return around.now < new Date(`${starts}T00:00:00Z`) ? 'its sending day' : undefined
  }
  if (status === 'READY_FOR_SCREENING' && !around.loaded) return 'the lists'
  if (/_SCANNING$/.test(status) && !around.loaded && around.movedByOthers) return 'the lists'
  if (
    /^(AML_APPROVED|TO_RESERVE|RESERVED|ACCEPTED)$/.test(status) &&
    collected &&
    around.now < new Date(`${transfer.settlement_date}T00:00:00Z`)
  )
    return 'its due date'
  const inTime = around.now.getTime() < around.waitingSince + around.funds_wait_h * 3_600_000
  return status === 'TO_RESERVE' && around.available < around.cost && inTime ? 'money' : undefined
}

function stopOf({ transfer }: Noted, { barred, frozen }: Surroundings): string | undefined {
  if (transfer.direction === 'INBOUND') return undefined
  if (frozen) return 'the account to be unfrozen'
  return barred ? 'the client to be unblocked' : undefined
}
