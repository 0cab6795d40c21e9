// The service dies without a word.
import { disturb } from '../disturb.ts'
import type { Experiment } from '../stage.ts'

export const serviceKilled: Experiment = {
  name: 'service-killed',
  about: 'kill -9 of the service under load; its next start adopts the database that was left behind',
  readyWithin_ms: 2_000,
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'embedded' },
      async fault({ bank }) {
        stage.tally.faults++
        const killed = performance.now()
        await bank.killService()
        await bank.start()
        stage.tally.ready_ms.push(await bank.untilReady(killed))
      },
    }),
}
