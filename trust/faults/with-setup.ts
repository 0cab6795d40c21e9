// Sets up one experiment, runs it, and compares the result with the responses its ventures got.
import { audit } from './audit.ts'
import { Bank, type BankOptions } from './bank.ts'
import type { Context } from './experiment.ts'
import { Book } from './load/book.ts'
import { World } from './load/world.ts'
import { counted } from './results.ts'
import type { Setup } from './setup.ts'

type SetupOptions = BankOptions & { ventures?: number; accounts?: number }

/** Sets up a bank, runs `use` on it, checks the result, and always closes it. */
export async function withSetup(context: Context, options: SetupOptions, use: (setup: Setup) => Promise<void>): Promise<void> {
  context.say('starting')
  const bank = await Bank.prepare(context.results, options)
  await context.withCleanup(
    () => bank.close(),
    async () => {
      await bank.open()
      const setup = { bank, world: await World.create(bank, options), book: new Book() }
      context.say('running')
      await use(setup)
      context.results.notes.push(...counted(bank.loggedErrors).map((error) => `logged: ${error}`))
      context.say('checking')
      await audit(setup, context.results, context.random.fork('audit'))
    },
  )
}
