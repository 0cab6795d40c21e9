// The session and its permissions. The service enforces them; the console only hides what would be refused.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Session } from '@vostro/sdk'
import { access } from '../access.made.ts'
import { type Api, api, apiOf } from './api.ts'

export type Operation = keyof typeof access
type Rule = { venture?: readonly string[]; bank?: readonly string[]; anybody?: boolean; isSensitive?: boolean }

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: () => api.session.get(), staleTime: 60_000, retry: false })

export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('There is no session outside of the pages behind the sign-in.')
  return data
}

/** The venture in the URL. */
export function useVenture(): string {
  const { venture } = useParams({ strict: false }) as { venture?: string }
  if (venture === undefined) throw new Error('This page belongs to no venture.')
  return venture
}

/** API calls for the venture in the URL. */
export function useVentureApi(): Api {
  return apiOf(useVenture())
}

/** The person's role at the bank or in the venture. */
export function roleIn({ bank_role, memberships }: Session, venture?: string): string | undefined {
  return bank_role ?? memberships.find(({ venture_id }) => venture_id === venture)?.role
}

export function may(session: Session, operation: Operation, venture?: string): boolean {
  const rule: Rule = access[operation]
  if (rule.anybody) return true
  if (session.bank_role !== null) return rule.bank?.includes(session.bank_role) ?? false
  const role = roleIn(session, venture)
  return role !== undefined && (rule.venture?.includes(role) ?? false)
}

/** Whether the person may call an operation, for the venture in the URL if there is one. */
export function useMay(): (operation: Operation) => boolean {
  const session = useSession()
  const { venture } = useParams({ strict: false }) as { venture?: string }
  return (operation) => may(session, operation, venture)
}
