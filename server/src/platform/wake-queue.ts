// A queue of items to be worked on at once, batch by batch. If the service stops, the regular rounds find what is left here.

type Options<Item> = {
  /** The maximum number of items in a batch. */
  most: number
  /** Works on one batch. It must not throw. */
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

  /** Begins no more batches, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** An item that is added again before its turn is worked on once, in its latest version. */
  wake(items: Iterable<readonly [id: string, item: Item]>): void {
    for (const [id, item] of items) this.#waiting.set(id, item)
    this.#startDraining()
  }

  /** Whether an item is waiting or being worked on. */
  has(id: string): boolean {
    return this.#waiting.has(id) || this.#underWay.has(id)
  }

  #startDraining(): void {
    if (this.#running !== undefined || this.#waiting.size === 0 || this.#isStopped) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      // Picks up items that were added at the very end.
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
