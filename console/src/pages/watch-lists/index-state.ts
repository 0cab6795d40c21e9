// The state of the name index, read from the service's metrics.

export type IndexState = {
  ready: boolean
  /** The loaded versions, by list name. */
  loaded: { watchlist: string; version: string }[]
}

/** Undefined if the metrics do not include it. */
export function indexStateOf(metrics: string): IndexState | undefined {
  const ready = /^screening_ready (\d+)/m.exec(metrics)?.[1]
  if (ready === undefined) return undefined
  const loaded = [...metrics.matchAll(/^screening_lists_loaded\{watchlist="([^"]*)",version="([^"]*)"[^}]*\} 1/gm)]
  return { ready: ready === '1', loaded: loaded.map(([, watchlist = '', version = '']) => ({ watchlist, version })) }
}
