import type { ListVenturesQuery, Venture, VentureRegistration } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'
import { controls } from '../values.made.ts'

export const ventureCommands: readonly Command[] = [
  listing<ListVenturesQuery, Venture>({
    words: ['ventures', 'list'],
    summary: 'List the ventures of the bank, newest first. Needs the admin key.',
    filters: {},
    columns: ['id', 'created_at', 'status', 'control', 'name', 'api_key_prefix'],
    bank: true,
    list: (bank, query) => bank.ventures.list(query),
  }),
  action({
    words: ['ventures', 'get'],
    summary: 'Show a venture. Needs the admin key.',
    args: [idOf('venture')],
    bank: true,
    act: (bank, [id = '']) => bank.ventures.get(id),
  }),
  action({
    words: ['ventures', 'create'],
    summary: 'Register a venture. Its API key is shown once. Needs the admin key.',
    args: [{ name: 'NAME', describe: 'Its name.' }],
    options: { control: { describe: 'Who processes its transfers.', value: 'CONTROL', choices: controls } },
    bank: true,
    act: (bank, [name], _, call) => {
      const control = call.text('control')
      return bank.ventures.register({ name, ...(control === undefined ? {} : { control }) } as VentureRegistration)
    },
  }),
]
