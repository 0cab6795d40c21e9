// The connection breaks at the worst moment: during a COMMIT.
import type { CommitLoss } from '../../../server/src/testing/testing.proxy.ts'
import type { Experiment } from '../experiment.ts'
import { type Fault, injectFaults } from '../inject-faults.ts'

export function loseCommits(loss: CommitLoss): Fault {
  return async ({ bank }, context) => {
    const { proxy } = bank
    const before = proxy.lostCommits
    const times = context.random.integer(1, 4)
    // Sometimes the database is unreachable just then, so that the outcome cannot be queried.
    const away = context.random.chance(0.3)
    proxy.loseCommits(loss, { times, ...(away ? { andThen: () => proxy.refuse() } : {}) })
    await context.pause(200, 600)
    if (loss === 'late') await context.pause(0, 6_000)
    proxy.loseCommits(loss, { times: 0 })
    if (loss === 'late') proxy.deliver()
    await proxy.accept()
    await bank.untilReady()
    context.results.faults += proxy.lostCommits - before
  }
}

function commitLost(loss: CommitLoss, about: string): Experiment {
  return {
    name: `commit-${loss}`,
    about,
    run: (context) => injectFaults(context, { bank: { hosting: 'given' }, fault: loseCommits(loss) }),
  }
}

export const commitUnsent = commitLost('unsent', 'the connection is cut before a COMMIT reaches the database')
export const commitUnanswered = commitLost('unanswered', 'the connection is cut after a COMMIT was carried out and before its answer')
export const commitLate = commitLost('late', 'the connection is cut and the COMMIT arrives later, up to seconds')
