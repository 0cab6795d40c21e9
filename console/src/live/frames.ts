// Reads the event stream with fetch instead of EventSource, because the request needs a header that names the venture.

/** The changes of one second: counts by kind, and the ids of the resources unless there are too many. */
export type Frame = { kinds: Record<string, number>; ids: string[] }

/** Yields frames as they arrive, and undefined once the stream is open. */
export async function* readFrames(venture: string, signal: AbortSignal): AsyncGenerator<Frame | undefined, void, undefined> {
  const headers = { 'vostro-venture': venture, 'x-vostro-console': 'live', accept: 'text/event-stream' }
  const response = await fetch('/console/stream', { headers, signal, credentials: 'same-origin' })
  if (!response.ok || response.body === null) throw new Error(`The service refused the stream: ${response.status}.`)
  yield undefined
  let rest = ''
  for await (const text of textsOf(response.body)) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const frame = frameOf(block)
      if (frame !== undefined) yield frame
    }
  }
}

/** The JSON after `data: ` in a block; undefined for a heartbeat. */
export function frameOf(block: string): Frame | undefined {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6))
  return data.length === 0 ? undefined : (JSON.parse(data.join('\n')) as Frame)
}

/** The number of changes of a kind, or of all kinds (`*`). */
export function countOf(kinds: Frame['kinds'], kind: string): number {
  return kind === '*' ? Object.values(kinds).reduce((sum, count) => sum + count, 0) : (kinds[kind] ?? 0)
}

/** Not every browser can iterate a stream with `for await`. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
