// Bugs in how payments leave the bank: sent twice, lost, or sent although somebody has stopped them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const packs = 'rails/packs/rails.packs.test.ts'
const contents = 'rails/packs/rails.contents.test.ts'
const decisions = 'rails/rails.operator.test.ts'
const exchanges = 'rails/exchange/rails.exchange.test.ts'

const cancels = 'who cancels before the commit takes the payment out of its pack, and afterwards cannot'
const blocked = 'a payment of a client who is blocked leaves its pack, and is sent later under the same attempt'
const declared = 'two people declare a pack not sent: its payments leave again under another message id, and with the same transaction id'
const unanswered = 'a pack without an answer becomes UNKNOWN: its payments wait, the clearing system is asked, and people get a case'
const taken = 'a folder: a name that is taken by other bytes is refused, and what is there stays'

export const outBugs: readonly Bug[] = [
  {
    name: 'out-sealed-before-committed',
    about: 'a message is sealed although its payments can still be cancelled',
    file: 'rails/packs/rails.packs.sql.ts',
    find: 'payment.walks and transfer.sent is not true',
    replace: 'payment.walks and transfer.sent is null',
    caughtBy: [{ file: packs, name: 'a pack is not sealed while one of its payments can still be cancelled' }],
  },
  {
    name: 'out-spent-attempt-repeated',
    about: 'a payment that nobody has answered is collected again by itself',
    file: 'rails/packs/rails.payments.ts',
    find: "SENT: 'spent',",
    replace: "SENT: 'higher',",
    caughtBy: [
      { file: contents, name: 'an attempt rises only after the one before did not happen' },
      { file: decisions, name: 'a payment that may have been carried out is never collected again' },
    ],
  },
  {
    name: 'out-dropped-although-sent',
    about: 'a payment leaves its pack although its transfer was committed meanwhile, so it is never sent',
    file: 'rails/packs/rails.packing.ts',
    find: '&& sent.get(transfer_id) !== true',
    replace: '&& sent.size >= 0',
    caughtBy: [{ file: packs, name: 'a payment that is committed meanwhile is not taken out of its pack' }],
  },
  {
    name: 'out-block-ignored',
    about: 'payments of blocked clients and of disabled ventures are packed',
    file: 'rails/packs/rails.packing.ts',
    find: "status: 'PACKED' }, circumstances, venture_active }) !== undefined",
    replace: "status: 'PACKED' }, circumstances, venture_active }) !== null",
    caughtBy: [{ file: packs, name: 'nothing of a venture that is disabled leaves the bank' }],
  },
  {
    name: 'out-cancelled-stays-in-pack',
    about: 'a pack waits for ever for a payment that was cancelled',
    file: 'rails/packs/rails.commit.ts',
    find: "[...(steps.get('drop') ?? []), ...refused]",
    replace: '[...refused]',
    caughtBy: [
      { file: packs, name: cancels },
      { file: packs, name: blocked },
    ],
  },
  {
    name: 'out-committed-without-payment',
    about: 'a transfer is committed as sent although another instance has taken its payment out of the pack, so it is never sent',
    file: 'rails/packs/rails.commit.ts',
    find: "{ steps: ['SENT_TO_CLEAR'] }, [move])",
    replace: "{ steps: ['SENT_TO_CLEAR'] }, move === undefined ? [move] : [])",
    caughtBy: [{ file: packs, name: 'a payment that another instance takes out of its pack meanwhile is not committed' }],
  },
  {
    name: 'out-cut-off-ignored',
    about: 'payments leave before the cut-off',
    file: 'rails/packs/rails.pack.ts',
    find: '{ until: cycle, cycle }',
    replace: '{ until: now().toISOString(), cycle }',
    caughtBy: [{ file: packs, name: 'on a rail with cut-offs, payments wait for the next one' }],
  },
  {
    name: 'out-clock-in-message',
    about: 'the bytes of a message depend on when it is sealed',
    file: 'rails/packs/rails.kinds.ts',
    find: 'created_at: header.created_at,',
    replace: 'created_at: new Date().toISOString(),',
    caughtBy: [{ file: contents, name: 'the same pack always becomes the same bytes, for each kind of pack' }],
  },
  {
    name: 'out-unreachable-bank-paid',
    about: 'payments leave to banks that the rail does not reach',
    file: 'rails/packs/rails.contents.ts',
    find: 'bic !== undefined && reachable !== undefined && !reachable.has(bic.slice(0, 8))',
    replace: 'bic !== undefined && reachable !== undefined && bic.length < 8',
    caughtBy: [
      { file: contents, name: 'no message carries a bank that the rail does not reach' },
      { file: packs, name: 'a payment that the scheme could not carry becomes INVALID, and the others go' },
    ],
  },
  {
    name: 'out-address-not-needed',
    about: 'a payment to a bank outside the EEA leaves without an address',
    file: 'rails/packs/rails.contents.ts',
    find: "    return fault(addressIncomplete, 'The scheme requires the address of the payer, with town and country.')",
    replace: '    void addressIncomplete',
    caughtBy: [{ file: contents, name: 'no message carries a bank outside the EEA, and a payer without a town' }],
  },
  {
    name: 'out-file-overwritten',
    about: 'a file that the clearing system may have read is overwritten',
    file: 'rails/exchange/rails.exchange.folder.ts',
    find: 'if (!(await isSame(final, { name, bytes, sha256 }))) throw new DifferentFile(name)',
    replace: 'if (!(await isSame(final, { name, bytes, sha256 }))) await rename(part, final)',
    caughtBy: [
      { file: exchanges, name: taken },
      { file: decisions, name: 'a file that is there with other bytes is not overwritten: the message is held back, and the others go' },
    ],
  },
  {
    name: 'out-any-server-trusted',
    about: 'files are sent to whoever answers under the address of the clearing system',
    file: 'rails/exchange/rails.exchange.sftp.ts',
    find: 'fingerprintOf(key) === hostKey',
    replace: 'fingerprintOf(key).length === hostKey.length',
    caughtBy: [{ file: exchanges, name: 'SFTP: a server with another host key gets nothing, and nor does one that does not know our key' }],
  },
  {
    name: 'out-silence-unnoticed',
    about: 'nobody asks about a pack that was not answered',
    file: 'rails/packs/rails.packs.sql.ts',
    find: 'delivered_at <= ${before}',
    replace: 'delivered_at > ${before}',
    caughtBy: [{ file: decisions, name: unanswered }],
  },
  {
    name: 'out-declared-by-one',
    about: 'a delivered pack can be declared not sent',
    file: 'rails/rails.operator.ts',
    find: "const declarable: readonly PackState[] = ['REFUSED', 'UNKNOWN', 'INVALID']",
    replace: "const declarable: readonly PackState[] = ['REFUSED', 'UNKNOWN', 'INVALID', 'DELIVERED']",
    caughtBy: [
      { file: decisions, name: 'only a pack that was refused, that nobody answered or that could not be made is declared not sent' },
    ],
  },
  {
    name: 'out-same-attempt-again',
    about: 'what was declared not sent is never sent again',
    file: 'rails/packs/rails.resend.ts',
    find: "third_party_status: notSent }, state: 'REFUSED' }",
    replace: "third_party_status: notSent }, state: 'UNKNOWN' }",
    caughtBy: [{ file: decisions, name: declared }],
  },
  {
    name: 'mandate-cancelled-while-waiting',
    about: 'a collection leaves although its mandate was cancelled while it waited for its pack',
    file: 'rails/packs/rails.pack.ts',
    find: "(forbidden.has(transfer_id) ? 'drop' :",
    replace: "(forbidden.has('') ? 'drop' :",
    caughtBy: [{ file: packs, name: 'a collection whose mandate is cancelled while it waits for its pack does not leave' }],
  },
  {
    name: 'out-by-hand',
    about: 'two people mark a payment as sent that is in no message',
    file: 'transfers/deciding/transfers.checks.ts',
    find: "(packed || instant) && actor.kind === 'operator'",
    replace: "(packed || instant) && actor.kind === 'venture'",
    caughtBy: [{ file: 'transfers/transfers.managed.test.ts', name: 'only rails say that a payment is sent which leaves in a message' }],
  },
  {
    name: 'out-earlier-forgotten',
    about: 'a payment that was sent before there were rails never ends',
    file: 'processing/processing.earlier.ts',
    find: 'if (walk !== undefined) await',
    replace: 'if (walk === undefined) await',
    caughtBy: [
      {
        file: 'processing/processing.earlier.test.ts',
        name: 'what was sent before the rails came is settled by the exchange that has it, and what was not sent leaves over the rails',
      },
    ],
  },
]
