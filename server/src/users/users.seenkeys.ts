// What a key that the bank has seen may do. The bank sees the keys that it creates for a venture, and could use them. So in a MANAGED
// venture outside the sandbox, such a key can do nothing that one person of the bank may not do alone. An admin of the venture creates the
// keys that can.
import type { Access } from '../platform/http/access.ts'

/** Keys created with such a key count as seen too, so creating them needs no second person. */
const marksWhatItMakes = 'createKey'

/**
 * Whether such a key is refused regardless of the request. Where it depends on the request, the rows of `ventures.reserved.ts` that bind
 * the bank's people decide, because they bind such a key as well.
 */
export function isRefusedToSeenKeys(operationId: string, { authority }: Access): boolean {
  const [needs] = authority ?? []
  return operationId !== marksWhatItMakes && (needs === 'together' || needs === 'never')
}
