// The console as a part of the service: its files, the build of them, and what changes while somebody looks.
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { buildConsole, canBuild } from './desk.build.ts'
import { Changes } from './desk.changes.ts'
import { ConsoleFiles } from './desk.files.ts'

export class Desk {
  readonly files = new ConsoleFiles()
  readonly changes: Changes
  readonly #log: Logger
  #build: ReturnType<typeof buildConsole> | undefined

  constructor({ database, log }: { database: Database; log: Logger }) {
    this.changes = new Changes({ database, log })
    this.#log = log
  }

  start(): void {
    this.changes.start()
  }

  /** Nobody waits for it: until it is done, the last build is served. */
  build(): void {
    if (this.#build !== undefined || !canBuild()) return
    this.#build = buildConsole(this.#log)
    void this.#build.ended.then(() => {
      this.#build = undefined
    })
  }

  get isBuilding(): boolean {
    return this.#build !== undefined
  }

  async stop(): Promise<void> {
    this.#build?.stop()
    await this.changes.stop()
  }
}
