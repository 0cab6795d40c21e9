// How a request and its response are written.
import type { LoggedRequest } from '@vostro/sdk'
import { Status } from '../../ui/status.tsx'

const base = '/api/v1'

/** `/transfers` as `/api/v1/transfers`. */
export const routeOf = (typed: string): string => (typed.startsWith(base) ? typed : `${base}/${typed.replace(/^\//, '')}`)

const shortRoute = (route: string | null): string => (route === null ? 'unknown path' : route.replace(base, ''))

export const RouteName = ({ method, route }: Pick<LoggedRequest, 'method' | 'route'>) => (
  <span className="mono route">
    {method} {shortRoute(route)}
  </span>
)

export const Answer = ({ status, code }: Pick<LoggedRequest, 'status' | 'code'>) => (
  <>
    <Status value={String(status)} tone={status >= 500 ? 'bad' : status >= 400 ? 'attention' : 'good'} />{' '}
    {code !== null && <span className="mono">{code}</span>}
  </>
)
