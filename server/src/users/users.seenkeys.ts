// What a key may do that the bank has seen. The bank sees the keys that it makes for a venture, and could use them. So in a MANAGED venture, outside
// the sandbox, such a key does nothing that one person of the bank may not do alone. An admin of the venture makes the keys that may.
import type { Access } from '../platform/http/access.ts'

/** What is made with such a key counts as seen, too, so it makes keys without a second person. */
const marksWhatItMakes = 'createKey'

/**
 * Whether such a key is refused whatever it asks for. Where that depends on the request, the rows in `ventures.reserved.ts` that bind the bank's people
 * decide: they bind such a key as well.
 */
export function isRefusedToSeenKeys(operationId: string, { authority }: Access): boolean {
  const [needs] = authority ?? []
  return operationId !== marksWhatItMakes && (needs === 'together' || needs === 'never')
}
