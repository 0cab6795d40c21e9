// The test clock of the sandbox.
import { UsageError } from '../failures.ts'
import { action } from '../resources.ts'
import type { Command } from '../table.ts'

export const clockCommands: readonly Command[] = [
  action({
    words: ['clock'],
    summary: 'Show the time of the service, which the sandbox can move. Needs the admin key.',
    bank: true,
    act: (bank) => bank.sandbox.clock.get(),
  }),
  action({
    words: ['clock', 'advance'],
    summary: 'Move the time of the service forwards. Needs the admin key.',
    args: [{ name: 'DURATION', describe: 'How far: a duration such as P1D or PT2H30M, or a number of seconds.' }],
    bank: true,
    act: (bank, [text = '']) => {
      if (!/^(P.+|\d+)$/i.test(text))
        throw new UsageError(`${text} is no duration: write one such as P1D or PT2H30M, or a number of seconds.`)
      return bank.sandbox.clock.advance({ advance: /^\d+$/.test(text) ? Number(text) : text.toUpperCase() })
    },
  }),
]
