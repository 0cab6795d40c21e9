// PostgreSQL servers for tests, and short-lived connections.
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../platform/embedded/embedded.ts'
import { makeFolderInMemory } from './testing.folders.ts'

export type Server = { ownerUrl: string; serviceUrl: string; stop(): Promise<void> }

/** An embedded PostgreSQL in a folder that is deleted when it stops. */
export async function startServer(name: string): Promise<Server> {
  const dataDir = makeFolderInMemory(name)
  // Nothing here has to survive a power failure, and thousands of small commits are faster without waiting for the disk.
  const { ownerUrl, serviceUrl, stop } = await startEmbeddedPostgres({ dataDir, fsync: false })
  return {
    ownerUrl,
    serviceUrl,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function withClient<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
