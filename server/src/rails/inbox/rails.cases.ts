// The cases of the inbox: messages and transactions that could not be applied, and payments that other banks want back.

import { type CaseHandler, type Decision, decidedToo, findOpenCases } from '../../cases/cases.ts'
import { MessageFault, txIdOf } from '../../iso20022/iso20022.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { shown } from '../../platform/http/shown.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { caseKinds } from '../../transfers/life/transfers.cases.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { Transfer } from '../../transfers/life/transfers.schemas.ts'
import { waitingStatus } from '../../transfers/life/transfers.status.ts'
import { createTransfer, findStandings, type Key, updateTransfer } from '../../transfers/transfers.ts'
import { fromNumeric } from '../../values/money.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { insertSealed, makeMessageId, prepareMessage, type SealedMessage } from '../rails.messages.ts'
import { Recall, RecallRefusal } from '../recalls/rails.recalls.schemas.ts'
import { lockRecall, type RecallAnswer, type RecallRow, selectRecall, writeAnswer } from '../recalls/rails.recalls.sql.ts'
import { unitsOf } from './rails.appliers.ts'
import { type Applying, applyOnce, conclude, messageCase, type Place } from './rails.apply.ts'
import { takenFile } from './rails.files.ts'
import { findMessage, findNamesake, findReceived, getBody, readmit, selectStored } from './rails.inbox.sql.ts'
import type { InboxOptions } from './rails.inbox.ts'
import { recallCase } from './rails.recalled.ts'

export type InboxCases = Applying & Pick<InboxOptions, 'reader' | 'allowedSenders'>

type MessagePayload = { rail_message_id: string; position?: number }

export function inboxCases(context: InboxCases): Record<typeof messageCase | typeof recallCase, CaseHandler> {
  return {
    [messageCase]: {
      kind: messageCase,
      // A dropped message may have been about money.
      decisions: { retry: { needsTwo: false }, drop: { needsTwo: true } },
      look: async ({ payload }) => {
        const { rail_message_id, position = null } = payload as MessagePayload
        const message = (await findMessage(context.database, rail_message_id)) ?? null
        return { subject: { message, position }, allowed: ['retry', 'drop'] }
      },
      decide: ({ resource_id, payload }, { decision }, by) => decideMessage(context, resource_id, payload as MessagePayload, decision, by),
    },
    [recallCase]: {
      kind: recallCase,
      // Money leaves, or a client keeps it although another bank asks for it.
      decisions: { accept: { needsTwo: true }, refuse: { needsTwo: true, details: RecallRefusal } },
      look: ({ venture_id, resource_id }) => lookAtRecall(context, { venture_id, id: resource_id }),
      decide: ({ venture_id, resource_id }, decision, by) => decideRecall(context, { venture_id, id: resource_id }, decision, by),
    },
  }
}

async function decideMessage(
  context: InboxCases,
  resource_id: string,
  payload: MessagePayload,
  decision: string,
  by: By,
): Promise<{ id: string }> {
  const { rail_message_id: id, position } = payload
  const again = by.companions ?? []
  if (position === undefined) {
    if (decision === 'retry') await readAgain(context, id, again)
    else await context.database.transaction((tx) => accompanied(tx, again, async () => ({ id })))
    return { id: resource_id }
  }
  const message = (await context.database.first(selectStored(id))) ?? refuse('message_not_applied')
  const place: Place = { message, position, again }
  if (decision === 'drop') await conclude(context, place, 'dropped')
  else await applyAgain(context, place)
  return { id: resource_id }
}

/** Reads a refused file again, by the current rules. The inbox applies it. */
async function readAgain(context: InboxCases, id: string, companions: readonly Companion[]): Promise<void> {
  const { database, reader, transfers, allowedSenders } = context
  const known = (await findMessage(database, id)) ?? refuse('message_not_applied')
  const bytes = await getBody(database, id)
  const read = await reader.read(bytes).catch((error: unknown) => {
    if (error instanceof MessageFault) return error
    throw error
  })
  const { file } = takenFile(known.file, bytes, read, { bic: transfers.bank.bic, senders: await allowedSenders() })
  if (file.state === 'REFUSED') refuse('message_not_applied', { detail: file.detail ?? '', problem: file.reason })
  const namesake = await findNamesake(database, file)
  if (namesake !== undefined)
    refuse('message_not_applied', {
      detail: 'The same bank has already sent another message with this id.',
      problem: 'message_id_reused',
    })
  const { type, message_id, sender } = file
  await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if ((await readmit(tx, { id, type, message_id, sender, now: now().toISOString() })) === 0) refuse('resource_changed')
      return { id }
    }),
  )
}

/** Applies one transaction of a message again. If it still cannot be applied, the decision is refused. */
async function applyAgain(context: InboxCases, place: Place): Promise<void> {
  const { database, reader } = context
  const read = await reader.read(await getBody(database, place.message.id))
  const units = await unitsOf(context, place.message, read)
  const unit = units.find(({ position }) => position === place.position) ?? refuse('message_not_applied')
  await applyOnce(context, place, unit)
}

async function getRecall({ database }: Applying, key: Key): Promise<RecallRow> {
  return (await database.first(selectRecall(key))) ?? refuse('case_not_found')
}

/** The transfer that brought a payment; undefined if the house has the money. */
async function findTransfer({ transfers }: Applying, { venture_id, transfer_id: id }: RecallRow): Promise<TransferRow | undefined> {
  if (venture_id === houseId) return undefined
  const [standing] = await findStandings(transfers, [{ venture_id, id }])
  return standing?.transfer
}

async function lookAtRecall(context: InboxCases, key: Key) {
  const recall = await getRecall(context, key)
  const transfer = await findTransfer(context, recall)
  const subject = {
    recall: shown(Recall, recall),
    transfer: transfer === undefined ? null : shown(Transfer, transfer),
    unapplied_payment: recall.venture_id === houseId ? await context.facts.getUnapplied(recall.transfer_id) : null,
  }
  return { subject, allowed: recall.state === 'REQUESTED' ? ['accept', 'refuse'] : [] }
}

type Answered = RecallAnswer & { sealed: SealedMessage | undefined }

/** The answer to a recall, together with its effect. */
const recallAnswers: CompanionKind<Answered, unknown> = {
  name: 'recalls',
  async acquire(tx, rows, wait) {
    const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const states = new Map(await Promise.all(sorted.map(async (row) => [row.id, (await lockRecall(tx, row, wait))?.state] as const)))
    return rows.map(({ id }) => {
      const state = states.get(id)
      if (state === 'REQUESTED') return 'granted'
      return state === undefined && !wait ? 'held' : new Refusal('resource_changed', { detail: 'The recall has been answered.' })
    })
  },
  write(tx, granted) {
    for (const { row } of granted) {
      writeAnswer(tx, row, now().toISOString())
      if (row.sealed !== undefined) insertSealed(tx, row.sealed, now())
    }
  },
}

async function decideRecall(context: InboxCases, key: Key, { decision, details }: Decision, by: By): Promise<{ id: string }> {
  const recall = await getRecall(context, key)
  if (decision === 'refuse') {
    const { reason } = details as RecallRefusal
    const sealed = await refusalOf(context, recall, reason)
    const answer = companion(recallAnswers, { ...key, state: 'REFUSED', answer_reason: reason, sealed })
    await context.database.transaction((tx: Tx) => accompanied(tx, [answer, ...(by.companions ?? [])], async () => ({ id: key.id })))
    return { id: key.id }
  }
  const accepted = companion(recallAnswers, { ...key, state: 'ACCEPTED', answer_reason: null, sealed: undefined })
  await giveBack(context, recall, { ...by, companions: [accepted, ...(by.companions ?? [])] })
  return { id: key.id }
}

/** The money goes back from where it is. The return itself is the answer. */
async function giveBack(context: InboxCases, recall: RecallRow, by: By): Promise<void> {
  const { transfers, facts, database } = context
  const { venture_id, transfer_id } = recall
  const open = await findOpenCases({ database }, { venture_id, resource_id: transfer_id, kinds: caseKinds })
  const companions = [...(by.companions ?? []), ...open.map((one) => decidedToo(one, 'return', by.actor))]
  if (venture_id === houseId) {
    await facts.returnUnapplied(transfer_id, { ...by, companions })
    return
  }
  const transfer = (await findTransfer(context, recall)) ?? refuse('transfer_not_found')
  const { actor, approved = false } = by
  if (transfer.status === waitingStatus) {
    const update = { status: 'TO_RETURN', status_reason: 'The payment was recalled.', status_reason_code: 'FOCR' } as const
    await updateTransfer(transfers, { venture_id, transfer_id, update, steps: ['REJECTED'], with_case: true, actor, approved, companions })
    return
  }
  if (transfer.status !== 'COMPLETED')
    refuse('recall_not_possible', {
      detail: `The payment is ${transfer.status}. It can be given back once it has been credited, or while it waits for its account.`,
      current_status: transfer.status,
    })
  const id = uuidv7()
  const order = {
    account_id: transfer.account_id,
    unique_reference: id,
    direction: 'OUTBOUND' as const,
    transfer_type: 'PAYMENT_RETURN' as const,
    parent_transaction_id: transfer_id,
    debit_amount: transfer.credit_amount,
    purpose: 'The payment was recalled.',
  }
  await createTransfer(transfers, { id, venture_id, order, actor, approved, steps: ['RESERVED'], companions: by.companions })
}

/** Our camt.029. Its row has the id of the recall, because a recall is refused only once. */
async function refusalOf(
  { database, transfers: { bank, participations } }: InboxCases,
  recall: RecallRow,
  reason: string,
): Promise<SealedMessage> {
  const { venture_id, transfer_id, other_bic, id } = recall
  const received = await findReceived(database, { venture_id, id: transfer_id })
  const moment = now()
  const message = {
    message_id: await makeMessageId(database, { bic: bank.bic, letter: 'N', now: moment }),
    created_at: moment.toISOString(),
    from_bic: bank.bic,
    to_bic: other_bic,
    status: 'RJCR',
    transactions: [
      {
        cancellation_status_id: txIdOf(id),
        ...(received && {
          original_message_id: received.message_id,
          original_message_type: received.message_type,
          original_end_to_end_id: received.end_to_end_id,
          original_tx_id: received.tx_id,
          original_amount: fromNumeric(received.amount),
          original_currency: received.currency,
        }),
        status: 'RJCR' as const,
        reasons: [{ originator_bic: bank.bic, code: reason }],
      },
    ],
  }
  const envelope = received && (await participations.current()).termsOf(received.rail, moment)?.envelope
  return prepareMessage({ type: 'camt.029.001.09', message, envelope }, bank.bic, id)
}
