// Cases that people open by hand. Their subject is what they are about, as it is now.

import { findAccounts } from '../accounts/accounts.ts'
import { type CaseHandler, manualCase, type Subject } from '../cases/cases.ts'
import { getClient } from '../clients/clients.ts'
import { accompanied } from '../platform/companions.ts'
import { getTransfer, type Transfers } from '../transfers/transfers.ts'
import { refuse } from '../values/refusals.ts'

type About = 'transfer' | 'client' | 'account' | 'nothing'
type Key = { venture_id: string; id: string }

const finders: Record<About, (transfers: Transfers, key: Key) => Promise<object>> = {
  transfer: (transfers, { venture_id, id }) => getTransfer(transfers, venture_id, id),
  client: ({ database }, { venture_id, id }) => getClient(database, venture_id, id),
  account: async ({ database }, key) => (await findAccounts(database, [key]))[0] ?? refuse('account_not_found'),
  nothing: async () => ({}),
}

export function manualCases(transfers: Transfers): Record<typeof manualCase, CaseHandler> {
  return {
    [manualCase]: {
      kind: manualCase,
      decisions: { close: { needsTwo: false } },
      async look({ venture_id, resource_id: id, payload }): Promise<Subject> {
        const { about } = payload as { about: About }
        const { kind, subject } = { kind: about, subject: await finders[about](transfers, { venture_id, id }) }
        return { subject: { kind, id, ...(about === 'nothing' ? {} : { [about]: subject }) }, allowed: ['close'] }
      },
      decide: ({ resource_id }, _decision, { companions }) =>
        transfers.database.transaction((tx) => accompanied(tx, companions, async () => ({ id: resource_id }))),
    },
  }
}
