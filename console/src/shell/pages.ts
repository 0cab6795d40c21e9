// Every page of the console: where it is, what it is called, and which operation somebody must be allowed to call to see it.
import type { ReactNode } from 'react'
import type { Operation } from '../ui/session.ts'

export type PageEntry = {
  /** Below the venture, or below the bank. */
  path: string
  /** Its place in the navigation; without one, other pages lead to it. */
  label?: string
  needs: Operation
  load(): Promise<{ Page: () => ReactNode }>
}

export const venturePages: readonly PageEntry[] = [
  { path: 'overview', label: 'Overview', needs: 'getOwnVenture', load: () => import('../pages/overview/overview.tsx') },
  { path: 'transfers', label: 'Transfers', needs: 'listTransfers', load: () => import('../pages/transfers/transfers.tsx') },
  { path: 'webhooks', label: 'Webhooks', needs: 'listWebhookEndpoints', load: () => import('../pages/webhooks/webhooks.tsx') },
  { path: 'webhooks/$endpoint', needs: 'getWebhookEndpoint', load: () => import('../pages/webhooks/endpoint.tsx') },
  {
    path: 'webhooks/$endpoint/deliveries/$delivery',
    needs: 'getWebhookDelivery',
    load: () => import('../pages/webhooks/delivery.tsx'),
  },
  { path: 'events', label: 'Events', needs: 'listEvents', load: () => import('../pages/events/events.tsx') },
  { path: 'events/$event', needs: 'getEvent', load: () => import('../pages/events/event.tsx') },
  { path: 'requests', label: 'Requests', needs: 'listRequests', load: () => import('../pages/requests/requests.tsx') },
  { path: 'requests/$request', needs: 'getRequest', load: () => import('../pages/requests/request.tsx') },
  { path: 'developers', label: 'Developers', needs: 'listKeys', load: () => import('../pages/developers/developers.tsx') },
  { path: 'team', label: 'Team', needs: 'listVentureUsers', load: () => import('../pages/team/team.tsx') },
]

export const bankPages: readonly PageEntry[] = [
  { path: 'ventures', label: 'Ventures', needs: 'listVentures', load: () => import('../pages/ventures/ventures.tsx') },
]

/** Pages of whoever is signed in, whatever they may do. */
export const personPages: readonly PageEntry[] = [
  { path: 'you', needs: 'getSession', load: () => import('../pages/you/you.tsx') },
  { path: 'choose-venture', needs: 'getSession', load: () => import('../pages/choose-venture/choose-venture.tsx') },
  { path: 'find/$text', needs: 'getSession', load: () => import('../pages/find/find.tsx') },
]
