import { useQuery } from '@tanstack/react-query'
import { useVenture, useVentureApi } from '../../ui/session.ts'

export function useMembers() {
  const api = useVentureApi()
  return useQuery({ queryKey: [useVenture(), 'users'], queryFn: () => api.venture.listUsers({ limit: 100 }).toArray() })
}
