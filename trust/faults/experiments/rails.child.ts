// The workers that send payments and apply the answers of other banks, in their own process, which is killed at any
// moment. It reports the steps it begins. The settings are those of a real folder exchange.
import { readConfig } from '../../../server/src/config.ts'
import { Database } from '../../../server/src/platform/database/database.ts'
import { createLog } from '../../../server/src/platform/log.ts'
import { steps } from '../../../server/src/rails/rails.sending.ts'
import { openServices } from '../../../server/src/services.ts'

const [, , url = '', folder = ''] = process.argv
const config = readConfig({ DATABASE_URL: url, SANDBOX: 'false', RAILS_EXCHANGE: `folder:${folder}`, RAILS_SENDERS: 'COBADEFFXXX' })
const database = new Database({ url, poolSize: 4, wait_ms: 60_000 })
const services = openServices({
  config,
  database,
  log: createLog('warn'),
  // Nobody is listed: screening is not tested here.
  screener: { screen: async (transfers) => transfers.map(() => ({ outcome: 'CLEAR', companions: [] })) },
})
const { transfers, files: exchange, messages: reader } = services
const packing = {
  database,
  transfers,
  exchange,
  reader,
  log: createLog('warn'),
  now: () => new Date(),
  answer_ms: 24 * 3_600_000,
  timeoutsOf: async () => new Map(),
  sources: { mandatesOf: async () => new Map(), returnsOf: async () => new Map() },
}

/** Ends with the process that started it. */
process.on('disconnect', () => process.exit())

for (;;) {
  process.send?.({ step: 'process' })
  await services.processing.runDue()
  process.send?.({ step: 'answer' })
  await services.inbox?.runDue()
  let done = 0
  for (const [step, work] of Object.entries(steps)) {
    process.send?.({ step })
    done += await work(packing)
  }
  const waiting = (await exchange?.list())?.length ?? 0
  process.send?.({ step: 'idle', done: done + waiting })
  await new Promise((resolve) => setTimeout(resolve, 20))
}
