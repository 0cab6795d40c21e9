// Help, generated from the table of commands.
import { type Command, helpOf } from '../table.ts'

export const helpCommands: readonly Command[] = [
  {
    words: ['help'],
    summary: 'Explain a command, or list all commands.',
    args: [{ name: 'COMMAND', describe: 'The command.', optional: true, many: true }],
    async run({ args, commands, out }) {
      const text = helpOf(args, commands)
      out.result({ help: text }, text)
    },
  },
]
