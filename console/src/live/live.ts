// What happens while somebody looks: the service says at most once a second which resources have changed, and the pages ask for them again. One tab
// of a browser listens for all of them. Rows of a list do not move by themselves: a list counts what is new, and shows it when asked.
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

/** How long after a stream has ended it is opened again. */
const pause_ms = 2_000

/** Listens to what happens in a venture until it is aborted. */
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
  // A tab that comes later has not heard that the stream is open.
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
  // The others wait for this one, and one of them goes on when it is closed.
  const listening = navigator.locks.request(`vostro-live-${venture}`, { signal }, async () => {
    isListener = true
    while (!signal.aborted) {
      try {
        for await (const frame of readFrames(venture, signal)) tell(frame ?? 'live')
      } catch {
        // Whatever it was, it is tried again.
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

/** How many events of a kind, or of all kinds (`*`), there were since the list was last read. */
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
