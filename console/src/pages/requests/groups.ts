import type { LoggedRequest } from '@vostro/sdk'

export type Group = {
  key: string
  method: string
  route: string | null
  status: number
  code: string | null
  count: number
  slowest_ms: number
  /** The time of the latest request. */
  at: string
}

type Grouped = Pick<LoggedRequest, 'method' | 'route' | 'status' | 'code' | 'duration_ms' | 'at'>

/** Groups of requests with the same response, largest first. Refusals come before the rest, because they are what people look for. */
export function groupsOf(requests: readonly Grouped[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { method, route, status, code, duration_ms, at } of requests) {
    const key = [method, route, status, code].join(' ')
    const group = groups.get(key) ?? { key, method, route, status, code, count: 0, slowest_ms: 0, at }
    groups.set(key, {
      ...group,
      count: group.count + 1,
      slowest_ms: Math.max(group.slowest_ms, duration_ms),
      at: at > group.at ? at : group.at,
    })
  }
  return [...groups.values()].sort(
    (one, other) => Number(other.status >= 400) - Number(one.status >= 400) || other.count - one.count || one.key.localeCompare(other.key),
  )
}
