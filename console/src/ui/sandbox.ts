// Whether the service is a sandbox, where simulated banks, verifiers and card gateways replace the real ones.
import { useSession } from './session.ts'

export function useSandbox(): boolean {
  return useSession().clock_ahead_s !== null
}
