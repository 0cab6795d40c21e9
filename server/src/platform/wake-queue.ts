// A queue of items to work on at once, one batch after the other. Rounds find whatever a stop leaves here.

type Options<Item> = {
  /** At most so many items make a batch. */
  most: number
  /** One batch. It is not to fail. */
  work(batch: Item[]): Promise<void>
}

export class WakeQueue<Item> {
  readonly #options: Options<Item>
  readonly #waiting = new Map<string, Item>()
  #underWay: ReadonlySet<string> = new Set()
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options<Item>) {
    this.#options = options
  }

  start(): void {
    this.#waiting.clear()
    this.#isStopped = false
  }

  /** Begins no other batch and waits for the one under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** An item that is added twice before its turn is worked on once, as it was last. */
  wake(items: Iterable<readonly [id: string, item: Item]>): void {
    for (const [id, item] of items) this.#waiting.set(id, item)
    this.#startDraining()
  }

  /** Whether an item waits or is under way. */
  has(id: string): boolean {
    return this.#waiting.has(id) || this.#underWay.has(id)
  }

  #startDraining(): void {
    if (this.#running !== undefined || this.#waiting.size === 0 || this.#isStopped) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      // Items that were added at the very end.
      this.#startDraining()
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isStopped) {
      const batch = [...this.#waiting].slice(0, this.#options.most)
      this.#underWay = new Set(batch.map(([id]) => id))
      for (const [id] of batch) this.#waiting.delete(id)
      await this.#options.work(batch.map(([, item]) => item))
    }
    this.#underWay = new Set()
  }
}
