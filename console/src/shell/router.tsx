// Routes: pages of a venture are below /v/<venture>, pages of the bank below /bank.
import type { QueryClient } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { homeOf } from '../ui/home.ts'
import { sessionQuery } from '../ui/session.ts'
import { Failed, NotFound } from './fallbacks.tsx'
import { bankPages, type PageEntry, personPages, venturePages } from './pages.ts'
import { Shell } from './shell.tsx'

export function makeRouter(queries: QueryClient) {
  const root = createRootRoute({ component: Shell, loader: () => queries.ensureQueryData(sessionQuery) })
  const routesOf = (prefix: string, pages: readonly PageEntry[]) =>
    pages.map(({ path, load }) =>
      createRoute({ getParentRoute: () => root, path: `${prefix}${path}`, component: lazyRouteComponent(load, 'Page') }),
    )
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    loader: async () => {
      throw redirect({ to: homeOf(await queries.ensureQueryData(sessionQuery)), replace: true })
    },
  })
  return createRouter({
    routeTree: root.addChildren([
      home,
      ...routesOf('/v/$venture/', venturePages),
      ...routesOf('/bank/', bankPages),
      ...routesOf('/', personPages),
    ]),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: NotFound,
    // Search parameters stay strings.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}
