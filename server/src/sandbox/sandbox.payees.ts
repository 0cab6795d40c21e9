// The payee directory of other banks, as simulated by the sandbox. Its answer depends on the name: see docs/transfers.md.
import type { PayeeDirectory } from '../payees/payees.ts'

/** The words in a name that determine the answer. */
const words = { close: /\bVOP CLOSE\b/i, none: /\bVOP NONE\b/i, down: /\bVOP DOWN\b/i }

export const sandboxDirectory: PayeeDirectory = {
  async verify({ name }, signal) {
    if (words.down.test(name)) await aborted(signal)
    if (words.none.test(name)) return { result: 'NO_MATCH', matched_name: null, reason: null }
    if (!words.close.test(name)) return { result: 'MATCH', matched_name: null, reason: null }
    const matched_name = name.replace(words.close, '').replace(/\s+/g, ' ').trim()
    return { result: 'CLOSE_MATCH', matched_name: matched_name === '' ? 'Ada Lovelace' : matched_name, reason: null }
  },
}

/** A bank that is down never answers. */
async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  throw signal.reason
}
