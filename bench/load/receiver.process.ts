// Starts a webhook receiver and reads its counter.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type CountingReceiver = { url: string; arrived(): Promise<number>; close(): void }

export async function startReceiver(): Promise<CountingReceiver> {
  const receiver = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)))
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}/`,
    async arrived() {
      receiver.send('count')
      const [{ count }] = (await once(receiver, 'message')) as [{ count: number }]
      return count
    },
    close: () => receiver.disconnect(),
  }
}
