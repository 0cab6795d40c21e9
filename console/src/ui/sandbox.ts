// Whether the service is a sandbox, with simulated banks, verifiers and card gateways.
import { useSession } from './session.ts'

export function useSandbox(): boolean {
  return useSession().clock_ahead_s !== null
}
