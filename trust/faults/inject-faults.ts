// The usual course of an experiment: load on a bank, repeated faults, and the final checks.
import type { BankOptions } from './bank.ts'
import type { Context } from './experiment.ts'
import { type LoadOptions, startLoad } from './load/load.ts'
import type { Setup } from './setup.ts'
import { withSetup } from './with-setup.ts'

/** Lasts from the start of the fault until everything may work again. It increments the fault counter. */
export type Fault = (setup: Setup, context: Context) => Promise<void>

export type FaultPlan = { bank: BankOptions; load?: LoadOptions; fault: Fault }

/** An experiment in which fewer operations were acknowledged says little. */
const fewest = 100

export async function injectFaults(context: Context, { bank, load, fault }: FaultPlan): Promise<void> {
  await withSetup(context, bank, async (setup) => {
    const running = startLoad(context, setup, load)
    try {
      while (context.another()) {
        await context.pause(200, 700)
        await fault(setup, context)
        context.say(`fault ${context.results.faults}`)
      }
      await context.pause(200, 400)
      // A slow machine has answered few operations by now. The time-out of the test ends a service that answers none.
      while (context.results.acknowledged <= fewest) await context.pause(50, 50)
    } finally {
      await running.stop()
    }
    await setup.bank.untilReady()
  })
}
