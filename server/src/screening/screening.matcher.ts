// Screens names in a separate thread, so that a request never blocks on a comparison. Questions that arrive in the same event loop turn
// share a message. If the thread ends unexpectedly, it is restarted with the same list versions, and the questions in progress are repeated
// once. A hanging thread is terminated.
import { Worker } from 'node:worker_threads'
import type { Entry } from './screening.entries.ts'
import type { Answer, Question } from './screening.index.ts'
import type { Ask, FromWorker, ToWorker } from './screening.worker.ts'

/** `NOT_LOADED`: nothing may pass. `BUSY`: too many questions are waiting. `FAILED`: the thread ended twice on this question. */
export type MatcherFailure = 'NOT_LOADED' | 'BUSY' | 'FAILED' | 'STOPPED'

export class MatcherError extends Error {
  override name = 'MatcherError'
  readonly failure: MatcherFailure

  constructor(failure: MatcherFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Reads the entries of a version. Called again after each start of the thread, so that they need not be kept in memory twice. */
export type ReadEntries = () => Promise<readonly Entry[]>

export type Loaded = { names: number; unreadable: number }

type Waiting = Ask & { attempts: number; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/** `load`: distinguishes one loading of the version from a later one. */
type Version = { load: number; read: ReadEntries; loaded: PromiseWithResolvers<Loaded>; isLoaded: boolean }

export type MatcherOptions = {
  /** The maximum number of questions that are waiting or in progress. */
  mostWaiting?: number
  /** The maximum number of questions in one message. */
  largestBatch?: number
  /**
   * If the thread owes an answer and is silent for this long, it counts as hanging. A question takes milliseconds, loading a list some
   * seconds.
   */
  longestSilence_ms?: { answering: number; loading: number }
  /** The file of the thread; tests use another. */
  file?: URL
  /** Called when the thread has ended unexpectedly. */
  onCrash?: (error: Error) => void
}

/** One that is being computed, and one that is ready for when it is done. */
const mostBatches = 2

/** Without this limit, a thread that cannot start would be restarted forever. */
const mostStarts = 5

export class Matcher {
  readonly #mostWaiting: number
  readonly #largestBatch: number
  readonly #longestSilence_ms: { answering: number; loading: number }
  readonly #file: URL
  readonly #onCrash: (error: Error) => void
  #worker: Worker
  readonly #versions = new Map<string, Version>()
  #queue: Waiting[] = []
  readonly #underWay = new Map<number, Waiting[]>()
  #batches = 0
  #loads = 0
  #isScheduled = false
  /** Starts since the last answer. */
  #starts = 0
  #stopped: PromiseWithResolvers<void> | undefined
  #watch: NodeJS.Timeout | undefined

  constructor({ mostWaiting = 10_000, largestBatch = 64, longestSilence_ms, file, onCrash = () => {} }: MatcherOptions = {}) {
    this.#mostWaiting = mostWaiting
    this.#largestBatch = largestBatch
    this.#longestSilence_ms = longestSilence_ms ?? { answering: 60_000, loading: 600_000 }
    this.#file = file ?? new URL('./screening.worker.ts', import.meta.url)
    this.#onCrash = onCrash
    this.#worker = this.#start()
  }

  /** Loads a version, or loads it again. Questions about it are refused until it is loaded. */
  async load(version: string, read: ReadEntries): Promise<Loaded> {
    this.#requireRunning()
    const { loaded } = this.#remember(version, read)
    // Does not wait for the entries, so that it ends when they are no longer wanted.
    void this.#sendEntries(version)
    return loaded.promise
  }

  unload(version: string): void {
    this.#versions.get(version)?.loaded.reject(notLoaded(version))
    this.#versions.delete(version)
    this.#send({ kind: 'unload', version })
    this.#refuseQuestionsTo(version)
  }

  isLoaded(version: string): boolean {
    return this.#versions.get(version)?.isLoaded === true
  }

  /** Whether it takes no more questions, because it was stopped or its thread cannot be started. */
  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Questions that are waiting or in progress. */
  get waiting(): number {
    return this.#queue.length + [...this.#underWay.values()].reduce((total, batch) => total + batch.length, 0)
  }

  async ask(version: string, question: Question): Promise<Answer> {
    this.#requireRunning()
    if (!this.isLoaded(version)) throw notLoaded(version)
    if (this.waiting >= this.#mostWaiting) throw new MatcherError('BUSY', `${this.waiting} names are waiting to be screened`)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#queue.push({ version, question, attempts: 0, resolve, reject })
    this.#schedule()
    return promise
  }

  /** Answers the waiting questions, then ends the thread. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.withResolvers()
    this.#endIfIdle()
    return this.#stopped.promise
  }

  #requireRunning(): void {
    if (this.#stopped !== undefined) throw new MatcherError('STOPPED', 'the matcher has been stopped')
  }

  #remember(version: string, read: ReadEntries): Version {
    this.#versions.get(version)?.loaded.reject(notLoaded(version))
    const remembered = { load: this.#loads++, read, loaded: Promise.withResolvers<Loaded>(), isLoaded: false }
    // The code that loads the version waits for this promise; after a restart of the thread, nobody does.
    remembered.loaded.promise.catch(() => {})
    this.#versions.set(version, remembered)
    return remembered
  }

  async #sendEntries(version: string): Promise<void> {
    const wanted = this.#versions.get(version)
    if (wanted === undefined) return
    const worker = this.#worker
    try {
      const entries = await wanted.read()
      // In the meantime, the thread may have been restarted or the version replaced; then another call does this.
      if (worker === this.#worker && this.#versions.get(version) === wanted)
        this.#send({ kind: 'load', version, load: wanted.load, entries })
    } catch (error) {
      if (this.#versions.get(version) === wanted) this.#versions.delete(version)
      wanted.loaded.reject(error)
      this.#refuseQuestionsTo(version)
    }
  }

  #start(): Worker {
    this.#starts++
    const worker = new Worker(this.#file)
    worker.on('message', (message: FromWorker) => this.#receive(message))
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => this.#hasEnded(new Error(`the thread that screens names ended with code ${code}`, { cause })))
    return worker
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
    this.#watchThread()
  }

  /** Ends the thread if it owes an answer and stays silent for too long. */
  #watchThread(): void {
    clearTimeout(this.#watch)
    const isLoading = [...this.#versions.values()].some((version) => !version.isLoaded)
    if (!isLoading && this.#underWay.size === 0) return
    const { answering, loading } = this.#longestSilence_ms
    const worker = this.#worker
    this.#watch = setTimeout(() => void worker.terminate(), isLoading ? loading : answering).unref()
  }

  /** Collects the questions of an event loop turn. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#sendBatches()
    })
  }

  #sendBatches(): void {
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      const sent = new Set(batch)
      this.#queue = this.#queue.filter((waiting) => !sent.has(waiting))
      for (const waiting of batch) waiting.attempts++
      const number = this.#batches++
      this.#underWay.set(number, batch)
      this.#send({ kind: 'ask', batch: number, asks: batch.map(({ version, question }) => ({ version, question })) })
    }
    this.#endIfIdle()
  }

  /** A question that was in progress when the thread ended is repeated alone, so that no other question is refused because of it. */
  #nextBatch(): Waiting[] {
    const ready = this.#queue.filter(({ version }) => this.isLoaded(version))
    const [first] = ready
    if (first === undefined) return []
    if (first.attempts > 0) return this.#underWay.size === 0 ? [first] : []
    const isRepeating = [...this.#underWay.values()].flat().some(({ attempts }) => attempts > 1)
    return isRepeating || this.#underWay.size >= mostBatches ? [] : ready.slice(0, this.#largestBatch)
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'loaded') {
      const { version, load, names, unreadable } = message
      const loaded = this.#versions.get(version)
      if (loaded?.load !== load) return
      loaded.isLoaded = true
      loaded.loaded.resolve({ names, unreadable })
      this.#watchThread()
      this.#schedule()
      return
    }
    this.#starts = 0
    const batch = this.#underWay.get(message.batch) ?? []
    this.#underWay.delete(message.batch)
    for (const [at, { version, resolve, reject }] of batch.entries()) {
      const answer = message.answers[at]
      if (answer) resolve(answer)
      else reject(notLoaded(version))
    }
    this.#watchThread()
    this.#sendBatches()
  }

  #hasEnded(error: Error): void {
    clearTimeout(this.#watch)
    if (this.#stopped !== undefined && this.waiting === 0) {
      for (const [version, { loaded }] of this.#versions) loaded.reject(notLoaded(version))
      this.#stopped.resolve()
      return
    }
    this.#onCrash(error)
    const again = [...this.#underWay.values()].flat()
    this.#underWay.clear()
    const mayStart = this.#starts < mostStarts
    const [repeated, refused] = [again.filter(({ attempts }) => attempts < 2), again.filter(({ attempts }) => attempts >= 2)]
    this.#queue = [...repeated, ...this.#queue]
    for (const { reject } of refused) reject(new MatcherError('FAILED', 'the thread that screens names ended twice on this name'))
    if (!mayStart) {
      this.#giveUp()
      return
    }
    for (const version of this.#versions.values()) version.isLoaded = false
    this.#worker = this.#start()
    for (const version of this.#versions.keys()) void this.#sendEntries(version)
    this.#endIfIdle()
  }

  /** Nothing passes any more: all versions count as not loaded. */
  #giveUp(): void {
    for (const [version, { loaded }] of this.#versions) loaded.reject(notLoaded(version))
    this.#versions.clear()
    for (const { version, reject } of this.#queue) reject(notLoaded(version))
    this.#queue = []
    this.#stopped ??= Promise.withResolvers()
    this.#stopped.resolve()
  }

  #refuseQuestionsTo(version: string): void {
    for (const waiting of this.#queue) if (waiting.version === version) waiting.reject(notLoaded(version))
    this.#queue = this.#queue.filter((waiting) => waiting.version !== version)
    this.#endIfIdle()
  }

  #endIfIdle(): void {
    if (this.#stopped !== undefined && this.waiting === 0) this.#send({ kind: 'stop' })
  }
}

function notLoaded(version: string): MatcherError {
  return new MatcherError('NOT_LOADED', `the list version ${version} is not loaded`)
}
