// By when somebody should decide, and whether that has passed.
import type { Case } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { minuteOf } from '../../ui/words.ts'

export function Due({ of: { state, due_at } }: { of: Pick<Case, 'state' | 'due_at'> }) {
  const now = useBankNow()
  const isLate = state === 'OPEN' && Date.parse(due_at) < now
  return isLate ? <span className="late">{minuteOf(due_at)} (late)</span> : minuteOf(due_at)
}
