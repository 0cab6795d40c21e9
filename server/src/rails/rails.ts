// Rails: how payments leave the bank and arrive. Packs and their steps, messages as sent and received, and the exchange of files.

import { folderExchange } from './exchange/rails.exchange.folder.ts'
import { sftpExchange } from './exchange/rails.exchange.sftp.ts'
import { DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile } from './exchange/rails.exchange.ts'
import type { StatementMessage } from './inbox/rails.appliers.ts'
import { type Applying, openApplying } from './inbox/rails.apply.ts'
import { inboxCases } from './inbox/rails.cases.ts'
import type { StoredMessage } from './inbox/rails.inbox.sql.ts'
import { type ApplyStatement, Inbox } from './inbox/rails.inbox.ts'
import { askAboutInstants } from './instants/rails.instants.ask.ts'
import { instantJobs } from './instants/rails.instants.settle.ts'
import { findAwaited } from './instants/rails.instants.sql.ts'
import type { CollectionMandate, Composed } from './packs/rails.contents.ts'
import { activeMandates } from './packs/rails.mandates.ts'
import type { InstantTimeout, Sources } from './packs/rails.packing.ts'
import { spentStates, standingStates, unsentStates, voidStates, waitingStates, withdrawnStates } from './packs/rails.payments.ts'
import type { Facts } from './rails.facts.ts'
import { type ForeseenMessage, foreseeMessage } from './rails.foreseen.ts'
import { railApprovals, railCases } from './rails.operator.ts'
import { cameByRail, returnJobs, returnsOf } from './rails.returns.ts'
import { Sending } from './rails.sending.ts'
import type { ExchangeAddress } from './rails.settings.ts'
import { timeOutInstants } from './rails.timeouts.ts'
import { Recall } from './recalls/rails.recalls.schemas.ts'
import type { Recalls } from './recalls/rails.recalls.ts'

export type {
  Applying,
  ApplyStatement,
  CollectionMandate,
  Composed,
  Facts,
  FileExchange,
  ForeseenMessage,
  InstantTimeout,
  OutgoingFile,
  Recalls,
  Sources,
  StatementMessage,
  StoredMessage,
}
export {
  activeMandates,
  askAboutInstants,
  cameByRail,
  DifferentFile,
  FileTooLarge,
  findAwaited,
  foreseeMessage,
  Inbox,
  inboxCases,
  instantJobs,
  openApplying,
  Recall,
  railApprovals,
  railCases,
  returnJobs,
  returnsOf,
  Sending,
  spentStates,
  standingStates,
  timeOutInstants,
  unsentStates,
  voidStates,
  waitingStates,
  withdrawnStates,
}

/** The exchange from the settings; undefined if none is set. */
export function fileExchangeOf(address: ExchangeAddress | undefined): FileExchange | undefined {
  if (address === undefined) return undefined
  return address.kind === 'folder' ? folderExchange(address.path) : sftpExchange(address)
}
