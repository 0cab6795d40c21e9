// The status table of accounts, from the specification.
import type { EventType } from '../events/events.ts'

export const accountStatuses = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** The statuses that may follow each status. CLOSED is terminal. */
export const nextStatuses: Record<AccountStatus, readonly AccountStatus[]> = {
  PENDING: ['ACTIVE'],
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
}

export type AccountAction = 'activate' | 'freeze' | 'close'

/** The status and the event of each action. */
export const accountActions = {
  activate: { to: 'ACTIVE', event: 'account.activated' },
  freeze: { to: 'SUSPENDED', event: 'account.frozen' },
  close: { to: 'CLOSED', event: 'account.closed' },
} as const satisfies Record<AccountAction, { to: AccountStatus; event: EventType }>
