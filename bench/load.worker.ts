// The load itself, in a process of its own: raw sockets and ready-made bytes, because a full HTTP client would need as much
// of the machine as the server it measures.
import { connect, type Socket } from 'node:net'
import type { LoadResult, LoadSpec } from './load.ts'

process.on('message', (spec: LoadSpec) => {
  run(spec).then(
    (result) => {
      process.send?.(result)
      process.disconnect?.()
    },
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function run(spec: LoadSpec): Promise<LoadResult> {
  const latencies_ms: number[] = []
  const statuses: Record<string, number> = {}
  const run = Math.random().toString(36).slice(2, 10)
  let count = 0
  const start = performance.now()
  const end = start + spec.seconds * 1000

  function request(): string {
    const number = count++
    const path = spec.paths[number % spec.paths.length] ?? '/'
    const key = spec.keys[number % spec.keys.length] ?? ''
    const body = spec.bodies?.[number % spec.bodies.length]?.replaceAll('{n}', `${run}${number}`) ?? ''
    const bodyHeaders = spec.bodies === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    return `${spec.method} ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n${bodyHeaders}\r\n${body}`
  }

  await Promise.all(
    Array.from({ length: spec.connections }, async () => {
      const socket = connect(spec.port, '127.0.0.1').setNoDelay()
      const answers = readAnswers(socket)
      while (performance.now() < end && !(spec.once && count >= spec.paths.length)) {
        const sent = performance.now()
        socket.write(request())
        const status = (await answers.next()).value ?? 'closed'
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

/** Yields the status of each answer; answers have a content-length, which is all that has to be understood. */
async function* readAnswers(socket: Socket): AsyncGenerator<string> {
  let buffer = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    buffer += chunk
    for (let head = buffer.indexOf('\r\n\r\n'); head !== -1; head = buffer.indexOf('\r\n\r\n')) {
      const length = Number(/content-length: (\d+)/i.exec(buffer.slice(0, head))?.[1] ?? 0)
      if (buffer.length < head + 4 + length) break
      const status = buffer.slice(9, 12)
      buffer = buffer.slice(head + 4 + length)
      yield status
    }
  }
}
