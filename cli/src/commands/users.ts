import type { NewBankInvitation, NewVentureInvitation } from '@vostro/sdk'
import { UsageError } from '../failures.ts'
import { action } from '../resources.ts'
import type { Command } from '../table.ts'
import { bankRoles, ventureRoles } from '../values.made.ts'

export const userCommands: readonly Command[] = [
  action({
    words: ['users', 'invite'],
    summary: 'Invite a user to the bank or, with --venture, to a venture. Needs the admin key.',
    details:
      'Prints an invitation link where the person chooses a password. Roles of the bank: admin, operator, auditor; of a venture: admin, operator, viewer.',
    args: [{ name: 'EMAIL', describe: 'The email of the person.' }],
    options: {
      role: { describe: 'What the person may do.', value: 'ROLE', choices: [...new Set([...bankRoles, ...ventureRoles])] },
      bank: { describe: 'Invite to the bank, even if the config names a venture.' },
    },
    act: async (vostro, [email = ''], _, call) => {
      const role = call.text('role')
      if (role === undefined) throw new UsageError('--role is missing: admin, operator, auditor (bank) or viewer (venture).')
      const invitation = { email, role }
      const isOfVenture = call.settings.venture !== undefined && !call.flag('bank')
      if (isOfVenture) return vostro.venture.inviteUser(invitation as NewVentureInvitation)
      return call.bank().operator.users.invite(invitation as NewBankInvitation)
    },
  }),
]
