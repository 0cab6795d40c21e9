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
  { path: 'overview', label: 'Overview', needs: 'getStatistics', load: () => import('../pages/overview/overview.tsx') },
  { path: 'clients', label: 'Clients', needs: 'listClients', load: () => import('../pages/clients/clients.tsx') },
  { path: 'clients/new', needs: 'registerPerson', load: () => import('../pages/clients/new.tsx') },
  { path: 'clients/$client', needs: 'getClient', load: () => import('../pages/clients/client.tsx') },
  { path: 'accounts', label: 'Accounts', needs: 'listAccounts', load: () => import('../pages/accounts/accounts.tsx') },
  { path: 'accounts/$account', needs: 'getAccount', load: () => import('../pages/accounts/account.tsx') },
  {
    path: 'beneficiaries',
    label: 'Beneficiaries',
    needs: 'listBeneficiaries',
    load: () => import('../pages/beneficiaries/beneficiaries.tsx'),
  },
  { path: 'beneficiaries/$beneficiary', needs: 'getBeneficiary', load: () => import('../pages/beneficiaries/beneficiary.tsx') },
  { path: 'mandates', label: 'Mandates', needs: 'listMandates', load: () => import('../pages/mandates/mandates.tsx') },
  { path: 'mandates/$mandate', needs: 'getMandate', load: () => import('../pages/mandates/mandate.tsx') },
  { path: 'transfers', label: 'Transfers', needs: 'listTransfers', load: () => import('../pages/transfers/transfers.tsx') },
  { path: 'transfers/new', needs: 'createTransfer', load: () => import('../pages/transfers/new-transfer.tsx') },
  { path: 'transfers/$id', needs: 'getTransfer', load: () => import('../pages/transfers/transfer.tsx') },
  { path: 'payments', label: 'Payments', needs: 'listPayments', load: () => import('../pages/payments/payments.tsx') },
  { path: 'payments/$payment', needs: 'getPayment', load: () => import('../pages/payments/payment.tsx') },
  { path: 'links', label: 'Links', needs: 'listPaymentLinks', load: () => import('../pages/links/links.tsx') },
  { path: 'links/$link', needs: 'getPaymentLink', load: () => import('../pages/links/link.tsx') },
  { path: 'payouts', label: 'Payouts', needs: 'listPayouts', load: () => import('../pages/payouts/payouts.tsx') },
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
