// Screens the parties of payments for the worker.
import { findBeneficiaries } from '../beneficiaries/beneficiaries.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import type { Policy } from '../policies/policies.ts'
import {
  type Compared,
  type Comparison,
  compareAtOnce,
  compareInstant,
  compareSubjects,
  type ScreeningPolicy,
  type Subject,
  storing,
} from '../screening/screening.ts'
import { findInstantObstacles, type InstantObstacle } from '../transfers/transfers.ts'
import { isInstantOrder, overdueCase, screenerOfArriving } from './processing.instants.ts'
import { isOfClient, subjectOfTransfer, type TransferRow } from './processing.parties.ts'
import { findClientsOf } from './processing.sql.ts'
import type { Screened, Screener, ToScreen } from './processing.worker.ts'

/** A name takes a fraction of a millisecond. If it takes longer, the thread is loading a list or restarting. */
const atOnce_ms = 50

/** `within_ms`: the limit for a comparison while others wait for it. */
export function openScreener(database: Database, comparison: Comparison, { within_ms = atOnce_ms } = {}): Screener {
  return {
    screenArriving: screenerOfArriving(database, comparison),
    async screen(transfers) {
      const [subjects, instants] = await Promise.all([subjectsOf(database, transfers), instantsAmong(database, transfers)])
      const others = subjects.filter((_, index) => instants[index] === undefined)
      const compared = (await compareSubjects(comparison, others, { cause: 'processing' })).values()
      return Promise.all(
        subjects.map(async (subject, index): Promise<Screened> => {
          const instant = instants[index]
          if (instant?.obstacle !== undefined) return leftOut(database, subject, instant.obstacle)
          const one = instant === undefined ? compared.next().value : await compareInstant(comparison, subject, instant.screening)
          return one === undefined ? { outcome: 'UNLOADED', companions: [] } : screenedBy(transfers[index]?.transfer, one)
        }),
      )
    },
    async screenAtOnce(reader, transfers) {
      const [subjects, instants] = await Promise.all([subjectsOf(reader, transfers), instantsAmong(reader, transfers)])
      const others = subjects.filter((_, index) => instants[index] === undefined)
      const compared = (await compareAtOnce(comparison, others, { cause: 'processing' }, within_ms)).values()
      return Promise.all(
        subjects.map(async (subject, index): Promise<Screened | undefined> => {
          const instant = instants[index]
          if (instant === undefined) {
            const one = compared.next().value
            return one && screenedBy(transfers[index]?.transfer, one)
          }
          // Whatever needs a comparison or a case is left for later.
          if (instant.obstacle !== undefined || instant.screening !== 'clients') return undefined
          const one = await compareInstant(comparison, subject, instant.screening)
          return one && screenedBy(transfers[index]?.transfer, one)
        }),
      )
    },
  }
}

function screenedBy(transfer: TransferRow | undefined, compared: Compared): Screened {
  const hits_client = transfer !== undefined && compared.hits.some((hit) => isOfClient(transfer, hit))
  return { outcome: compared.screening.outcome, hits_client, companions: [storing(compared)] }
}

async function leftOut(database: Database, { venture_id }: Subject, obstacle: InstantObstacle): Promise<Screened> {
  return { outcome: 'LEFT_OUT', hits_client: false, companions: obstacle === 'overdue' ? [await overdueCase(database, venture_id)] : [] }
}

type Instant = { screening: Policy['instant_screening']; obstacle: InstantObstacle | undefined }

/** In the order of the transfers; undefined for all but instant payments in euro. */
async function instantsAmong(reader: Reader, transfers: readonly ToScreen[]): Promise<(Instant | undefined)[]> {
  const instants = transfers.filter(({ transfer }) => isInstantOrder(transfer))
  if (instants.length === 0) return transfers.map(() => undefined)
  const owners = await findClientsOf(
    reader,
    instants.map(({ transfer: { venture_id, account_id: id } }) => ({ venture_id, id })),
  )
  const clientOf = new Map(owners.map(({ account_id, id }) => [account_id, id]))
  const asked = instants.map(({ transfer: { venture_id, account_id } }) => ({ venture_id, client_id: clientOf.get(account_id) ?? '' }))
  const obstacles = (await findInstantObstacles(reader, asked)).values()
  return transfers.map(({ transfer, policy }) =>
    isInstantOrder(transfer) ? { screening: policy.instant_screening, obstacle: obstacles.next().value } : undefined,
  )
}

export async function subjectsOf(reader: Reader, all: readonly { transfer: TransferRow; policy: ScreeningPolicy }[]): Promise<Subject[]> {
  const transfers = all.map(({ transfer }) => transfer)
  const keys = (ids: (transfer: TransferRow) => readonly (string | null)[]) =>
    transfers.flatMap((transfer) => ids(transfer).flatMap((id) => (id === null ? [] : [{ venture_id: transfer.venture_id, id }])))
  const [owners, beneficiaries] = await Promise.all([
    findClientsOf(
      reader,
      keys(({ account_id, receiver_account_id }) => [account_id, receiver_account_id]),
    ),
    findBeneficiaries(
      reader,
      keys(({ beneficiary_id }) => [beneficiary_id]),
    ),
  ])
  const ownerOf = new Map(owners.map((owner) => [owner.account_id, owner]))
  const beneficiaryOf = new Map(beneficiaries.map((beneficiary) => [beneficiary.id, beneficiary]))
  return all.map(({ transfer, policy }) =>
    subjectOfTransfer(transfer, policy, {
      owner: ownerOf.get(transfer.account_id),
      receiver: ownerOf.get(transfer.receiver_account_id ?? ''),
      beneficiary: beneficiaryOf.get(transfer.beneficiary_id ?? ''),
    }),
  )
}
