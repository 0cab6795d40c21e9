// Reads and validates files without blocking the service's requests: small files here, large ones in a separate process. The memory of
// libxml2 never shrinks, and a hostile file may exhaust it; both end with that process.
import { type ChildProcess, fork } from 'node:child_process'
import type { MessageType } from '../definitions/iso20022.messages.ts'
import { type FaultReason, MessageFault } from './iso20022.faults.ts'
import { limits } from './iso20022.limits.ts'
import { type ReadMessage, readMessage, validateMessage } from './iso20022.read.ts'

export type ToChild = { what: 'read' | 'validate'; bytes: Uint8Array }
export type FromChild = { rss_bytes: number } & (
  | { ok: true; result: ReadMessage | MessageType }
  | { ok: false; fault: { reason: FaultReason; detail: string; path: readonly string[] } }
  | { ok: false; bug: string }
)

export type ReaderOptions = {
  /** Files from this size on are read in the separate process. */
  large_bytes?: number
  /** The time limit for a file. */
  timeout_ms?: number
  /** How long the process waits for the next file. */
  idle_ms?: number
  /** A process that uses more memory than this is not reused. */
  child_bytes?: number
  /** The program of the process; tests use another one. */
  file?: URL
}

const defaults: Required<ReaderOptions> = {
  large_bytes: 256 * 1024,
  timeout_ms: 120_000,
  idle_ms: 10_000,
  child_bytes: 220 * 1024 * 1024,
  file: new URL('./iso20022.child.ts', import.meta.url),
}

/** The process ended or timed out. */
class ChildLost extends Error {}

export class MessageReader {
  readonly #options: Required<ReaderOptions>
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  /** Large files are read one after the other, to bound the memory. */
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(options: ReaderOptions = {}) {
    this.#options = { ...defaults, ...options }
  }

  /** Throws a MessageFault unless the file is a valid message with correct numbers and sums. */
  read(bytes: Uint8Array): Promise<ReadMessage> {
    return this.#isSmall(bytes) ? readMessage(bytes) : (this.#aside({ what: 'read', bytes }) as Promise<ReadMessage>)
  }

  /** Throws a MessageFault unless the file is a valid message; returns its type. */
  validate(bytes: Uint8Array): Promise<MessageType> {
    return this.#isSmall(bytes) ? validateMessage(bytes) : (this.#aside({ what: 'validate', bytes }) as Promise<MessageType>)
  }

  /** Ends the process after the waiting files. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    this.#end()
  }

  #isSmall({ length }: Uint8Array): boolean {
    // A file above every limit is refused before it is copied.
    return length < this.#options.large_bytes || length > limits.file_bytes
  }

  #aside(asked: ToChild): Promise<ReadMessage | MessageType> {
    if (this.#closed) return Promise.reject(new Error('the reader of messages is closed'))
    const answered = this.#last.then(() => this.#askTwice(asked))
    this.#last = answered.catch(() => undefined)
    return answered
  }

  /** The system may have ended the process for other reasons, so the file gets a second try. */
  async #askTwice(asked: ToChild): Promise<ReadMessage | MessageType> {
    const answer = await this.#ask(asked)
      .catch(again)
      .then((first) => first ?? this.#ask(asked).catch(again))
    if (answer === undefined) throw new MessageFault('unreadable')
    if (answer.ok) return answer.result
    if ('bug' in answer) throw new Error(answer.bug)
    const fault = new MessageFault(answer.fault.reason, answer.fault.detail)
    fault.path.push(...answer.fault.path)
    throw fault
  }

  async #ask(asked: ToChild): Promise<FromChild> {
    clearTimeout(this.#idle)
    const child = this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<FromChild>()
    const lost = () => reject(new ChildLost())
    const timer = setTimeout(lost, this.#options.timeout_ms)
    child.once('message', resolve).once('exit', lost).once('error', lost)
    child.send(asked, (error) => error && lost())
    child.ref()
    try {
      const answer = await promise
      if (answer.rss_bytes > this.#options.child_bytes) this.#end()
      return answer
    } catch (error) {
      this.#end()
      throw error
    } finally {
      clearTimeout(timer)
      child.off('message', resolve).off('exit', lost).off('error', lost)
      this.#rest()
    }
  }

  #start(): ChildProcess {
    if (this.#child?.connected) return this.#child
    // The process does not get the settings of the service, which contain secrets.
    this.#child = fork(this.#options.file, {
      serialization: 'advanced',
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child.on('error', () => undefined)
    return this.#child
  }

  /** Keeps the process for the next file, without keeping the service from stopping. */
  #rest(): void {
    const child = this.#child
    if (child === undefined) return
    child.unref()
    child.channel?.unref()
    this.#idle = setTimeout(() => this.#end(), this.#options.idle_ms)
    this.#idle.unref()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

/** Swallows only the loss of the process; any other error is our bug. */
function again(error: unknown): undefined {
  if (!(error instanceof ChildLost)) throw error
}
