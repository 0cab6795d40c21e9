// An error at startup that the operator can fix. It is printed as one sentence, without a stack trace.
export class StartupError extends Error {
  override name = 'StartupError'
}

/** Runs a command. If it fails for a reason that the operator can fix, prints that reason and sets the exit code to 1. */
export async function withSentence(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
