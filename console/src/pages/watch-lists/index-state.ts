// What the metrics of the service say about the index that names are compared with.

export type IndexState = {
  ready: boolean
  /** The versions that this instance has loaded, by the name of the list. */
  loaded: { watchlist: string; version: string }[]
}

/** Undefined if the metrics say nothing about it. */
export function indexStateOf(metrics: string): IndexState | undefined {
  const ready = /^screening_ready (\d+)/m.exec(metrics)?.[1]
  if (ready === undefined) return undefined
  const loaded = [...metrics.matchAll(/^screening_lists_loaded\{watchlist="([^"]*)",version="([^"]*)"[^}]*\} 1/gm)]
  return { ready: ready === '1', loaded: loaded.map(([, watchlist = '', version = '']) => ({ watchlist, version })) }
}
