import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'
import { useMay } from '../../ui/session.ts'
import { type IndexState, indexStateOf } from './index-state.ts'

/** The lists loaded by the answering instance; undefined while unknown. */
export function useIndex(): IndexState | undefined {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['bank', 'watchlists', 'index'],
    enabled: may('getMetrics'),
    refetchInterval: 5_000,
    queryFn: async () => {
      const metrics = await api.request('GET', '/metrics')
      return indexStateOf(metrics instanceof Blob ? await metrics.text() : String(metrics)) ?? null
    },
  })
  return data ?? undefined
}
