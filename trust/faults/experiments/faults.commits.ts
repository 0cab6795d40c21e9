// The connection breaks at the worst moment: while a COMMIT is under way.
import type { CommitLoss } from '../../../server/src/testing/testing.proxy.ts'
import { disturb, type Fault } from '../disturb.ts'
import type { Experiment } from '../stage.ts'

export function loseCommits(loss: CommitLoss): Fault {
  return async ({ bank }, stage) => {
    const { proxy } = bank
    const before = proxy.lostCommits
    const times = stage.random.integer(1, 4)
    // Sometimes the database is away right then, so that nobody can be asked how it went.
    const away = stage.random.chance(0.3)
    proxy.loseCommits(loss, { times, ...(away ? { andThen: () => proxy.refuse() } : {}) })
    await stage.pause(200, 600)
    if (loss === 'late') await stage.pause(0, 6_000)
    proxy.loseCommits(loss, { times: 0 })
    if (loss === 'late') proxy.deliver()
    await proxy.accept()
    await bank.untilReady()
    stage.tally.faults += proxy.lostCommits - before
  }
}

function commitLost(loss: CommitLoss, about: string): Experiment {
  return { name: `commit-${loss}`, about, run: (stage) => disturb(stage, { bank: { hosting: 'given' }, fault: loseCommits(loss) }) }
}

export const commitUnsent = commitLost('unsent', 'the connection is cut before a COMMIT reaches the database')
export const commitUnanswered = commitLost('unanswered', 'the connection is cut after a COMMIT was carried out and before its answer')
export const commitLate = commitLost('late', 'the connection is cut and the COMMIT arrives later, up to seconds')
