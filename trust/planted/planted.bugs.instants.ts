// Bugs in what happens to instant payments that nobody has answered.
import type { Bug } from './planted.bug.ts'

const timeouts = 'rails/rails.timeouts.test.ts'
const silent = 'without an answer people get a case, which an answer closes'
const declared = 'declared not sent, an instant payment is rejected and does not leave again; a late yes is a break'
const early = 'a payment that times out before it is handed over waits in an unknown pack once it is'

export const instantBugs: readonly Bug[] = [
  {
    name: 'instant-silence-without-case',
    about: 'nobody at the bank hears of an instant payment that was not answered',
    file: 'rails/rails.timeouts.ts',
    find: "      openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id, payload, due_h: 24 })",
    replace: '      void payload',
    caughtBy: [{ file: timeouts, name: silent }],
  },
  {
    name: 'instant-sent-again-late',
    about: 'an instant payment may be handed over once more, long after its time',
    file: 'rails/rails.operator.ts',
    find: "kind === 'RETURN' || !instantRails.includes(rail)",
    replace: "kind === 'RETURN' || instantRails.includes(rail)",
    caughtBy: [{ file: timeouts, name: silent }],
  },
  {
    name: 'instant-case-stays-open',
    about: 'the case about an instant payment stays open after the answer',
    file: 'rails/inbox/rails.apply.ts',
    find: "...(outcome === 'applied' || outcome === 'break' ? closes : [])",
    replace: "...(outcome === 'break' ? closes : [])",
    caughtBy: [{ file: timeouts, name: silent }],
  },
  {
    name: 'instant-case-closed-by-anything',
    about: 'a message that decides nothing closes the case about an instant payment',
    file: 'rails/inbox/rails.apply.ts',
    find: "...(outcome === 'applied' || outcome === 'break' ? closes : [])",
    replace: '...closes',
    caughtBy: [{ file: timeouts, name: silent }],
  },
  {
    name: 'instant-sent-anew',
    about: 'an instant payment that was declared not sent leaves again, hours after its time',
    file: 'rails/packs/rails.resend.ts',
    find: "if (instantRails.includes(rail) && kind !== 'RETURN') {",
    replace: "if (instantRails.includes(rail) && kind === 'RETURN') {",
    caughtBy: [{ file: timeouts, name: declared }],
  },
  {
    name: 'instant-forgotten-once-handed-over',
    about: 'a pack that was not answered in time counts as delivered in time once it is handed over',
    file: 'rails/rails.delivery.ts',
    find: "when reason = 'no_answer' then 'UNKNOWN' else 'DELIVERED' end",
    replace: "when reason = 'no_answer' then 'DELIVERED' else 'DELIVERED' end",
    caughtBy: [{ file: timeouts, name: early }],
  },
]
