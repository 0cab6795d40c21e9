// The order of the folders below src: each may depend on those to its left. It applies to imports and tables.
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const order: readonly string[] = [
  'values',
  'iso20022',
  'platform',
  'events',
  'audit',
  'ledger',
  'ventures',
  'users',
  'cases',
  'policies',
  'clients',
  'onboarding',
  'kyc',
  'screening',
  'rates',
  'schemes',
  'beneficiaries',
  'accounts',
  'payees',
  'mandates',
  'transfers',
  'statements',
  'processing',
  'rails',
  'reconciliation',
  'payments',
  'webhooks',
  'requests',
  'exports',
  'verify',
  'archive',
  'desk',
  'sandbox',
]

/** Tests of the code, and tools for tests. */
export const outsideTheOrder: ReadonlySet<string> = new Set(['guards', 'testing'])

export const source = fileURLToPath(new URL('../..', import.meta.url))

/** All TypeScript files below src, by their path from there. */
export async function sourceFiles(): Promise<string[]> {
  return (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts')).sort()
}

/** The first segment of the path, because a file in transfers/life/ belongs to transfers; `.` for the files at the top. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
}

/** Whether a file may depend on anything: the files at the top assemble the service, and tests may see everything. */
export function standsOutside(file: string): boolean {
  const folder = folderOf(file)
  return folder === '.' || outsideTheOrder.has(folder) || file.endsWith('.test.ts')
}

export function isToTheRight(folder: string, of: string): boolean {
  return order.indexOf(folder) > order.indexOf(of)
}
