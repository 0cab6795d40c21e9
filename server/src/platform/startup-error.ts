// An error at start that the operator can fix. It is printed as one sentence, without a stack.
export class StartupError extends Error {
  override name = 'StartupError'
}
