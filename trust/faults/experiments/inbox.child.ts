// The workers that send payments and read other banks' messages, in their own process, which is killed at any moment. It reports
// the steps it begins. The settings are those of a real folder exchange.
import { readConfig } from '../../../server/src/config.ts'
import { Database } from '../../../server/src/platform/database/database.ts'
import { createLog } from '../../../server/src/platform/log.ts'
import { openServices } from '../../../server/src/services.ts'

const [, , url = '', folder = ''] = process.argv
const config = readConfig({ DATABASE_URL: url, SANDBOX: 'false', RAILS_EXCHANGE: `folder:${folder}`, RAILS_SENDERS: 'COBADEFFXXX' })
const database = new Database({ url, poolSize: 4, wait_ms: 60_000 })
const { processing, sending, inbox, files } = openServices({
  config,
  database,
  log: createLog('error'),
  // Nobody is listed: screening is not tested here.
  screener: { screen: async (transfers) => transfers.map(() => ({ outcome: 'CLEAR', companions: [] })) },
})

/** Ends with the process that started it. */
process.on('disconnect', () => process.exit())

for (;;) {
  await processing.runDue()
  await sending.runDue()
  const waiting = (await files?.list())?.length ?? 0
  process.send?.({ step: 'inbox' })
  await inbox?.runDue()
  process.send?.({ step: 'idle', done: waiting })
  await new Promise((resolve) => setTimeout(resolve, 20))
}
