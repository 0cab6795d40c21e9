// Bugs in companions.
import type { Bug } from './planted.bug.ts'

const companions = 'transfers/transfers.companions.test.ts'

export const companionBugs: readonly Bug[] = [
  {
    name: 'companion-conflict-ignored',
    about: 'a command is carried out although its companion is refused',
    file: 'platform/companions.ts',
    find: "if (result !== 'granted' && ",
    replace: "if (result === 'held' && ",
    caughtBy: [
      { file: companions, name: 'a companion that is taken refuses its command, and the neighbours in the batch are carried out' },
      { file: 'platform/companions.test.ts', name: 'a single command is not even begun if a companion refuses it' },
    ],
  },
  {
    name: 'companion-kept-after-a-refusal',
    about: 'the companion of a refused command stays, as if the command had been carried out',
    file: 'platform/companions.ts',
    find: 'if (refused.length > 0)',
    replace: 'if (refused.length > 1_000)',
    caughtBy: [{ file: companions, name: 'a refused command leaves no companion, and its name is free for the next command' }],
  },
  {
    name: 'companion-locks-not-taken',
    about: 'rows that a companion needs locked are not locked',
    file: 'transfers/transfers.batches.ts',
    find: "needs[index]?.push(...keys.add('accounts', venture_id, accounts), ...keys.add('transfers', venture_id, transfers))",
    replace: 'needs[index]?.push(...accounts, ...transfers)',
    caughtBy: [{ file: companions, name: 'the locks that a companion needs are taken with those of the batch' }],
  },
]
