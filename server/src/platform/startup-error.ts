// An error at start that the operator can fix. It is printed as one sentence, without a stack.
export class StartupError extends Error {
  override name = 'StartupError'
}

/** Runs a command. If it ends with something that the operator can fix, that is printed, and the exit code is 1. */
export async function withSentence(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
