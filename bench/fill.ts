// Fills the table of transfers with a history, and shows the progress.
import { barOf, redraw } from '../server/src/platform/progress.ts'
import { fillTransfers, type Payer } from '../server/src/testing/testing.transfers.ts'

export function fillVisibly(ownerUrl: string, accounts: readonly Payer[], count: number): Promise<void> {
  return fillTransfers(ownerUrl, accounts, count, drawProgress)
}

function drawProgress(done: number, count: number): void {
  redraw(`${barOf({ done, of: count })} ${done.toLocaleString('en')} transfers${done >= count ? '\n' : ''}`)
}
