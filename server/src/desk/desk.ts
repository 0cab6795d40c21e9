// The console inside the service: its files, its build, and the changes while a page is open.
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { buildConsole, canBuild } from './desk.build.ts'
import { Changes } from './desk.changes.ts'
import { ConsoleFiles } from './desk.files.ts'
import type { DeskConfig } from './desk.settings.ts'

export class Desk {
  readonly files = new ConsoleFiles()
  readonly changes: Changes
  /** How often a listening page gets a heartbeat, after a check that it may still listen. */
  readonly heartbeat_ms: number
  readonly #log: Logger
  #build: ReturnType<typeof buildConsole> | undefined

  constructor({ database, log, config }: { database: Database; log: Logger; config: DeskConfig }) {
    this.changes = new Changes({ database, log })
    this.#log = log
    this.heartbeat_ms = config.streamHeartbeat_ms
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
