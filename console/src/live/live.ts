// Live updates: the service reports changed resources at most once a second, and pages fetch them again. One tab of a browser
// listens for all tabs. Lists do not move on their own: they count what is new and show it on request.
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { countOf, type Frame, readFrames } from './frames.ts'

type State = 'off' | 'live' | 'waiting'

let state: State = 'off'
const stateWatchers = new Set<() => void>()
const frameWatchers = new Set<(frame: Frame) => void>()

function setState(next: State): void {
  if (state === next) return
  state = next
  for (const watch of stateWatchers) watch()
}

function show(frame: Frame): void {
  for (const watch of frameWatchers) watch(frame)
}

/** The delay before a stream that has ended is opened again. */
const pause_ms = 2_000

/** Listens to the changes in a venture until aborted. */
export function follow(venture: string, queries: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const channel = new BroadcastChannel(`vostro-live-${venture}`)
  let isListener = false
  channel.onmessage = ({ data }: MessageEvent<Frame | State | 'and now?'>) => {
    if (data === 'and now?') {
      if (isListener) channel.postMessage(state)
    } else if (typeof data === 'string') setState(data)
    else show(data)
  }
  // A tab that opens later asks whether the stream is open.
  channel.postMessage('and now?')
  const refresh = ({ ids }: Frame) => {
    if (ids.length === 0) return
    const changed = new Set(ids)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some((part) => typeof part === 'string' && changed.has(part)) })
  }
  frameWatchers.add(refresh)
  const tell = (message: Frame | State) => {
    channel.postMessage(message)
    if (typeof message === 'string') setState(message)
    else show(message)
  }
  // Only the tab that holds the lock listens; when it closes, the next one takes over.
  const listening = navigator.locks.request(`vostro-live-${venture}`, { signal }, async () => {
    isListener = true
    while (!signal.aborted) {
      try {
        for await (const frame of readFrames(venture, signal)) tell(frame ?? 'live')
      } catch {
        // Any error leads to another attempt.
      }
      if (signal.aborted) return
      tell('waiting')
      await new Promise((resolve) => setTimeout(resolve, pause_ms))
    }
  })
  listening.catch(() => undefined)
  return () => {
    stop.abort()
    channel.close()
    frameWatchers.delete(refresh)
    setState('off')
  }
}

export function useLiveState(): State {
  return useSyncExternalStore(
    (watch) => {
      stateWatchers.add(watch)
      return () => stateWatchers.delete(watch)
    },
    () => state,
  )
}

/** The number of events of a kind, or of all kinds (`*`), since the list was last read. */
export function useFresh(kind: string | undefined): [number, () => void] {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (kind === undefined) return
    const watch = ({ kinds }: Frame) => setCount((before) => before + countOf(kinds, kind))
    frameWatchers.add(watch)
    return () => void frameWatchers.delete(watch)
  }, [kind])
  return [count, () => setCount(0)]
}
