// Bugs in the demo bank.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const tests = 'sandbox/demo/sandbox.demo.test.ts'
const demo = 'sandbox/demo/sandbox.demo.ts'

export const demoBugs: readonly Bug[] = [
  {
    name: 'demo-fills-a-used-service',
    about: 'the demo bank is mixed with the data of real ventures',
    file: demo,
    find: "if (others.length > 0) refuse('service_not_empty')",
    replace: "if (others.length > 1_000) refuse('service_not_empty')",
    caughtBy: [{ file: tests, name: 'a service that has ventures is not filled' }],
  },
  {
    name: 'demo-starts-twice-at-once',
    about: 'two instances fill one service at the same time',
    file: demo,
    find: 'if (run.run_id === fresh.run_id) this.#running',
    replace: 'if (run.run_id !== undefined) this.#running',
    caughtBy: [{ file: tests, name: 'two starts at once on two instances give one run, and another seed is refused meanwhile' }],
  },
  {
    name: 'demo-runs-for-ever',
    about: 'a run whose instance was killed is shown as running, and nobody can tell that it is over',
    file: 'sandbox/demo/sandbox.demo.sql.ts',
    find: "status = 'RUNNING' and beat_at < now() - make_interval(secs => ${silence_s}) as silent",
    replace: "status = 'RUNNING' and beat_at < now() - make_interval(years => ${silence_s}) as silent",
    caughtBy: [{ file: tests, name: 'a run whose instance has stopped is shown as failed' }],
  },
  {
    name: 'demo-despite-its-settings',
    about: 'the demo bank is begun where two people have to approve what it does, and is left half done',
    file: demo,
    find: 'if (obstacle !== undefined) refuse',
    replace: "if (obstacle === '') refuse",
    caughtBy: [{ file: tests, name: 'settings that keep the demo bank from being made are named' }],
  },
  {
    name: 'demo-by-chance',
    about: 'the same seed gives another bank each time',
    file: 'values/seeded-random.ts',
    find: 'this.#state = seed >>> 0',
    replace: 'this.#state = (seed + Math.random() * 2 ** 31) >>> 0',
    caughtBy: [{ file: tests, name: 'a seed always means the same plan, and another seed another one' }],
  },
]
