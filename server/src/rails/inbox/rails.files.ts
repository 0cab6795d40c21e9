// What a received file is: a message to apply, or one that is refused whole, with the reason. There are three kinds of reasons: the bytes
// cannot be read (`fileFaults`), they are not a message (`faults` of iso20022), or the message is not for us (`contentFaults`).
import { hash } from 'node:crypto'
import { limits, MessageFault, type ReadMessage } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { type FileTooLarge, fileFaults, shownName, UnusableFile } from '../exchange/rails.exchange.ts'
import { isExpected } from './rails.appliers.ts'
import { idFrom } from './rails.apply.ts'
import type { ReceivedFile } from './rails.inbox.sql.ts'

/** Why a readable message is refused. The code is stored with the file, so it is never renamed. */
export const contentFaults = {
  not_expected: 'Other banks do not send messages of this type.',
  not_for_us: 'The message is addressed to another bank.',
  sender_is_us: 'The message says that this bank itself has sent it.',
  sender_not_allowed: 'Messages of this sender are not taken. RAILS_SENDERS, or a nostro at this bank, would allow them.',
  message_id_reused: 'The same bank has sent another message with this id.',
  not_applied: 'What the message says cannot be applied.',
} as const
export type ContentFault = keyof typeof contentFaults

/** `senders`: the senders that the message names. `through`: other banks that instructed a payment in it. */
type Named = { message_id: string; sender: string; senders: readonly string[]; through: readonly string[]; to: string | undefined }

/** The sender and the addressee of a message. A message without a sender comes from the operator of the exchange. */
function nameOf({ message }: ReadMessage): Named {
  const { message_id, instructing_bic, instructed_bic, from_bic, to_bic, statements, notifications, transactions } = message as {
    message_id: string
    instructing_bic?: string
    instructed_bic?: string
    from_bic?: string
    to_bic?: string
    statements?: readonly { account: { bic?: string } }[]
    notifications?: readonly { account: { bic?: string } }[]
    transactions?: readonly { instructing_bic?: string }[]
  }
  const holders = [...(statements ?? []), ...(notifications ?? [])].map(({ account }) => account.bic)
  const sender = (instructing_bic ?? from_bic ?? holders[0] ?? '').padEnd(11, 'X')
  const senders = [instructing_bic, from_bic, ...holders].filter((bic) => bic !== undefined)
  const through = (transactions ?? []).flatMap(({ instructing_bic: bic }) => bic ?? [])
  return { message_id, sender, senders, through, to: instructed_bic ?? to_bic }
}

/** Our own BIC, and those of the banks whose messages are accepted. */
export type Correspondence = { bic: string; senders: readonly string[] }

const isSameBank = (one: string, other: string): boolean => one.slice(0, 8) === other.slice(0, 8)

/** The faults that the message alone reveals. */
function faultOf(read: ReadMessage, { to, senders, through }: Named, ours: Correspondence): ContentFault | undefined {
  if (!isExpected(read.type)) return 'not_expected'
  if (to !== undefined && !isSameBank(to, ours.bic)) return 'not_for_us'
  if ([...senders, ...through].some((bic) => isSameBank(bic, ours.bic))) return 'sender_is_us'
  // A clearing system forwards what other banks have instructed.
  const isAllowed = senders.every((bic) => ours.senders.some((allowed) => isSameBank(bic, allowed)))
  return isAllowed ? undefined : 'sender_not_allowed'
}

export type Taken = { file: ReceivedFile; read: ReadMessage | undefined }

/** The same file under the same name always has the same id, so a retry after a crash does not store it twice. */
function fileOf(name: string, bytes: Uint8Array): Omit<ReceivedFile, 'state' | 'reason' | 'detail' | 'type' | 'message_id' | 'sender'> {
  const sha256 = hash('sha256', bytes)
  return { id: idFrom(`file ${name} ${sha256}`), file: shownName(name), sha256, body: bytes, created_at: now().toISOString() }
}

const unnamed = { type: null, message_id: null, sender: null } as const

/** A file with what was found in it. */
export function takenFile(name: string, bytes: Uint8Array, read: ReadMessage | MessageFault, ours: Correspondence): Taken {
  const file = fileOf(name, bytes)
  if (read instanceof MessageFault)
    return { file: { ...file, ...unnamed, state: 'REFUSED', reason: read.reason, detail: read.message.slice(0, 1000) }, read: undefined }
  const found = nameOf(read)
  const { message_id, sender } = found
  const named = { type: read.type, message_id, sender }
  const fault = faultOf(read, found, ours)
  if (fault !== undefined)
    return { file: refusedFile({ ...file, ...named, state: 'RECEIVED', reason: null, detail: null }, fault), read: undefined }
  return { file: { ...file, ...named, state: 'RECEIVED', reason: null, detail: null }, read }
}

export function refusedFile(file: ReceivedFile, reason: ContentFault, detail: string = contentFaults[reason]): ReceivedFile {
  return { ...file, state: 'REFUSED', reason, detail }
}

/** A file that was not read completely is not kept. The same file has the same id for the same reason; another file with its name has another id. */
export function unreadFile(name: string, fault: FileTooLarge | UnusableFile): ReceivedFile {
  const [reason, detail] =
    fault instanceof UnusableFile
      ? [fault.reason, fileFaults[fault.reason]]
      : ['too_large', `The file is not read, because it is larger than ${limits.file_bytes} bytes.`]
  const id = idFrom(`file ${shownName(name)} ${reason} ${fault.identity}`)
  return { ...fileOf(name, new Uint8Array()), ...unnamed, id, state: 'REFUSED', reason, detail }
}
