// Who is signed in, and what they may do. The service decides; this only keeps people from clicking on what it would refuse.

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
  if (data === undefined) throw new Error('Only pages behind the sign-in ask who is signed in.')
  return data
}

/** The venture in the address of the page. */
export function useVenture(): string {
  const { venture } = useParams({ strict: false }) as { venture?: string }
  if (venture === undefined) throw new Error('This page belongs to no venture.')
  return venture
}

/** Calls for the venture in the address of the page. */
export function useVentureApi(): Api {
  return apiOf(useVenture())
}

/** The role by which somebody acts: at the bank, or in a venture. */
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

/** Whether whoever is signed in may call an operation, for the venture in the address if there is one. */
export function useMay(): (operation: Operation) => boolean {
  const session = useSession()
  const { venture } = useParams({ strict: false }) as { venture?: string }
  return (operation) => may(session, operation, venture)
}
