// How a process learns that it should stop.

/**
 * Resolves at SIGINT or SIGTERM, and at SIGHUP, which a terminal sends when it is closed, unless SIGHUP already has another handler. A
 * second signal exits immediately, except for the same signal within `echo_ms` of the first: one Ctrl-C reaches a process both from the
 * terminal and from npm.
 */
export function stopSignal(echo_ms = 1_000): Promise<void> {
  return new Promise((resolve) => {
    let first: { signal: string; at_ms: number } | undefined
    const stop = (signal: string) => {
      if (first === undefined) {
        first = { signal, at_ms: performance.now() }
        resolve()
      } else if (signal !== first.signal || performance.now() - first.at_ms > echo_ms) process.exit(1)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
    process.on('SIGHUP', () => {
      if (process.listenerCount('SIGHUP') === 1) stop('SIGHUP')
    })
  })
}
