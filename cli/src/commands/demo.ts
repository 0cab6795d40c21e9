import { Refused, UsageError } from '../failures.ts'
import type { Command } from '../table.ts'
import { until } from '../waiting.ts'

export const demoCommands: readonly Command[] = [
  {
    words: ['demo'],
    summary: 'Fill an empty service with the demo bank. Needs the admin key, and the sandbox.',
    options: { seed: { describe: 'A number. The same seed creates the same bank.', value: 'NUMBER' } },
    async run(call) {
      const { out } = call
      const seed = call.text('seed')
      if (seed !== undefined && !/^\d{1,9}$/.test(seed))
        throw new UsageError(`--seed must be a whole number of at most nine digits, not ${seed}.`)
      const bank = call.bank()
      await bank.sandbox.demo.start(seed === undefined ? {} : { seed: Number(seed) })
      const stopped = call.stopped()
      const run = await until(() => bank.sandbox.demo.get(), {
        stopped,
        onStopped: 'The service continues in the background. `vostro demo` shows the progress.',
        willDo({ status, done, total, step }) {
          out.progress({ done, of: total, step })
          return status !== 'RUNNING'
        },
      })
      if (run.status === 'FAILED') throw new Refused(`The demo bank could not be created: ${run.detail ?? 'the service gave no reason.'}`)
      out.result(run, `The demo bank is ready (seed ${run.seed}, digest ${run.digest}). Take a look: vostro ventures list`)
    },
  },
]
