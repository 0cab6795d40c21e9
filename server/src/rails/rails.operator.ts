// What the bank's people see of the rails, and what they decide: packs and messages, when packs leave, which banks are reached, and that a
// pack was not sent.
import {
  type Approval,
  type ApprovalHandler,
  type Approvals,
  actOrRequest,
  actTogether,
  type Change,
  changesOf,
  requireSequence,
  subjectOf,
} from '../audit/audit.ts'
import { type CaseHandler, decidedToo, findOpenCases } from '../cases/cases.ts'
import { txIdOf } from '../iso20022/iso20022.ts'
import type { By } from '../platform/actor.ts'
import { idOfName } from '../platform/bound-id.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { Columns, fragment, listed, read } from '../platform/database/sql.ts'
import { byTime, equals, type Filters, pageOf } from '../platform/http/lists.ts'
import { shown } from '../platform/http/shown.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { isInstant, newestParticipation, type Rail, writeChange } from '../schemes/schemes.ts'
import { either, refuse } from '../values/refusals.ts'
import { houseId } from '../ventures/ventures.ts'
import {
  changedPack,
  lockPack,
  lockSettings,
  type PackRow,
  type PackState,
  replaceReachable,
  selectPack,
  selectPaymentsOf,
  selectReachable,
  writePack,
} from './packs/rails.packs.sql.ts'
import { paymentStates, unansweredStates, unsentStates } from './packs/rails.payments.ts'
import { writeSendAgain } from './rails.delivery.ts'
import {
  type Cycles,
  type MessageList,
  Pack,
  type PackList,
  type PackWithPayments,
  RailMessage,
  RailPayment,
  type ReachableBanks,
} from './rails.schemas.ts'

const packColumns = new Columns(Object.keys(Pack.properties))

const packFilters: Filters<PackList> = {
  state: equals(fragment`state`),
  rail: equals(fragment`rail`),
  message_id: equals(fragment`message_id`),
}

export function listPacks(database: Database, query: PackList): Promise<Pack[]> {
  return database.rows(read<Pack>`select ${packColumns} from rail_packs ${pageOf(query, packFilters)}`)
}

export async function getPack(database: Database, id: string): Promise<PackWithPayments> {
  const pack = await findPack(database, id)
  const payments = await selectPaymentsOf(database, id, paymentStates)
  return { ...shown(Pack, pack), payments: payments.map((payment) => shown(RailPayment, payment)) }
}

async function findPack(database: Database, id: string): Promise<PackRow> {
  return (await database.first(selectPack(id))) ?? refuse('pack_not_found')
}

const messageColumns = new Columns(Object.keys(RailMessage.properties).filter((name) => name !== 'size_bytes'))

const unsent = listed(unsentStates)

const messageFilters: Filters<MessageList> = {
  direction: equals(fragment`direction`),
  state: equals(fragment`state`),
  type: equals(fragment`type`),
  pack_id: equals(fragment`pack_id`),
  transfer_id: (id) => fragment`id in (
    select message.id from rail_payments payment join rail_messages message on message.pack_id = payment.pack_id
    where payment.tx_id = ${txIdOf(id)} and payment.state not in (${unsent})
    union select message_id from rail_applied where transfer_id = ${id}
    union select message_id from rail_applied where booked_id = ${id}
    union select id from recalls where transfer_id = ${id})`,
}

/** The ids of received files are derived from the files, so that each is stored once. */
const messageOrder = byTime((id) => fragment`select created_at, id from rail_messages where id = ${id}`)

export function listMessages(database: Database, query: MessageList): Promise<RailMessage[]> {
  return database.rows(read<RailMessage>`
    select ${messageColumns}, octet_length(body) as size_bytes from rail_messages
    ${pageOf(query, messageFilters, messageOrder)}`)
}

export async function getMessage(database: Database, id: string): Promise<RailMessage> {
  const found = await database.first(read<RailMessage>`
    select ${messageColumns}, octet_length(body) as size_bytes from rail_messages where id = ${id}`)
  return found ?? refuse('message_not_found')
}

/** The bytes as sent or received. */
export async function getMessageFile(database: Database, id: string): Promise<{ file: string; body: Buffer }> {
  const found = await database.first(read<{ file: string; body: Buffer }>`select file, body from rail_messages where id = ${id}`)
  return found ?? refuse('message_not_found')
}

/** As decided last, whether or not that is in force yet. */
export async function getCycles(database: Database, rail: Rail): Promise<Cycles> {
  return { cut_offs: (await newestParticipation(database, rail)).cut_offs }
}

/** A part of the participation. With four-eyes approval, two people decide when packs leave. */
export function setCycles(approvals: Approvals, rail: Rail, { cut_offs }: Cycles, by: By): Promise<Cycles | Approval> {
  const wanted = { venture_id: bankId, action: cyclesAction, resource_id: idOfName(`cycles ${rail}`), payload: { rail, cut_offs } }
  return actOrRequest(approvals, wanted, by, (allowed) => changeCycles(approvals.database, { rail, cut_offs }, allowed))
}

type RailCycles = Cycles & { rail: Rail }

async function changeCycles(database: Database, change: RailCycles, by: By): Promise<Cycles> {
  const { cut_offs } = await writeChange(database, change, by)
  return { cut_offs }
}

/** In one line, without duplicates. */
const namesOf = (names: Iterable<string>): string | null => [...new Set(names)].sort().join(', ') || null

export async function getReachableBanks(database: Database, rail: Rail): Promise<ReachableBanks> {
  return { bics: (await database.rows(selectReachable(rail))).map(({ bic8 }) => bic8) }
}

/** With four-eyes approval, two people decide which banks a rail reaches. */
export function setReachableBanks(approvals: Approvals, rail: Rail, { bics }: ReachableBanks, by: By): Promise<ReachableBanks | Approval> {
  const wanted = { venture_id: bankId, action: reachableAction, resource_id: idOfName(`reachable banks ${rail}`), payload: { rail, bics } }
  return actOrRequest(approvals, wanted, by, (allowed) => changeReachableBanks(approvals.database, { rail, bics }, allowed))
}

/** How many banks there are, and which are added and removed. */
type RailLists = { banks: string; removed: string | null; added: string | null }
type RailBanks = ReachableBanks & { rail: Rail }

async function changeReachableBanks(database: Database, { rail, bics }: RailBanks, by: By): Promise<ReachableBanks> {
  await replacing(database, by, async (tx) => {
    const before = new Set((await tx.rows(selectReachable(rail))).map(({ bic8 }) => bic8))
    const after = new Set(bics.map((bic) => bic.slice(0, 8)))
    await replaceReachable(tx, rail, [...after])
    return changesOf<RailLists>(
      ['banks', 'removed', 'added'],
      { banks: String(before.size), removed: namesOf(before.difference(after)) },
      { banks: String(after.size), added: namesOf(after.difference(before)) },
    )
  })
  return getReachableBanks(database, rail)
}

/** One at a time, so that two people who change a list at once do not leave a mixture. A request that changes nothing needs no second person. */
async function replacing(database: Database, by: By, replace: (tx: Tx) => Promise<Change[]>): Promise<void> {
  await database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await lockSettings(tx)
      const changes = await replace(tx)
      if (changes.length > 0 && !by.approved) refuse('approval_required', { sequence: 0 })
      by.witness?.(subjectOf({ changes }))
      return {}
    }),
  )
}

const cyclesAction = 'set-cycles'
const reachableAction = 'set-reachable-banks'

/** The states of packs whose payments certainly were not carried out, or of which two people may say so. */
export const declarableStates: readonly PackState[] = ['REFUSED', 'UNKNOWN', 'INVALID']

const declareAction = 'declare-pack-not-sent'

/** With four-eyes approval, a second person has to agree. The payments follow one by one: see rails.resend.ts. */
export async function declareNotSent({ database, approvals }: Deciding, id: string, by: By): Promise<Pack | Approval> {
  const { sequence } = await findPack(database, id)
  const request = { venture_id: bankId, action: declareAction, resource_id: id, sequence, payload: { pack_id: id } }
  return actTogether(approvals, request, by, (allowed) => declare(database, id, { ...allowed, sequence }))
}

type Deciding = { database: Database; approvals: Approvals }

/** A case about the pack has nothing left to decide. */
async function declare(database: Database, id: string, by: By & { isCase?: boolean }): Promise<Pack> {
  const open = by.isCase ? [] : await findOpenCases({ database }, { venture_id: houseId, resource_id: id, kinds: ['delivery'] })
  const companions = [...(by.companions ?? []), ...open.map((one) => decidedToo(one, 'declare_not_sent', by.actor))]
  return changePack(database, id, { ...by, companions }, declarableStates, () => ({ state: 'NOT_SENT', reason: 'declared_not_sent' }))
}

function changePack(
  database: Database,
  id: string,
  { sequence, companions }: By,
  states: readonly PackState[],
  change: (tx: Tx, pack: PackRow, at: string) => Partial<PackRow>,
): Promise<Pack> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const pack = (await lockPack(tx, id)) ?? refuse('pack_not_found')
      requireSequence(pack, sequence)
      if (!states.includes(pack.state))
        refuse('pack_state_not_allowed', { detail: `The pack is ${pack.state}; it must be ${either(states)}.`, current_state: pack.state })
      const at = now().toISOString()
      const changed = changedPack(pack, change(tx, pack, at), at)
      writePack(tx, changed)
      return shown(Pack, changed)
    }),
  )
}

export function railApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: declareAction,
      operations: ['declarePackNotSent'],
      carryOut: ({ resource_id, sequence }, by) => declare(database, resource_id, { ...by, sequence }),
    },
    {
      action: cyclesAction,
      operations: ['setCycles'],
      carryOut: async ({ resource_id: id, payload, sequence }, by) => ({
        id,
        ...(await changeCycles(database, payload as RailCycles, { ...by, approved: true, sequence })),
      }),
    },
    {
      action: reachableAction,
      operations: ['setReachableBanks'],
      carryOut: async ({ resource_id: id, payload }, by) => ({
        id,
        ...(await changeReachableBanks(database, payload as RailBanks, { ...by, approved: true })),
      }),
    },
  ]
}

/** The decisions that fit a pack. Once everything is answered, the case can only be closed. */
const allowedFor: Record<PackState, readonly string[]> = {
  OPEN: [],
  SEALED: ['send_again'],
  DELIVERED: [],
  ACKNOWLEDGED: [],
  REFUSED: ['declare_not_sent'],
  UNKNOWN: ['send_again', 'declare_not_sent'],
  INVALID: ['declare_not_sent'],
  NOT_SENT: [],
  DROPPED: [],
}

/** An instant payment is too late: delivered again, it could be carried out long afterwards. A file that is held back has never left. */
function mayRepeat({ rail, kind, state }: PackRow): boolean {
  return state === 'SEALED' || kind === 'RETURN' || !isInstant(rail)
}

/** The cases about packs: no answer, a message that could not be made, or a file that exists with other bytes. */
export function railCases(database: Database): Record<'delivery', CaseHandler> {
  return {
    delivery: {
      kind: 'delivery',
      decisions: { send_again: { needsTwo: true }, declare_not_sent: { needsTwo: true }, close: { needsTwo: false } },
      async look({ resource_id }) {
        const pack = await database.first(selectPack(resource_id))
        // A message without a pack, which a person has to look at.
        if (pack === undefined) return { subject: await getMessage(database, resource_id), allowed: ['close'] }
        const open = await selectPaymentsOf(database, pack.id, unansweredStates)
        const allowed =
          open.length === 0 ? ['close'] : allowedFor[pack.state].filter((decision) => decision !== 'send_again' || mayRepeat(pack))
        return { subject: shown(Pack, pack), allowed, sequence: pack.sequence }
      },
      decide({ resource_id: id }, { decision }, by) {
        if (decision === 'declare_not_sent') return declare(database, id, { ...by, isCase: true })
        if (decision === 'send_again') return sendAgain(database, id, by)
        return closeCase(database, id, by)
      },
    },
  }
}

/** The same file under the same name: a recipient that already has it ignores it. The time limit for the answer starts again. */
function sendAgain(database: Database, id: string, by: By): Promise<Pack> {
  return changePack(database, id, by, ['SEALED', 'UNKNOWN'], (tx, pack, at) => {
    writeSendAgain(tx, pack.id, at)
    return { state: 'SEALED', reason: null }
  })
}

function closeCase(database: Database, id: string, { companions }: By): Promise<{ id: string }> {
  return database.transaction((tx) => accompanied(tx, companions, async () => ({ id })))
}
