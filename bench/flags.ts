// The command-line flags of a benchmark.
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Ends the process with the usage for --help, and with one sentence for an invalid flag. */
export function flagsOf<T extends Options>(usage: string, options: T) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } as const })
    if ('help' in values && values.help === true) {
      console.log(usage)
      process.exit(0)
    }
    return values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}
