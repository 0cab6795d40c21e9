// Step 3: commit first. Before anything is written outside, the transfers of a pack are walked to SENT_TO_CLEAR: from then on they cannot
// be cancelled, and no second pack can take them. A payment whose walk is refused leaves the pack.
import type { StandingNow } from '../../transfers/transfers.ts'
import { activePacks, dropPayments, inParts, mayLeave, movingPayment, type Packing, standingsOf, walkTransfer } from './rails.packing.ts'
import { type PackRow, type PaymentRow, selectPacks, selectPaymentsOf } from './rails.packs.sql.ts'

type Step = 'committed' | 'walk' | 'drop'

/** The next step of a payment that is PACKED. One that was held and released again waits for another pack. */
function stepOf({ walks }: PaymentRow, standing: StandingNow | undefined): Step {
  if (!walks || standing?.transfer.sent) return 'committed'
  return standing !== undefined && standing.transfer.status === 'PACKED' && mayLeave(standing) ? 'walk' : 'drop'
}

/** Returns how many payments were committed or left their pack. */
export async function commitPacks(packing: Packing): Promise<number> {
  let done = 0
  for (const pack of await activePacks(packing, await selectPacks(packing.database, 'OPEN'))) done += await commitPack(packing, pack)
  return done
}

async function commitPack(packing: Packing, pack: PackRow): Promise<number> {
  const payments = (await selectPaymentsOf(packing.database, pack.id, ['PACKED'])).filter(({ walks }) => walks)
  return inParts(payments, async (part) => {
    const standings = await standingsOf(packing, part)
    const steps = Map.groupBy(part, (payment) => stepOf(payment, standings.get(payment.transfer_id)))
    const now = packing.now().toISOString()
    const refused: PaymentRow[] = []
    const walked = await Promise.all(
      (steps.get('walk') ?? []).map(async (payment) => {
        const { transfer } = standings.get(payment.transfer_id) as StandingNow
        // The payment stays PACKED until it is sealed; its lock prevents it from being dropped meanwhile.
        const move = movingPayment({ ...payment, from: ['PACKED'], to: 'PACKED', now })
        const result = await walkTransfer(packing, transfer, { steps: ['SENT_TO_CLEAR'] }, [move])
        if (result === 'refused') refused.push(payment)
        return result === 'moved'
      }),
    )
    const dropped = await dropPayments(packing, [...(steps.get('drop') ?? []), ...refused], 'left_before_committed')
    return walked.filter(Boolean).length + dropped
  })
}
