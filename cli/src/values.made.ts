// Values of the contract. Made by `npm run contract` from the lists of the service: do not edit.
export const bankRoles = ['admin', 'operator', 'auditor'] as const

export const controls = ['OPEN', 'MANAGED'] as const

export const kycOutcomes = ['APPROVED', 'DECLINED', 'REVIEW', 'ABORTED'] as const

export const listFormats = ['OFAC', 'UN', 'EU', 'UK', 'OPENSANCTIONS'] as const

export const ventureRoles = ['admin', 'operator', 'viewer'] as const

export const listFiles = {
  OFAC: ['sdn', 'alt', 'add'],
  UN: ['list'],
  EU: ['list'],
  UK: ['list'],
  OPENSANCTIONS: ['list'],
} as const

export const optionalFiles = {
  OFAC: ['alt', 'add'],
  UN: [],
  EU: [],
  UK: [],
  OPENSANCTIONS: [],
} as const
