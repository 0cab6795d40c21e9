// Whether the service is a sandbox, which only the service knows: its sandbox routes answer, or they do not exist.
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** False until it is known. */
export function useSandbox(isAsked = true): boolean {
  const { data = false } = useQuery({
    queryKey: ['sandbox'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      api.sandbox.clock.get().then(
        () => true,
        () => false,
      ),
  })
  return data
}
