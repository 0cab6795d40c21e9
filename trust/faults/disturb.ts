// The usual course of an experiment: load on a bank, a fault in it again and again, and the checks at the end.
import type { BankOptions } from './bank.ts'
import { type LoadOptions, startLoad } from './load/load.ts'
import { onScene } from './play.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'

/** From its beginning until everything may work again. It counts itself. */
export type Fault = (scene: Scene, stage: Stage) => Promise<void>

export type Disturbance = { bank: BankOptions; load?: LoadOptions; fault: Fault }

export async function disturb(stage: Stage, { bank, load, fault }: Disturbance): Promise<void> {
  await onScene(stage, bank, async (scene) => {
    const running = startLoad(stage, scene, load)
    try {
      while (stage.another()) {
        await stage.pause(200, 700)
        await fault(scene, stage)
        stage.say(`fault ${stage.tally.faults}`)
      }
      await stage.pause(200, 400)
    } finally {
      await running.stop()
    }
    await scene.bank.untilReady()
  })
}
