// A TCP proxy in front of PostgreSQL that deliberately breaks connections at critical moments.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What happens to a COMMIT. The client loses its connection in each case.
 * unsent: the server never receives it and sees the connection end.
 * unanswered: the server has carried it out, but the client does not receive the response.
 * late: the server receives it only when `deliver` is called, and keeps the transaction open until then.
 */
export type CommitLoss = 'unsent' | 'unanswered' | 'late'

type Ambush = { loss: CommitLoss; times: number; andThen: () => void }

export class TcpProxy {
  #target: URL
  readonly #links = new Set<Link>()
  #server: Server | undefined
  #port = 0
  #stalled = false
  #delay_ms = 0
  #ambush: Ambush = { loss: 'unsent', times: 0, andThen: () => {} }
  /** The number of connections accepted so far. */
  connections = 0
  /** The number of COMMITs lost so far. */
  lostCommits = 0

  private constructor(target: URL) {
    this.#target = target
  }

  /** Listens on a free loopback port and forwards to the server of `url`, whose connections must not be encrypted. */
  static async open(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url))
    await proxy.accept()
    return proxy
  }

  /** The URL that was given to `open`, through the proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${this.#port}`
    return url.href
  }

  /** Forwards new connections to the server of another URL, as a load balancer does after a failover. */
  pointAt(url: string): void {
    this.#target = new URL(url)
  }

  /** Closes all connections. */
  cut(): void {
    for (const link of this.#links) link.cut()
  }

  /** Refuses new connections, as if nothing listened here. Existing ones stay open. */
  refuse(): void {
    this.#server?.close()
    this.#server = undefined
  }

  /** Accepts connections again, on the same port. */
  async accept(): Promise<void> {
    if (this.#server !== undefined) return
    this.#server = createServer((client) => this.#take(client)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Accepts connections but forwards no byte in either direction. */
  stall(): void {
    this.#stalled = true
    for (const link of this.#links) link.pause()
  }

  /** Forwards what has been held back, and everything that follows. */
  resume(): void {
    this.#stalled = false
    for (const link of this.#links) link.resume()
  }

  /** Delays every response of the server by this much from now on; 0 turns the delay off. */
  slowDown(delay_ms: number): void {
    this.#delay_ms = delay_ms
  }

  /** Loses the next COMMITs. `andThen` runs right before the client's connection ends, to change what happens afterwards. */
  loseCommits(loss: CommitLoss, { times = 1, andThen = () => {} }: { times?: number; andThen?: () => void } = {}): void {
    this.#ambush = { loss, times, andThen }
  }

  /** Forwards the late COMMITs. */
  deliver(): void {
    for (const link of this.#links) link.deliver()
  }

  close(): void {
    this.refuse()
    this.cut()
  }

  #take(client: Socket): void {
    this.connections++
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname)
    const link = new Link(client, server, { nextLoss: () => this.#nextLoss(), delay_ms: () => this.#delay_ms })
    this.#links.add(link)
    server.once('close', () => this.#links.delete(link))
    if (this.#stalled) link.pause()
  }

  #nextLoss(): Ambush | undefined {
    if (this.#ambush.times === 0) return undefined
    this.#ambush.times--
    this.lostCommits++
    return this.#ambush
  }
}

/** The end of the response to a COMMIT: ready, and no longer in a transaction. Responses inside a transaction end in T or E. */
const readyOutsideTransaction = Buffer.from('Z\0\0\0\x05I', 'latin1')
const protocolVersion3 = 196_608

/** What a connection needs from its proxy. */
type Instructions = { nextLoss(): Ambush | undefined; delay_ms(): number }

class Link {
  readonly #client: Socket
  readonly #server: Socket
  readonly #instructions: Instructions
  /** Delayed responses to the client, oldest first. */
  readonly #delayed: { bytes: Buffer; due_ms: number }[] = []
  /** What the client has sent that is not a complete message yet. */
  #incoming: Buffer = Buffer.alloc(0)
  /** The server's response to a COMMIT that is to stay unanswered. */
  #unanswered: { ambush: Ambush; answer: Buffer } | undefined
  #late: Buffer | undefined
  #started = false

  constructor(client: Socket, server: Socket, instructions: Instructions) {
    this.#client = client
    this.#server = server
    this.#instructions = instructions
    client.setNoDelay(true).on('data', (bytes: Buffer) => this.#fromClient(bytes))
    server.setNoDelay(true).on('data', (bytes: Buffer) => this.#fromServer(bytes))
    // Whichever side breaks the connection, it breaks for both.
    for (const socket of [client, server]) socket.on('error', () => {})
    client.on('close', () => {
      if (this.#late === undefined) server.end()
    })
    server.on('close', () => client.end())
  }

  cut(): void {
    this.#client.destroy()
    this.#server.destroy()
  }

  pause(): void {
    this.#client.pause()
    this.#server.pause()
  }

  resume(): void {
    this.#client.resume()
    this.#server.resume()
  }

  deliver(): void {
    if (this.#late !== undefined) this.#server.end(this.#late)
  }

  #fromClient(bytes: Buffer): void {
    this.#incoming = Buffer.concat([this.#incoming, bytes])
    for (let message = this.#nextMessage(); message !== undefined; message = this.#nextMessage()) {
      const ambush = isCommit(message) ? this.#instructions.nextLoss() : undefined
      if (ambush === undefined) this.#server.write(message)
      else this.#lose(message, ambush)
    }
  }

  /** Takes the next complete message off the buffer. The first ones, up to the start of the session, have no type byte. */
  #nextMessage(): Buffer | undefined {
    const lengthAt = this.#started ? 1 : 0
    if (this.#incoming.length < lengthAt + 4) return undefined
    const end = lengthAt + this.#incoming.readUInt32BE(lengthAt)
    if (this.#incoming.length < end) return undefined
    const message = this.#incoming.subarray(0, end)
    this.#incoming = this.#incoming.subarray(end)
    if (!this.#started) this.#started = message.readUInt32BE(4) === protocolVersion3
    return message
  }

  #lose(commit: Buffer, ambush: Ambush): void {
    switch (ambush.loss) {
      case 'unsent':
        ambush.andThen()
        this.cut()
        break
      case 'unanswered':
        this.#unanswered = { ambush, answer: Buffer.alloc(0) }
        this.#server.write(commit)
        break
      case 'late':
        this.#late = commit
        ambush.andThen()
        this.#client.destroy()
        break
    }
  }

  #fromServer(bytes: Buffer): void {
    if (this.#unanswered === undefined) {
      this.#answer(bytes)
      return
    }
    this.#unanswered.answer = Buffer.concat([this.#unanswered.answer, bytes])
    if (!this.#unanswered.answer.includes(readyOutsideTransaction)) return
    this.#unanswered.ambush.andThen()
    this.cut()
  }

  #answer(bytes: Buffer): void {
    const delay_ms = this.#instructions.delay_ms()
    if (delay_ms === 0 && this.#delayed.length === 0) {
      this.#toClient(bytes)
      return
    }
    // Never before an earlier response, which may have a longer delay.
    this.#delayed.push({ bytes, due_ms: Math.max(performance.now() + delay_ms, this.#delayed.at(-1)?.due_ms ?? 0) })
    if (this.#delayed.length === 1) this.#waitForNext()
  }

  #waitForNext(): void {
    const [next] = this.#delayed
    if (next === undefined) return
    setTimeout(
      () => {
        this.#delayed.shift()
        this.#toClient(next.bytes)
        this.#waitForNext()
      },
      Math.max(0, next.due_ms - performance.now()),
    )
  }

  #toClient(bytes: Buffer): void {
    if (this.#client.writable) this.#client.write(bytes)
  }
}

/** A query message whose text is COMMIT. */
function isCommit(message: Buffer): boolean {
  return message[0] === 0x51 && /^\s*commit\b/i.test(message.toString('latin1', 5))
}
