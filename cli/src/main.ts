// The CLI: finds the command in the table, runs it, and turns errors into one sentence and an exit code.
import { writeSync } from 'node:fs'
import { Vostro } from '@vostro/sdk'
import { accountCommands } from './commands/accounts.ts'
import { backupCommands } from './commands/backup.ts'
import { beneficiaryCommands } from './commands/beneficiaries.ts'
import { clientCommands } from './commands/clients.ts'
import { clockCommands } from './commands/clock.ts'
import { completionCommands } from './commands/completion.ts'
import { demoCommands } from './commands/demo.ts'
import { eventCommands } from './commands/events.ts'
import { helpCommands } from './commands/help.ts'
import { listenCommands } from './commands/listen.ts'
import { listCommands } from './commands/lists.ts'
import { loginCommands } from './commands/login.ts'
import { logCommands } from './commands/logs.ts'
import { openCommands } from './commands/open.ts'
import { paymentLinkCommands } from './commands/payment-links.ts'
import { paymentCommands } from './commands/payments.ts'
import { questionCommands } from './commands/questions.ts'
import { transferCommands } from './commands/transfers.ts'
import { triggerCommands } from './commands/trigger.ts'
import { userCommands } from './commands/users.ts'
import { ventureCommands } from './commands/ventures.ts'
import { verifyCommands } from './commands/verify.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { defaultUrl, type Environment, processEnvironment, type Settings, settingsOf } from './config.ts'
import { exits, failureOf, UsageError } from './failures.ts'
import { Output, printable, type Stream } from './output.ts'
import { type Call, type Command, helpOf, parse, unknownCommand } from './table.ts'

/** The table of commands, from which parsing, help and completion follow. */
export const commands: readonly Command[] = [
  ...loginCommands,
  ...listenCommands,
  ...triggerCommands,
  ...logCommands,
  ...eventCommands,
  ...webhookCommands,
  ...clientCommands,
  ...accountCommands,
  ...beneficiaryCommands,
  ...transferCommands,
  ...paymentCommands,
  ...paymentLinkCommands,
  ...questionCommands,
  ...ventureCommands,
  ...clockCommands,
  ...demoCommands,
  ...openCommands,
  ...verifyCommands,
  ...userCommands,
  ...listCommands,
  ...backupCommands,
  ...completionCommands,
  ...helpCommands,
]

/** `stopped`: aborted when the user ends the command; if absent, Ctrl-C ends the process at once. */
export type World = { out: Stream; err: Stream; environment: Environment; stopped: () => AbortSignal }

/** Returns the exit code. */
export async function main(argv: readonly string[], world: World = ofProcess()): Promise<number> {
  const out = new Output({ json: argv.includes('--json'), ...world })
  let url = defaultUrl
  try {
    const { command, words, args, values } = parse(argv, commands)
    if (values['help'] === true || (command === undefined && words.length === 0)) {
      world.out.write(`${helpOf(command?.words ?? words, commands)}\n`)
      return exits.ok
    }
    if (command === undefined) throw unknownCommand(words, commands)
    let known: Settings | undefined
    // A broken config fails only commands that use it. Completion runs from the shell's start file and must not fail.
    const settings = () => {
      if (known !== undefined) return known
      known = settingsOf(values, world.environment)
      url = known.url
      if (known.warning !== undefined) out.note(known.warning)
      return known
    }
    const call: Call = {
      args,
      text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
      flag: (name) => values[name] === true,
      vostro: () => clientOf(settings(), settings().venture),
      bank: () => clientOf(settings(), undefined),
      get settings() {
        return settings()
      },
      environment: world.environment,
      out,
      stopped: world.stopped,
      commands,
    }
    const exit = await command.run(call)
    return typeof exit === 'number' ? exit : exits.ok
  } catch (error) {
    out.clear()
    const { exit, ...failure } = failureOf(error, url)
    world.err.write(out.json ? `${JSON.stringify({ error: failure })}\n` : `${printable(failure.message)}\n`)
    return exit
  }
}

function clientOf({ key, url }: Settings, venture: string | undefined): Vostro {
  if (key === undefined) throw new UsageError('No API key. Use --key or VOSTRO_KEY, or store one with `vostro login`.')
  return new Vostro({ key, baseUrl: url, venture, maxRetries: 2, headers: { 'user-agent': 'vostro-cli' } })
}

function ofProcess(): World {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', (error) => process.exit(exitOfOutput(error)))
  return { out: process.stdout, err: process.stderr, environment: processEnvironment(), stopped: stoppedBySignals }
}

/** A reader that closes the pipe early, such as `head`, is not an error. A full disk is. */
function exitOfOutput(error: NodeJS.ErrnoException): number {
  if (error.code === 'EPIPE') return exits.ok
  try {
    writeSync(2, `The output cannot be written: ${error.message}.\n`)
  } catch {
    // Nowhere left to report it.
  }
  return exits.refused
}

function stoppedBySignals(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stop.abort()
      // The second signal ends the process at once.
      process.once(name, () => process.exit(exits.interrupted))
    })
  }
  return stop.signal
}
