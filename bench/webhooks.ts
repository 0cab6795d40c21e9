// How many events a second reach one endpoint while transfers are created, and what do deliveries cost those who create them?
//   npm run bench:webhooks
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openBenchAccounts } from './accounts.ts'
import { load, requireStatus } from './load.ts'
import { onStage } from './stage.ts'

const rounds = 7
const seconds = 4
const accountCount = 200

const receiver = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)))
const [{ port: receiverPort }] = (await once(receiver, 'message')) as [{ port: number }]

async function arrived(): Promise<number> {
  receiver.send('count')
  const [{ count }] = (await once(receiver, 'message')) as [{ count: number }]
  return count
}

await onStage(async (stage) => {
  const { port, call, registerVenture } = stage
  const silent = await registerVenture()
  const heard = await registerVenture()
  const bodiesOf = async (venture: { id: string; api_key: string }) =>
    (await openBenchAccounts(stage, venture, accountCount)).map(({ account_id, beneficiary_id }) =>
      JSON.stringify({ account_id, beneficiary_id, unique_reference: 'bench-{n}', debit_amount: '1.00', purpose: 'Invoice' }),
    )
  const bodies = { silent: await bodiesOf(silent), heard: await bodiesOf(heard) }
  await call(heard.api_key, 'POST', '/api/v1/webhook-endpoints', { url: `http://127.0.0.1:${receiverPort}/` })

  const create = async (name: 'silent' | 'heard') => {
    const key = name === 'silent' ? silent.api_key : heard.api_key
    const before = await arrived()
    const spec = {
      port,
      connections: 64,
      seconds,
      method: 'POST' as const,
      paths: ['/api/v1/transfers'],
      keys: [key],
      bodies: bodies[name],
    }
    const result = await load(spec)
    requireStatus(result, '201')
    return { ...result, delivered: ((await arrived()) - before) / seconds }
  }
  /** Until nothing more arrives, so that what one round leaves behind does not burden the next. */
  const settle = async () => {
    for (let last = -1, now = await arrived(); now !== last; now = await arrived()) {
      last = now
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }

  await create('silent')
  await create('heard')
  await settle()
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const without = await create('silent')
    const withWebhooks = await create('heard')
    await settle()
    ratios.push(withWebhooks.perSecond / without.perSecond)
    rates.push(withWebhooks.delivered)
    console.log(
      `round ${round} of ${rounds}: without ${without.perSecond.toFixed(0)}/s, with ${withWebhooks.perSecond.toFixed(0)}/s ` +
        `and ${withWebhooks.delivered.toFixed(0)} deliveries/s, ratio ${(ratios.at(-1) ?? 0).toFixed(2)}`,
    )
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  console.log(
    `median: ${median(rates).toFixed(0)} deliveries/s; creating transfers is ${median(ratios).toFixed(2)} × as fast as without webhooks`,
  )
})
receiver.disconnect()
