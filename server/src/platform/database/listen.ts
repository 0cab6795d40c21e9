// Listens for PostgreSQL's notifications on a connection of its own, and reconnects when that breaks. Notifications sent in between are
// lost, so listeners must also poll from time to time.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PrimaryClient } from './database.primary.ts'
import type { Database } from './database.ts'

const pause_ms = 500

/** Calls `onNotice` for each notification, and once after each reconnection. Returns a function that stops listening. */
export function listen({ connections }: Database, channel: string, onNotice: (payload?: string) => void): () => Promise<void> {
  const stopping = new AbortController()
  let client: PrimaryClient | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client = await connections.openOwn('vostro')
        const lost = Promise.withResolvers<void>()
        client.on('error', () => lost.resolve())
        client.on('end', () => lost.resolve())
        client.on('notification', ({ payload }) => onNotice(payload))
        const statement = { text: `listen ${pg.escapeIdentifier(channel)}`, query_timeout: connections.limits.silence_ms }
        await client.query(statement)
        onNotice()
        if (!stopping.signal.aborted) await lost.promise
      } catch {
        // The next iteration tries again.
      }
      await client?.end().catch(() => {})
      client = undefined
      await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const listening = run()
  return async () => {
    stopping.abort()
    await client?.end().catch(() => {})
    await listening
  }
}
