// By when somebody should decide, and whether that has passed.
import type { Case } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { dayOf, minuteOf } from '../../ui/words.ts'

export function Due({ of: { state, due_at } }: { of: Pick<Case, 'state' | 'due_at'> }) {
  const now_ms = useBankNow()
  const isLate = state === 'OPEN' && Date.parse(due_at) < now_ms
  return isLate ? <span className="late">{dayOf(due_at)}, late</span> : minuteOf(due_at)
}
