// Whether the service is a sandbox, where simulated banks, verifiers and card gateways replace the real ones.
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { useVenture, useVentureApi } from './session.ts'

/** Keys made in a sandbox say so, and everybody may know what they begin with. */
export function useSandbox(): boolean {
  const api = useVentureApi()
  const { data } = useQuery({ queryKey: ['place', useVenture()], queryFn: () => api.venture.get(), staleTime: 60_000 })
  return data?.api_key_prefix?.startsWith('vk_test_') ?? false
}

/** The same for people of the bank, whose routes for the sandbox exist or do not. False until it is known. */
export function useSandboxOfBank(isAsked = true): boolean {
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
