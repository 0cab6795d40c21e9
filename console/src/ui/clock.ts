// The time of the bank, which in the sandbox may be ahead of the time on the wall. What expires does so by it.
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { useMay } from './session.ts'

/** The time of the bank in milliseconds. Whoever may not ask for it, or has no sandbox, gets the real one. */
export function useBankNow(): number {
  const isAllowed = useMay()('getTestClock')
  const { data: ahead_ms = 0 } = useQuery({
    queryKey: ['clock', 'ahead'],
    enabled: isAllowed,
    staleTime: 60_000,
    queryFn: () =>
      api.sandbox.clock.get().then(
        ({ ahead_s }) => ahead_s * 1_000,
        () => 0,
      ),
  })
  return Date.now() + ahead_ms
}
