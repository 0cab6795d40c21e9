// Bugs of files from outside: what somebody who may write to the folder of the exchange could gain by them.
import type { Bug } from './planted.bug.ts'

const hostile = 'rails/exchange/rails.exchange.hostile.test.ts'
const exchange = 'rails/exchange/rails.exchange.test.ts'
const inbox = 'rails/inbox/rails.inbox.hostile.test.ts'
const senders = 'rails/inbox/rails.senders.test.ts'

export const fileBugs: readonly Bug[] = [
  {
    name: 'files-follow-links',
    about: 'a link in the inbox is followed, so that any file of the service can be read',
    file: 'rails/exchange/rails.exchange.reading.ts',
    find: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    replace: 'constants.O_RDONLY | constants.O_NONBLOCK',
    caughtBy: [
      { file: hostile, name: 'a link is not followed, and is moved itself' },
      { file: hostile, name: 'a link that is swapped in at any moment is never followed' },
      { file: hostile, name: 'what has our name in the outbox is neither followed nor waited for' },
    ],
  },
  {
    name: 'files-wait-for-pipes',
    about: 'opening a pipe waits for whoever may be at its other end',
    file: 'rails/exchange/rails.exchange.reading.ts',
    find: 'constants.O_NOFOLLOW | constants.O_NONBLOCK',
    replace: 'constants.O_NOFOLLOW',
    caughtBy: [{ file: hostile, name: 'a pipe, a socket and a device are not waited for' }],
    hangs: true,
  },
  {
    name: 'files-of-any-kind',
    about: 'a pipe is read as if it were a file',
    file: 'rails/exchange/rails.exchange.reading.ts',
    find: "if (!before.isFile()) throw new UnusableFile(name, 'not_a_file')",
    replace: '',
    caughtBy: [{ file: hostile, name: 'a pipe, a socket and a device are not waited for' }],
  },
  {
    name: 'files-with-two-names',
    about: 'a file is read although it has another name, which may be that of a file of ours',
    file: 'rails/exchange/rails.exchange.reading.ts',
    find: "names === 'one' && before.nlink > 1n",
    replace: "names === 'one' && before.nlink < 1n",
    caughtBy: [{ file: hostile, name: 'a file with a second name is not read' }],
  },
  {
    name: 'files-still-written',
    about: 'a file that grows while it is read is taken for whole',
    file: 'rails/exchange/rails.exchange.reading.ts',
    find: 'const isSame = at === bytes.length && after.size === before.size && after.mtimeNs === before.mtimeNs',
    replace: 'const isSame = after.size >= before.size',
    caughtBy: [{ file: hostile, name: 'a file that grows while it is read is not taken for whole' }],
  },
  {
    name: 'files-names-become-text',
    about: 'a file whose name is not UTF-8 is never found',
    file: 'rails/exchange/rails.exchange.ts',
    find: 'if (Buffer.from(text).equals(bytes)) return text',
    replace: 'if (Buffer.from(text).length > 0) return text',
    caughtBy: [{ file: hostile, name: 'a name that is not UTF-8 keeps its file from being read, and becomes one that can be shown' }],
  },
  {
    name: 'files-for-everybody',
    about: 'what leaves the bank can be read by everybody on the machine, or by nobody but the service, as the mask happens to be',
    file: 'rails/exchange/rails.exchange.folder.ts',
    find: 'await file.chmod(fileMode)',
    replace: '',
    caughtBy: [{ file: hostile, name: 'what we write can be read by the group and by nobody else, whatever the mask' }],
  },
  {
    name: 'sftp-waits-forever',
    about: 'a server that does not answer keeps the exchange waiting',
    file: 'rails/exchange/rails.exchange.sftp.ts',
    find: "return await within(this.#answer_ms, client.then(work), () => new Error('the SFTP server did not answer in time'))",
    replace: 'return await client.then(work)',
    caughtBy: [{ file: exchange, name: 'SFTP: a server that does not answer is left, and another connection goes on' }],
    hangs: true,
  },
  {
    name: 'inbox-impatient',
    about: 'a file that somebody hands over at this moment is refused',
    file: 'rails/inbox/rails.inbox.ts',
    find: '(!error.mayPass || this.#isOverdue(name))',
    replace: '(error.mayPass || this.#isOverdue(name) || !error.mayPass)',
    caughtBy: [{ file: inbox, name: 'a file that somebody may be about to finish is read once they have' }],
  },
  {
    name: 'inbox-too-patient',
    about: 'a file that nobody finishes stays in the inbox, and nobody is told',
    file: 'rails/inbox/rails.inbox.ts',
    find: '(!error.mayPass || this.#isOverdue(name))',
    replace: '!error.mayPass',
    caughtBy: [{ file: inbox, name: 'a file that nobody finishes is set aside after a while' }],
  },
  {
    name: 'sender-anybody',
    about: 'a message is taken whoever has sent it',
    file: 'rails/inbox/rails.files.ts',
    find: "return isAllowed ? undefined : 'sender_not_allowed'",
    replace: 'return isAllowed ? undefined : undefined',
    caughtBy: [
      { file: senders, name: 'a setting names the banks, with their branches' },
      { file: senders, name: 'every statement of a message comes from a bank that is named, and a recall as well' },
    ],
  },
  {
    name: 'sender-ourselves',
    about: 'a message that says that we have sent it is taken as one of the clearing system',
    file: 'rails/inbox/rails.files.ts',
    find: "if ([...senders, ...through].some((bic) => isSameBank(bic, ours.bic))) return 'sender_is_us'",
    replace: '',
    caughtBy: [
      {
        file: 'rails/inbox/rails.inbox.test.ts',
        name: 'hostile files are refused with a reason, nothing of them is applied, and the next file is read',
      },
    ],
  },
  {
    name: 'sender-of-no-nostro',
    about: 'without the setting, the banks that hold the nostros are refused',
    file: 'services.ts',
    find: 'return async () => (await shared()) ?? []',
    replace: 'return async () => ((await shared()) ?? []).slice(0, 0)',
    caughtBy: [
      { file: senders, name: 'without the setting, the banks that hold the nostros are taken; what was set aside can be tried again' },
    ],
  },
]
