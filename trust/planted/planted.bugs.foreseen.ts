// Bugs in what a dry run says of the message that a payment would leave in.
import type { Bug } from './planted.bug.ts'

const foreseen = 'rails/rails.foreseen.test.ts'
const dryRun = 'processing/processing.dryrun.test.ts'

export const foreseenBugs: readonly Bug[] = [
  {
    name: 'foreseen-as-written',
    about: 'a dry run shows the name as it was written instead of the one that is sent',
    file: 'rails/rails.foreseen.ts',
    find: 'cr_name: creditor.name,',
    replace: 'cr_name: transfer.cr_name,',
    caughtBy: [{ file: foreseen, name: 'the texts of a dry run are those of the message' }],
  },
  {
    name: 'foreseen-unreachable-unsaid',
    about: 'a dry run does not say that the rail does not reach the bank',
    file: 'processing/processing.dryrun.ts',
    find: 'fault !== null && way.stopped_by === null &&',
    replace: 'fault === null && way.stopped_by === null &&',
    caughtBy: [{ file: dryRun, name: 'it says whether the rail reaches the bank, and what no message could carry stops it' }],
  },
  {
    name: 'foreseen-cut-off-of-today',
    about: 'a dry run says the next cut-off for a payment that leaves another day',
    file: 'rails/rails.foreseen.ts',
    find: 'return start > now ? start : now',
    replace: 'return start > now ? now : now',
    caughtBy: [{ file: dryRun, name: 'it says with which cut-off it would leave' }],
  },
]
