// Takes transfers from CREATED to COMPLETED inside the service, in walks or in the single moves that walks replace.
import { randomUUID } from 'node:crypto'
import { connector } from '../server/src/processing/processing.worker.ts'
import type { TransferStatus } from '../server/src/transfers/life/transfers.status.ts'
import { createTransfer, type Transfers, updateTransfer } from '../server/src/transfers/transfers.ts'
import { type Figures, median } from './figures.ts'

export type WalkRun = {
  kind: 'walks'
  venture_id: string
  accounts: readonly { account_id: string; beneficiary_id: string }[]
  by: 'walks' | 'single moves'
  seconds: number
}

/** The walks of a SEPA payment, as the planner takes them. */
const walks: readonly (readonly TransferStatus[])[] = [
  ['RESERVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'SENT_TO_PACK'],
  ['PACKED', 'SENT_TO_CLEAR'],
  ['ACCEPTED', 'COMPLETED'],
]

const concurrent = 64

/** Completed transfers per second, without creating them. */
export async function measureWalks(transfers: Transfers, { venture_id, accounts, by, seconds }: WalkRun): Promise<Figures> {
  const changes = by === 'walks' ? walks : walks.flat().map((status) => [status])
  const lives_ms: number[] = []
  let spent_ms = 0
  while (spent_ms < seconds * 1000) {
    const orders = Array.from({ length: concurrent }, (_, index) => {
      const order = { ...accounts[index % accounts.length], unique_reference: randomUUID(), debit_amount: '1.00' }
      return createTransfer(transfers, { venture_id, order: order as Parameters<typeof createTransfer>[1]['order'], actor: connector })
    })
    const made = await Promise.all(orders)
    const start = performance.now()
    const ends = await Promise.all(made.map(({ id }) => live(transfers, { venture_id, transfer_id: id }, changes)))
    lives_ms.push(...ends.map((end) => end - start))
    spent_ms += performance.now() - start
  }
  const sorted = lives_ms.toSorted((a, b) => a - b)
  return { perSecond: (lives_ms.length / spent_ms) * 1000, p50_ms: median(lives_ms), p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

async function live(
  transfers: Transfers,
  key: { venture_id: string; transfer_id: string },
  changes: readonly (readonly TransferStatus[])[],
): Promise<number> {
  for (const [status, ...steps] of changes)
    await updateTransfer(transfers, {
      ...key,
      update: { status: status as TransferStatus, third_party_status: 'ACSC' },
      steps,
      actor: connector,
    })
  return performance.now()
}
