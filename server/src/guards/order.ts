// The order of the folders below src: each may know those to its left. Imports and tables are both judged by it.
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const order: readonly string[] = [
  'values',
  'platform',
  'events',
  'ledger',
  'ventures',
  'clients',
  'onboarding',
  'kyc',
  'beneficiaries',
  'accounts',
  'transfers',
  'payments',
  'webhooks',
  'verify',
  'sandbox',
]

/** Tests about the code, and what tests are made with. */
export const outsideTheOrder: ReadonlySet<string> = new Set(['guards', 'testing'])

export const source = fileURLToPath(new URL('..', import.meta.url))

/** All TypeScript files below src, by their path from there. */
export async function sourceFiles(): Promise<string[]> {
  return (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts')).sort()
}

/** The first segment of the path, because a file in transfers/life/ is one of transfers; `.` for the files at the top. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
}

/** Whether a file may know anything: the files at the top put the whole together, and tests may look at everything. */
export function standsOutside(file: string): boolean {
  const folder = folderOf(file)
  return folder === '.' || outsideTheOrder.has(folder) || file.endsWith('.test.ts')
}

export function isToTheRight(folder: string, of: string): boolean {
  return order.indexOf(folder) > order.indexOf(of)
}
