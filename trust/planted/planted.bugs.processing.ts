// Bugs in the planner and its worker: transfers that are stuck, that go on although they must not, or that end in the wrong way.
import type { Bug } from './planted.bug.ts'

const planner = 'processing/processing.planner.test.ts'
const worker = 'processing/processing.worker.test.ts'
const straight = 'processing/processing.straight.test.ts'
const simulation = '../../trust/simulation/simulation.test.ts'

const agrees = 'model and service agree for random seeds'

export const processingBugs: readonly Bug[] = [
  {
    name: 'frozen-account-planned',
    about: 'the planner takes further what is on an account that the bank has frozen, and is refused again and again',
    file: 'processing/processing.planner.ts',
    find: 'if (leaves && (account_frozen || (client_blocked && stopped_by_bank))) return forSomebody',
    replace: 'if (leaves && client_blocked && stopped_by_bank) return forSomebody',
    caughtBy: [
      { file: planner, name: 'what the bank has stopped waits for the bank' },
      { file: simulation, name: agrees },
    ],
  },
  {
    name: 'bank-block-ends-by-itself',
    about: 'what waits because the bank has blocked a client goes on by itself, and not by the bank',
    file: 'processing/processing.planner.ts',
    find: 'account_frozen || (client_blocked && stopped_by_bank)',
    replace: 'account_frozen',
    caughtBy: [{ file: planner, name: 'what the bank has stopped waits for the bank' }],
  },
  {
    name: 'cancellation-stopped',
    about: 'a cancellation waits until the client is no longer blocked',
    file: 'processing/processing.planner.ts',
    find: "if (transfer.status === 'TO_CANCEL') return planners.TO_CANCEL(situation)",
    replace: "if (transfer.status === 'TO_CANCEL' && transfer.sent) return planners.TO_CANCEL(situation)",
    caughtBy: [{ file: planner, name: 'giving up needs nobody: neither the client nor the venture nor the account' }],
  },
  {
    name: 'blocked-client-stays-in-pack',
    about: 'a payment of a client who was blocked stays in its pack, and nobody takes it out',
    file: 'processing/processing.planner.ts',
    find: "if (packing.has(transfer.status)) return { kind: 'walk', steps: ['READY_TO_CLEAR', 'ON_HOLD'], reason }",
    replace: "if (packing.has(transfer.status)) return { kind: 'wait' }",
    caughtBy: [{ file: planner, name: 'what a blocked client has in a pack is taken out of it' }],
  },
  {
    name: 'block-never-ends',
    about: 'what was put on hold because of a blocked client never goes on',
    file: 'processing/processing.planner.ts',
    find: 'return on_hold_from !== null && endsByItself(transfer)',
    replace: 'return on_hold_from !== null && endsByItself(transfer) && transfer.sent',
    caughtBy: [
      { file: planner, name: 'what a blocked client has not sent is put on hold, and goes on once the client is free' },
      { file: simulation, name: agrees },
    ],
  },
  {
    name: 'fee-not-counted',
    about: 'the planner forgets the fee when it looks for money, so an order is neither reserved nor rejected',
    file: 'transfers/deciding/transfers.standing.ts',
    find: '? 0n : costOf(transfer),',
    replace: '? 0n : fromNumeric(transfer.debit_amount),',
    caughtBy: [{ file: simulation, name: agrees }],
  },
  {
    name: 'no-end-without-parent',
    about: 'a return for which too little is left of its parent is tried again for ever',
    file: 'transfers/deciding/transfers.standing.ts',
    find: "covered: !(batch.attempt(() => requireStillCovered(batch, transfer, 'COMPLETED')) instanceof Refusal),",
    replace: 'covered: true,',
    caughtBy: [{ file: worker, name: 'a return for which too little is left of its parent ends' }],
  },
  {
    name: 'suspended-without-case',
    about: 'money for an account that was suspended meanwhile cannot wait for its decision',
    file: 'processing/processing.worker.ts',
    find: "with_case: opens === 'suspended' }",
    replace: 'with_case: false }',
    caughtBy: [{ file: worker, name: 'money for an account that was suspended while it waited has a case' }],
  },
  {
    name: 'packed-not-in-queue',
    about: 'what is in a pack when the service is killed is not taken up again',
    file: 'processing/processing.sql.ts',
    find: `'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR',
        'ACCEPTED')
      and not`,
    replace: `'SENT_TO_CLEAR',
        'ACCEPTED')
      and not`,
    caughtBy: [{ file: worker, name: 'what was interrupted in any status goes on, and makes no move twice' }],
  },
  {
    name: 'delay-outlives-change',
    about: 'a transfer that waits is not looked at before its time, whatever has happened to it',
    file: 'processing/processing.sql.ts',
    find: ' and delay.sequence = transfer.sequence',
    replace: '',
    caughtBy: [{ file: worker, name: 'what waits for its day and is recalled meanwhile is cancelled at once, and not on that day' }],
  },
  {
    name: 'outage-delays',
    about: 'what could not be written during an outage waits like what was refused',
    file: 'processing/processing.worker.ts',
    find: "'unavailable', 'outcome_unknown']",
    replace: "'unavailable']",
    caughtBy: [{ file: worker, name: 'what could not be written because the database was away is planned again in the next round' }],
  },
  {
    name: 'recall-forgotten',
    about: 'a payment that was recalled and refused by the other bank ends as if nobody had recalled it',
    file: 'processing/processing.exchange.ts',
    find: "status === 'TO_CANCEL' && answer.status === 'REJECTED' ? 'CANCELLED' : answer.status",
    replace: "status === 'TO_CANCEL' && answer.status === 'ACCEPTED' ? 'CANCELLED' : answer.status",
    caughtBy: [{ file: worker, name: 'a recalled payment waits for its end' }],
  },
  {
    name: 'sdd-return-rejected',
    about: 'a collection that came back is rejected if the client has no money, although the scheme has taken it already',
    file: 'processing/processing.planner.ts',
    find: "const forced = flow === 'collected' && transfer.transfer_type !== 'PAYMENT'",
    replace: "const forced = flow === 'book' && transfer.transfer_type !== 'PAYMENT'",
    caughtBy: [{ file: planner, name: 'what the scheme has done is booked, even if there is no money' }],
  },
  {
    name: 'uncovered-return-stuck-in-pack',
    about: 'a return in a pack that no longer fits is planned for ever and never ends',
    file: 'processing/processing.planner.ts',
    find: "  ['TO_CANCEL', 'CANCELLED'],\n",
    replace: '',
    caughtBy: [{ file: planner, name: 'a return for which too little is left of its parent ends' }],
  },
  {
    name: 'worker-deaf',
    about: 'a worker does not take up what others have committed, only what it is told of',
    file: 'processing/processing.worker.ts',
    find: '=> !this.#wakeQueue.has(id))',
    replace: '=> this.#wakeQueue.has(id))',
    caughtBy: [{ file: worker, name: 'two workers at the same time make no move twice' }],
  },
  {
    name: 'worker-stopped-by-a-note',
    about: 'a note of the venture makes the worker believe that the transfer has moved, for ever',
    file: 'processing/processing.worker.ts',
    find: 'sequence: decidingSequence(transfer), actor, update,',
    replace: 'sequence: transfer.sequence, actor, update,',
    caughtBy: [{ file: 'processing/processing.test.ts', name: 'a note of the venture does not stop its payment' }],
  },
  {
    name: 'straight-on-with-a-hit',
    about: 'an order with somebody on a list goes on in the transaction that creates it',
    file: 'screening/screening.compare.ts',
    find: 'return one === undefined || one.raised.length > 0 ? undefined : concluded(one, subject, request, nothing)',
    replace: 'return one === undefined ? undefined : concluded({ ...one, raised: [] }, subject, request, nothing)',
    caughtBy: [{ file: straight, name: 'somebody on a list: the same in one transaction as by the worker' }],
  },
  {
    name: 'straight-on-without-rules',
    about: 'an order goes on in the transaction that creates it although the venture has rules',
    file: 'processing/processing.worker.ts',
    find: "advance(situation).kind === 'screen' && situation.policy.rules.length === 0",
    replace: "advance(situation).kind === 'screen'",
    caughtBy: [{ file: straight, name: 'the venture has rules: the same in one transaction as by the worker' }],
  },
  {
    name: 'straight-on-without-time-limit',
    about: 'a create waits, with its accounts locked, until the thread that compares names answers',
    file: 'screening/screening.compare.ts',
    find: 'const timer = setTimeout(() => late.resolve(undefined), within_ms)',
    replace: 'const timer = setTimeout(() => undefined, within_ms)',
    caughtBy: [{ file: straight, name: 'what takes too long, and what cannot be compared now, is left to the worker' }],
  },
  {
    name: 'straight-on-with-old-lists',
    about: 'an order goes on although the list that it was compared with has been replaced',
    file: 'transfers/writing/transfers.continue.ts',
    find: 'if (acquired.blockOf(index) !== undefined) return undefined',
    replace: '',
    caughtBy: [{ file: straight, name: 'a list that is replaced meanwhile: the order stands, and is compared with the new one' }],
  },
]
