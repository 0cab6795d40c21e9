// The routing service of the sandbox, which stands in for all other banks. It reads and writes what a real one does; its answer depends on words
// in the name or the id: see docs/payees.md.
import { type PayeeAnswer, type Route, readQuestion, vopHeaders, writeAnswer } from '../payees/payees.ts'

/** The words that determine the answer. An id has no spaces. */
const words = { close: /\bVOP CLOSE\b/i, none: /\bVOP NONE\b|VOPNONE/i, unable: /\bVOP UNABLE\b|VOPUNABLE/i, down: /\bVOP DOWN\b|VOPDOWN/i }

export const sandboxRouting: Route = {
  async send({ headers, body }, signal) {
    const { name, identification } = readQuestion(JSON.parse(body))
    const asked = name ?? (typeof identification === 'object' ? identification.value : '')
    if (words.down.test(asked)) await aborted(signal)
    const answer = answerTo(asked)
    const written = writeAnswer(name === undefined ? { id: answer } : { name: answer })
    return { status: 200, request_id: headers[vopHeaders.id] ?? null, bytes: Buffer.from(JSON.stringify(written)) }
  },
  async close() {},
}

function answerTo(asked: string): PayeeAnswer {
  if (words.unable.test(asked)) return { result: 'NOT_POSSIBLE', matched_name: null, reason: 'not_applicable' }
  if (words.none.test(asked)) return { result: 'NO_MATCH', matched_name: null, reason: null }
  if (!words.close.test(asked)) return { result: 'MATCH', matched_name: null, reason: null }
  const matched_name = asked.replace(words.close, '').replace(/\s+/g, ' ').trim()
  return { result: 'CLOSE_MATCH', matched_name: matched_name === '' ? 'Ada Lovelace' : matched_name, reason: null }
}

/** A bank that is down never answers. */
async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  throw signal.reason
}
