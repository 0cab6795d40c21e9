// How a process learns that somebody wants it to end.

/** Resolves at SIGINT or SIGTERM. A second signal exits immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (++signals > 1 ? process.exit(1) : resolve()))
  })
}
