// A reason not to start that the operator can act on. It is printed as its one sentence, without a stack.
export class StartupError extends Error {
  override name = 'StartupError'
}
