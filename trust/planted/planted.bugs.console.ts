// Bugs in the console and in what it needs of the service.
import type { Bug } from './planted.bug.ts'

const console_src = '../../console/src'
const journeys = '../../trust/console/console.journeys.test.ts'
const names = {
  case: 'somebody finds a transfer by its reference and decides its case, a second person agrees, and the money arrives',
  delivery: 'a failed delivery is sent again, and the receiver gets it, signed',
  key: 'a key is created and copied, and does what it may and nothing else',
  live: 'two tabs see a new transfer without a reload, and stay usable while very many are created',
}

export const consoleBugs: readonly Bug[] = [
  {
    name: 'stream-frame-for-each-change',
    about: 'the stream sends a frame for every change, and a busy venture hangs the tabs that look at it',
    file: 'desk/desk.changes.ts',
    find: 'for (const watch of watched.watches) watch(frame)',
    replace: 'for (const change of changes) for (const watch of watched.watches) watch(frameOf([change]))',
    caughtBy: [{ file: journeys, name: names.live }],
  },
  {
    name: 'resend-not-queued',
    about: 'whoever sends a delivery again is told that it is on its way, and nothing is sent',
    file: 'webhooks/webhooks.ts',
    find: "const delivery = (await queueAgain(tx, endpoint, delivery_id)) ?? refuse('delivery_not_found')",
    replace: "const delivery = (await selectDelivery(tx, endpoint, delivery_id)) ?? refuse('delivery_not_found')",
    caughtBy: [{ file: journeys, name: names.delivery }],
    hangs: true,
  },
  {
    name: 'console-dialog-without-focus',
    about: 'a dialog opens and the focus stays behind it, so that a keyboard cannot use it',
    file: `${console_src}/ui/dialog.tsx`,
    find: 'zIndex={zIndex} centered>',
    replace: 'zIndex={zIndex} trapFocus={false} centered>',
    caughtBy: [{ file: journeys, name: names.key }],
    hangs: true,
  },
  {
    name: 'console-focus-lost',
    about: 'when the button that had the focus is gone, the keyboard begins at the top of the page again',
    file: `${console_src}/ui/focus.ts`,
    find: 'else if (back === undefined) headingOf()?.focus()',
    replace: 'else if (back === undefined) return',
    caughtBy: [{ file: journeys, name: names.case }],
    hangs: true,
  },
  {
    name: 'console-find-without-enter',
    about: 'Enter after a pasted reference opens nothing, because the answer has come later',
    file: `${console_src}/shell/find.tsx`,
    find: 'if (hasCome) openFirst()',
    replace: 'if (hasCome) setAwaited(false)',
    caughtBy: [{ file: journeys, name: names.case }],
    hangs: true,
  },
  {
    name: 'console-tabs-not-told',
    about: 'only the tab that listens for all of a browser learns what happens',
    file: `${console_src}/live/live.ts`,
    find: 'channel.postMessage(message)',
    replace: "if (message === 'live') channel.postMessage(message)",
    caughtBy: [{ file: journeys, name: names.live }],
    hangs: true,
  },
]
