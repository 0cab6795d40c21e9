// HTTP over raw keep-alive sockets: it sends what no client library would, at a fraction of the cost.
import { connect, type Socket } from 'node:net'

export type Message = { method: string; path: string; headers: Record<string, string>; body?: Uint8Array | undefined }

/** `none`: the connection ended, or the time was up, before there was a response. */
export type Answer = { status: number; head: string; body: string; duration_ms: number; none?: 'closed' | 'hung' }

export class Wire {
  readonly #host: string
  readonly #port: number
  readonly #patience_ms: number
  readonly #idle: Connection[] = []

  constructor(url: string, { patience_ms }: { patience_ms: number }) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
    this.#patience_ms = patience_ms
  }

  async send(message: Message): Promise<Answer> {
    const bytes = bytesOf(message, `${this.#host}:${this.#port}`)
    const old = this.#idle.pop()
    const answer = await this.#exchange(old ?? new Connection(this.#host, this.#port), bytes)
    // The server may have closed the idle connection at that moment, which does not concern the request.
    return answer.none === 'closed' && old !== undefined ? this.#exchange(new Connection(this.#host, this.#port), bytes) : answer
  }

  async #exchange(connection: Connection, bytes: Buffer): Promise<Answer> {
    const answer = await connection.exchange(bytes, this.#patience_ms)
    if (answer.none === undefined && !/\r\nconnection: close/i.test(answer.head)) this.#idle.push(connection)
    else connection.end()
    return answer
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.end()
  }
}

function bytesOf({ method, path, headers, body }: Message, host: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === undefined && method === 'GET' ? '' : `content-length: ${body?.length ?? 0}\r\n`
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n`, 'latin1')
  return body === undefined ? head : Buffer.concat([head, body])
}

const nothing = Buffer.alloc(0)

class Connection {
  readonly #socket: Socket
  #received: Buffer = nothing
  #wake: (reason?: 'closed' | 'hung') => void = () => {}

  constructor(host: string, port: number) {
    this.#socket = connect(port, host).setNoDelay()
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => this.#wake('closed'))
  }

  exchange(bytes: Buffer, patience_ms: number): Promise<Answer> {
    const start = performance.now()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake('hung'), patience_ms)
      this.#wake = (none) => {
        const found = readAnswer(this.#received)
        if (found === undefined && none === undefined) return
        clearTimeout(timer)
        this.#wake = () => {}
        this.#received = nothing
        const duration_ms = performance.now() - start
        resolve(found ? { ...found, duration_ms } : { status: 0, head: '', body: '', duration_ms, ...(none ? { none } : {}) })
      }
      if (this.#socket.destroyed) this.#wake('closed')
      else this.#socket.write(bytes)
    })
  }

  end(): void {
    this.#socket.destroy()
  }
}

/** Undefined while the response is incomplete. */
function readAnswer(bytes: Buffer): { status: number; head: string; body: string } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const body = readChunks(bytes, end + 4)
    return body === undefined ? undefined : { status, head, body }
  }
  const length = status === 204 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < end + 4 + length) return undefined
  return { status, head, body: bytes.toString('utf8', end + 4, end + 4 + length) }
}

function readChunks(bytes: Buffer, start: number): string | undefined {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + 4 + length) return undefined
    if (length === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(bytes.subarray(line + 2, line + 2 + length))
    at = line + 4 + length
  }
}
