// The service's today, and the debits of the account in its month and year.
import { useQuery } from '@tanstack/react-query'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { sinceNewYear } from './days.ts'

/** The months of an account from the browser's new year. The last one ends at the service's today. */
export function useMonths(id: string) {
  const api = useVentureApi()
  const query = sinceNewYear(new Date().toISOString().slice(0, 10))
  return useQuery({ queryKey: [useVenture(), 'balances', id, query], queryFn: () => api.accounts.listBalances(id, query) })
}
