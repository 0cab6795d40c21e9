// Checks that the service's memory stays constant under full load: creates, gets and lists run concurrently, sampled every ten seconds.
//   npm run bench:endurance -- --minutes 10
import { readFile } from 'node:fs/promises'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { flagsOf } from './flags.ts'
import { load, requireStatus } from './load/load.ts'
import { withSetup } from './setup.ts'

const values = flagsOf('npm run bench:endurance -- [--minutes N]', { minutes: { type: 'string', default: '10' } })
const seconds = Number(values.minutes) * 60

await withSetup(async (setup) => {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, 100)
  const bodies = accounts.map(orderOf)
  const shared = { port: setup.port, keys: [venture.api_key], seconds }
  await load({ ...shared, seconds: 2, connections: 64, method: 'POST', paths: ['/api/v1/transfers'], bodies })
  const page = (await setup.call(venture.api_key, 'GET', '/api/v1/transfers?limit=100')) as unknown as { id: string }[]
  const sizes: number[] = []
  const start = performance.now()
  const timer = setInterval(async () => {
    const text = await readFile(`/proc/${setup.watched.service}/status`, 'utf8').catch(() => '')
    sizes.push(Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024)
    process.stderr.write(`\r${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${sizes.at(-1)?.toFixed(0)} MB resident `)
  }, 10_000)
  const [created, got, listed] = await Promise.all([
    load({ ...shared, connections: 64, method: 'POST', paths: ['/api/v1/transfers'], bodies }),
    load({ ...shared, connections: 16, method: 'GET', paths: page.map(({ id }) => `/api/v1/transfers/${id}`) }),
    load({ ...shared, connections: 4, method: 'GET', paths: ['/api/v1/transfers?limit=100', '/api/v1/transfers?status=CREATED'] }),
  ])
  clearInterval(timer)
  requireStatus(created, '201')
  requireStatus(got, '200')
  requireStatus(listed, '200')
  const half = sizes.slice(Math.floor(sizes.length / 2))
  const mean = (some: readonly number[]) => some.reduce((sum, size) => sum + size, 0) / some.length
  const quarter = Math.ceil(half.length / 2)
  console.log(
    `\n${created.perSecond.toFixed(0)} created, ${got.perSecond.toFixed(0)} got, ${listed.perSecond.toFixed(0)} lists a second for ${seconds} s\n` +
      `resident: at most ${Math.max(...sizes).toFixed(0)} MB, at the end ${sizes.at(-1)?.toFixed(0)} MB; ` +
      `third quarter ${mean(half.slice(0, quarter)).toFixed(0)} MB, last quarter ${mean(half.slice(quarter)).toFixed(0)} MB`,
  )
})
