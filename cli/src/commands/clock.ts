import { UsageError } from '../failures.ts'
import { action } from '../resources.ts'
import type { Command } from '../table.ts'

export const clockCommands: readonly Command[] = [
  action({
    words: ['clock'],
    summary: "Show the service's time, which can be moved in the sandbox. Needs the admin key.",
    bank: true,
    act: (bank) => bank.sandbox.clock.get(),
  }),
  action({
    words: ['clock', 'advance'],
    summary: "Move the service's time forward. Needs the admin key.",
    args: [{ name: 'DURATION', describe: 'A duration such as P1D or PT2H30M, or a number of seconds.' }],
    bank: true,
    act: (bank, [text = '']) => {
      if (!/^(P.+|\d+)$/i.test(text))
        throw new UsageError(`${text} is not a duration. Use one such as P1D or PT2H30M, or a number of seconds.`)
      return bank.sandbox.clock.advance({ advance: /^\d+$/.test(text) ? Number(text) : text.toUpperCase() })
    },
  }),
]
