// Every page of the console: its path, its label, and the operation that a person must be allowed to call to see it.
import type { ReactNode } from 'react'
import type { Operation } from '../ui/session.ts'

export type PageEntry = {
  /** Relative to the venture or the bank. */
  path: string
  /** The label in the navigation; pages without one are reached from other pages. */
  label?: string
  /** The heading above this page and those after it. */
  group?: string
  needs: Operation
  /** Shown only if the service is a sandbox. */
  sandbox?: boolean
  load(): Promise<{ Page: () => ReactNode }>
}

export const venturePages: readonly PageEntry[] = [
  { path: 'overview', label: 'Overview', needs: 'getStatistics', load: () => import('../pages/overview/overview.tsx') },
  { path: 'clients', label: 'Clients', group: 'Customers', needs: 'listClients', load: () => import('../pages/clients/clients.tsx') },
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
  { path: 'questions', label: 'Questions', needs: 'listQuestions', load: () => import('../pages/questions/questions.tsx') },
  { path: 'questions/$question', needs: 'getQuestion', load: () => import('../pages/questions/question.tsx') },
  { path: 'transfers', label: 'Transfers', group: 'Money', needs: 'listTransfers', load: () => import('../pages/transfers/transfers.tsx') },
  { path: 'transfers/new', needs: 'createTransfer', load: () => import('../pages/transfers/new-transfer.tsx') },
  { path: 'transfers/$id', needs: 'getTransfer', load: () => import('../pages/transfers/transfer.tsx') },
  { path: 'payments', label: 'Payments', needs: 'listPayments', load: () => import('../pages/payments/payments.tsx') },
  { path: 'payments/$payment', needs: 'getPayment', load: () => import('../pages/payments/payment.tsx') },
  { path: 'links', label: 'Links', needs: 'listPaymentLinks', load: () => import('../pages/links/links.tsx') },
  { path: 'links/$link', needs: 'getPaymentLink', load: () => import('../pages/links/link.tsx') },
  { path: 'payouts', label: 'Payouts', needs: 'listPayouts', load: () => import('../pages/payouts/payouts.tsx') },
  {
    path: 'webhooks',
    label: 'Webhooks',
    group: 'Integration',
    needs: 'listWebhookEndpoints',
    load: () => import('../pages/webhooks/webhooks.tsx'),
  },
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
  { path: 'team', label: 'Team', group: 'People', needs: 'listVentureUsers', load: () => import('../pages/team/team.tsx') },
  { path: 'audit', label: 'Audit', needs: 'listVentureAuditLog', load: () => import('../pages/audit/audit.tsx') },
]

export const bankPages: readonly PageEntry[] = [
  { path: 'cases', label: 'Cases', group: 'Decide', needs: 'listCases', load: () => import('../pages/cases/cases.tsx') },
  { path: 'cases/$id', needs: 'getCase', load: () => import('../pages/cases/case.tsx') },
  { path: 'approvals', label: 'Approvals', needs: 'listApprovals', load: () => import('../pages/approvals/approvals.tsx') },
  { path: 'approvals/$id', needs: 'getApproval', load: () => import('../pages/approvals/approval.tsx') },
  { path: 'ventures', label: 'Ventures', group: 'Business', needs: 'listVentures', load: () => import('../pages/ventures/ventures.tsx') },
  { path: 'ventures/$id', needs: 'getVenture', load: () => import('../pages/ventures/venture.tsx') },
  {
    path: 'transfers',
    label: 'Transfers',
    needs: 'listTransfersOfAllVentures',
    load: () => import('../pages/bank-transfers/bank-transfers.tsx'),
  },
  { path: 'packs', label: 'Packs', group: 'Clearing', needs: 'listPacks', load: () => import('../pages/packs/packs.tsx') },
  { path: 'packs/$pack', needs: 'getPack', load: () => import('../pages/packs/pack.tsx') },
  { path: 'messages', label: 'Messages', needs: 'listMessages', load: () => import('../pages/messages/messages.tsx') },
  { path: 'messages/$message', needs: 'getMessage', load: () => import('../pages/messages/message.tsx') },
  { path: 'rails', label: 'Rails', needs: 'getCycles', load: () => import('../pages/rails/rails.tsx') },
  { path: 'schemes', label: 'Schemes', needs: 'listParticipations', load: () => import('../pages/schemes/schemes.tsx') },
  { path: 'calendars', label: 'Calendars', needs: 'getCalendarYear', load: () => import('../pages/schemes/calendars.tsx') },
  { path: 'inbound', label: 'Inbound', needs: 'listInboundPayments', load: () => import('../pages/inbound/inbound.tsx') },
  { path: 'inbound/$payment', needs: 'getInboundPayment', load: () => import('../pages/inbound/one.tsx') },
  {
    path: 'unapplied',
    label: 'Unapplied',
    group: 'Books',
    needs: 'listUnappliedPayments',
    load: () => import('../pages/unapplied/unapplied.tsx'),
  },
  { path: 'unapplied/$payment', needs: 'getUnappliedPayment', load: () => import('../pages/unapplied/one.tsx') },
  {
    path: 'reconciliation',
    label: 'Reconciliation',
    needs: 'listNostros',
    load: () => import('../pages/reconciliation/reconciliation.tsx'),
  },
  { path: 'reconciliation/$nostro', needs: 'getNostro', load: () => import('../pages/reconciliation/nostro.tsx') },
  { path: 'breaks', label: 'Breaks', needs: 'listBreaks', load: () => import('../pages/breaks/breaks.tsx') },
  { path: 'breaks/$break', needs: 'getBreak', load: () => import('../pages/breaks/one.tsx') },
  {
    path: 'trial-balance',
    label: 'Trial balance',
    needs: 'getTrialBalance',
    load: () => import('../pages/trial-balance/trial-balance.tsx'),
  },
  { path: 'rates', label: 'Rates', needs: 'listRates', load: () => import('../pages/rates/rates.tsx') },
  {
    path: 'watch-lists',
    label: 'Watch lists',
    group: 'Checks',
    needs: 'listWatchlists',
    load: () => import('../pages/watch-lists/watch-lists.tsx'),
  },
  { path: 'watch-lists/$list', needs: 'getWatchlist', load: () => import('../pages/watch-lists/watch-list.tsx') },
  { path: 'kyc-events', label: 'KYC events', needs: 'listUnmatchedKycEvents', load: () => import('../pages/kyc-events/kyc-events.tsx') },
  { path: 'invariants', label: 'Invariants', needs: 'listVerificationRuns', load: () => import('../pages/invariants/invariants.tsx') },
  { path: 'invariants/$run', needs: 'getVerificationRun', load: () => import('../pages/invariants/run.tsx') },
  { path: 'health', label: 'Health', group: 'Service', needs: 'getOperatorHealth', load: () => import('../pages/health/health.tsx') },
  { path: 'users', label: 'Users', needs: 'listUsers', load: () => import('../pages/users/users.tsx') },
  { path: 'users/$id', needs: 'getUser', load: () => import('../pages/users/user.tsx') },
  { path: 'pairs', label: 'Pairs', needs: 'listPairs', load: () => import('../pages/pairs/pairs.tsx') },
  { path: 'keys', label: 'Bank keys', needs: 'listBankKeys', load: () => import('../pages/bank-keys/bank-keys.tsx') },
  { path: 'audit', label: 'Audit log', needs: 'listAuditLog', load: () => import('../pages/bank-audit/bank-audit.tsx') },
  { path: 'jobs', label: 'Jobs', needs: 'listJobs', load: () => import('../pages/jobs/jobs.tsx') },
  {
    path: 'requests',
    label: 'Requests',
    needs: 'listRequestsOfAllVentures',
    load: () => import('../pages/bank-requests/bank-requests.tsx'),
  },
  { path: 'sandbox', label: 'Sandbox', needs: 'getSandboxBank', sandbox: true, load: () => import('../pages/sandbox/sandbox.tsx') },
]

/** Pages for everyone who is signed in. */
export const personPages: readonly PageEntry[] = [
  { path: 'you', needs: 'getSession', load: () => import('../pages/you/you.tsx') },
  { path: 'choose-venture', needs: 'getSession', load: () => import('../pages/choose-venture/choose-venture.tsx') },
  { path: 'find/$text', needs: 'getSession', load: () => import('../pages/find/find.tsx') },
]
