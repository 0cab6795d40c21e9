// Creates one demo bank and sends its digest to the parent process. A process's clock cannot go back, so each bank has its own process.
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { linesOf } from '../../server/src/sandbox/demo/sandbox.demo.ts'
import { startService } from '../../server/src/service.ts'
import { fetchPatiently } from '../../server/src/testing/testing.process.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import type { MadeBank, Order } from './demo.same.ts'

const { ownerUrl, serviceUrl, seed, size } = JSON.parse(process.argv[2] ?? '') as Order
const poll_ms = 100

const adminKey = makeKey('admin')
const settings = { DATABASE_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl, ADMIN_API_KEY: adminKey, DATABASE_WAIT_MS: '60000' }
const config = readConfig({ ...settings, SANDBOX: 'true', PORT: '0', LOG_LEVEL: 'error' })
const service = await startService({ ...config, demoSize: size })
try {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
  const ask = async (request: RequestInit) =>
    (await fetchPatiently(`${service.url}/api/v1/sandbox/demo`, { headers, ...request })).json() as Promise<Run>
  let run = await ask({ method: 'POST', body: JSON.stringify({ seed }) })
  while (run.status === 'RUNNING') {
    await sleep(poll_ms)
    run = await ask({})
  }
  if (run.status !== 'DONE') throw new Error(run.detail ?? 'the demo bank could not be made')
  const database = new Database({ url: serviceUrl })
  const made: MadeBank = { digest: run.digest ?? '', lines: await linesOf(database) }
  await database.close()
  await new Promise<void>((resolve, reject) => process.send?.(made, (error: Error | null) => (error ? reject(error) : resolve())))
} finally {
  await service.stop()
}
process.disconnect?.()

type Run = { status: string; digest: string | null; detail: string | null }
