// How a process learns that somebody wants it to end.

/**
 * Resolves at SIGINT or SIGTERM, and at SIGHUP, which a terminal sends when it is closed, unless somebody else handles that one. A second signal
 * exits immediately.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0
    const stop = () => (++signals > 1 ? process.exit(1) : resolve())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
    process.on('SIGHUP', () => {
      if (process.listenerCount('SIGHUP') === 1) stop()
    })
  })
}
