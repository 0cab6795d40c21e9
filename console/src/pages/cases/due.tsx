// When a case is due, and whether it is overdue.
import type { Case } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { dayOf, minuteOf } from '../../ui/words.ts'

/** `isShort`: for lists, where an overdue case needs only its day. */
export function Due({ of: { state, due_at }, isShort = false }: { of: Pick<Case, 'state' | 'due_at'>; isShort?: boolean }) {
  const now_ms = useBankNow()
  const isLate = state === 'OPEN' && Date.parse(due_at) < now_ms
  return isLate ? <span className="late">{isShort ? dayOf(due_at) : minuteOf(due_at)}, late</span> : minuteOf(due_at)
}
