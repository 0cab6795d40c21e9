import type { PaymentLink } from '@vostro/sdk'

type Usable = Pick<PaymentLink, 'active' | 'expires_at' | 'uses' | 'max_uses'>

export function stateOf({ active, expires_at, uses, max_uses }: Usable, now_ms: number): 'ACTIVE' | 'DISABLED' | 'EXPIRED' | 'USED_UP' {
  if (!active) return 'DISABLED'
  if (expires_at !== null && Date.parse(expires_at) <= now_ms) return 'EXPIRED'
  return max_uses !== null && uses >= max_uses ? 'USED_UP' : 'ACTIVE'
}
