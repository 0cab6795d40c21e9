// Opens the scene of one experiment, plays in it, and compares what came of it with what its ventures were told.
import { audit } from './audit.ts'
import { Bank, type BankOptions } from './bank.ts'
import { Book } from './load/book.ts'
import { World } from './load/world.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { summed } from './tally.ts'

type SceneOptions = BankOptions & { ventures?: number; accounts?: number }

/** Opens a scene, plays in it, checks it, and closes it whatever happens. */
export async function onScene(stage: Stage, options: SceneOptions, play: (scene: Scene) => Promise<void>): Promise<void> {
  stage.say('starting')
  const bank = await Bank.prepare(stage.tally, options)
  await stage.closing(
    () => bank.close(),
    async () => {
      await bank.open()
      const scene = { bank, world: await World.create(bank, options), book: new Book() }
      stage.say('running')
      await play(scene)
      stage.tally.notes.push(...summed(bank.loggedErrors).map((error) => `logged: ${error}`))
      stage.say('checking')
      await audit(scene, stage.tally, stage.random.fork('audit'))
    },
  )
}
