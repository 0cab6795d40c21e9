// A connection that breaks fails all of its statements at once, also one that nobody waits for any more.
import { troubleOf } from './database.errors.ts'

/**
 * Such a failure must not end the process: whoever waits for a statement of the connection hears of it, and nothing of what it did was kept. Every
 * other rejection that nobody handles ends the process as before.
 */
export function surviveLostConnections(): void {
  process.on('unhandledRejection', (error) => {
    if (troubleOf(error) !== 'lost') throw error
    console.error(
      JSON.stringify({ level: 'warn', msg: 'a statement that nobody waited for was lost with its connection', err: String(error) }),
    )
  })
}
