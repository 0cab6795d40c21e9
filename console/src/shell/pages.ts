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
]

export const bankPages: readonly PageEntry[] = [
  { path: 'ventures', label: 'Ventures', needs: 'listVentures', load: () => import('../pages/ventures/ventures.tsx') },
  { path: 'ventures/$id', needs: 'getVenture', load: () => import('../pages/ventures/venture.tsx') },
  { path: 'cases', label: 'Cases', needs: 'listCases', load: () => import('../pages/cases/cases.tsx') },
  { path: 'cases/$id', needs: 'getCase', load: () => import('../pages/cases/case.tsx') },
  { path: 'approvals', label: 'Approvals', needs: 'listApprovals', load: () => import('../pages/approvals/approvals.tsx') },
  { path: 'approvals/$id', needs: 'getApproval', load: () => import('../pages/approvals/approval.tsx') },
  { path: 'jobs', label: 'Jobs', needs: 'listJobs', load: () => import('../pages/jobs/jobs.tsx') },
  { path: 'kyc-events', label: 'KYC events', needs: 'listUnmatchedKycEvents', load: () => import('../pages/kyc-events/kyc-events.tsx') },
  {
    path: 'requests',
    label: 'Requests',
    needs: 'listRequestsOfAllVentures',
    load: () => import('../pages/bank-requests/bank-requests.tsx'),
  },
  { path: 'users', label: 'Users', needs: 'listUsers', load: () => import('../pages/users/users.tsx') },
  { path: 'users/$id', needs: 'getUser', load: () => import('../pages/users/user.tsx') },
  { path: 'audit', label: 'Audit log', needs: 'listAuditLog', load: () => import('../pages/bank-audit/bank-audit.tsx') },
]

/** Pages of whoever is signed in, whatever they may do. */
export const personPages: readonly PageEntry[] = [
  { path: 'you', needs: 'getSession', load: () => import('../pages/you/you.tsx') },
  { path: 'choose-venture', needs: 'getSession', load: () => import('../pages/choose-venture/choose-venture.tsx') },
]
