// The status of an account, as the specification's table has it: data, not code.
import type { EventType } from '../events/events.ts'

export const accountStatuses = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** Where an account may go from each status. CLOSED is for good. */
export const nextStatuses: Record<AccountStatus, readonly AccountStatus[]> = {
  PENDING: ['ACTIVE'],
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
}

export type AccountAction = 'activate' | 'freeze' | 'close'

/** Where each action leads, and how the world hears of it. */
export const accountActions = {
  activate: { to: 'ACTIVE', event: 'account.activated' },
  freeze: { to: 'SUSPENDED', event: 'account.frozen' },
  close: { to: 'CLOSED', event: 'account.closed' },
} as const satisfies Record<AccountAction, { to: AccountStatus; event: EventType }>
