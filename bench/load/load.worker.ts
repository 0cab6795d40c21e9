// The load generator, in its own process: raw sockets and prepared bytes, because a full HTTP client would need as much CPU as the
// server it measures.
import { connect, type Socket } from 'node:net'
import type { LoadResult, LoadSpec } from './load.ts'

process.on('message', async (spec: LoadSpec) => {
  const result = await run(spec).catch((error: Error) => ({ failure: error.message }))
  // The exit also ends the other connections of a failed load.
  process.send?.(result, () => process.exit())
})

async function run(spec: LoadSpec): Promise<LoadResult> {
  const latencies_ms: number[] = []
  const statuses: Record<string, number> = {}
  const run = Math.random().toString(36).slice(2, 10)
  let count = 0
  const start = performance.now()
  const end = start + spec.seconds * 1000

  const given = Object.entries(spec.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  const callerOf = (key: string) => (spec.headers === undefined ? `x-api-key: ${key}\r\n` : given.join(''))

  function request(): { text: string; path: string; key: string } {
    const number = count++
    const path = spec.paths[number % spec.paths.length] ?? '/'
    const key = spec.keys[number % spec.keys.length] ?? ''
    const body = spec.bodies?.[number % spec.bodies.length]?.replaceAll('{n}', `${run}${number}`) ?? ''
    return { text: textOf(spec.method, path, callerOf(key), spec.bodies === undefined ? undefined : body), path, key }
  }

  await Promise.all(
    Array.from({ length: spec.connections }, async () => {
      const socket = connect(spec.port, '127.0.0.1').setNoDelay()
      const answers = readAnswers(socket)
      while (performance.now() < end && !(spec.once && count >= spec.paths.length)) {
        const sent = performance.now()
        const { text, path, key } = request()
        socket.write(text)
        let { status, body } = (await answers.next()).value ?? closed
        const id = spec.moves === undefined ? '' : /"id":"([^"]+)"/.exec(body)?.[1]
        for (const next of spec.moves ?? []) {
          if (status === 'closed') break
          socket.write(textOf('PUT', `${path}/${id}`, callerOf(key), next))
          ;({ status, body } = (await answers.next()).value ?? closed)
        }
        latencies_ms.push(performance.now() - sent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status === 'closed') break
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - start) / 1000
  latencies_ms.sort((a, b) => a - b)
  const at = (share: number) => latencies_ms[Math.min(latencies_ms.length - 1, Math.floor(latencies_ms.length * share))] ?? 0
  return { perSecond: latencies_ms.length / seconds, p50_ms: at(0.5), p99_ms: at(0.99), statuses }
}

type Answer = { status: string; body: string }
const closed: Answer = { status: 'closed', body: '' }

function textOf(method: string, path: string, caller: string, body?: string): string {
  const about = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${caller}${about}\r\n${body ?? ''}`
}

/** The end of a chunked body, as other services send. Chunk headers stay in the body. */
const lastChunk = '\r\n0\r\n\r\n'

/** Yields each response; only the body's length is parsed. */
async function* readAnswers(socket: Socket): AsyncGenerator<Answer> {
  let buffer = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    buffer += chunk
    for (let head = buffer.indexOf('\r\n\r\n'); head !== -1; head = buffer.indexOf('\r\n\r\n')) {
      const headers = buffer.slice(0, head)
      const chunked = /transfer-encoding: chunked/i.test(headers)
      const end = chunked ? buffer.indexOf(lastChunk, head + 2) : 0
      if (end === -1) break
      const length = chunked ? end + lastChunk.length - head - 4 : Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0)
      if (buffer.length < head + 4 + length) break
      const answer = { status: buffer.slice(9, 12), body: buffer.slice(head + 4, head + 4 + length) }
      buffer = buffer.slice(head + 4 + length)
      yield answer
    }
  }
}
