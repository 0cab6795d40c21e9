// The service is killed.

import type { Experiment } from '../experiment.ts'
import { injectFaults } from '../inject-faults.ts'

export const serviceKilled: Experiment = {
  name: 'service-killed',
  about: 'kill -9 of the service under load; its next start adopts the database that was left behind',
  readyWithin_ms: 2_000,
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'embedded' },
      async fault({ bank }) {
        context.results.faults++
        const killed = performance.now()
        await bank.killService()
        await bank.start()
        context.results.ready_ms.push(await bank.untilReady(killed))
      },
    }),
}
