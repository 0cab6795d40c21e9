// Screens the parties of payments for the worker.
import { findBeneficiaries } from '../beneficiaries/beneficiaries.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import {
  type Compared,
  type Comparison,
  compareAtOnce,
  compareSubjects,
  type ScreeningPolicy,
  type Subject,
  storing,
} from '../screening/screening.ts'
import { isOfClient, subjectOfTransfer, type TransferRow } from './processing.parties.ts'
import { findClientsOf } from './processing.sql.ts'
import type { Screened, Screener } from './processing.worker.ts'

/** A name takes a fraction of a millisecond. If it takes longer, the thread is loading a list or restarting. */
const atOnce_ms = 50

/** `within_ms`: the limit for a comparison while others wait for it. */
export function openScreener(database: Database, comparison: Comparison, { within_ms = atOnce_ms } = {}): Screener {
  return {
    async screen(transfers) {
      const compared = await compareSubjects(comparison, await subjectsOf(database, transfers), { cause: 'processing' })
      return compared.map((one, index) => (one === undefined ? { outcome: 'UNLOADED', companions: [] } : screened(transfers, one, index)))
    },
    async screenAtOnce(reader, transfers) {
      const compared = await compareAtOnce(comparison, await subjectsOf(reader, transfers), { cause: 'processing' }, within_ms)
      return compared.map((one, index) => one && screened(transfers, one, index))
    },
  }
}

type ToScreen = { transfer: TransferRow; policy: ScreeningPolicy }

function screened(transfers: readonly ToScreen[], compared: Compared, index: number): Screened {
  const transfer = transfers[index]?.transfer
  const hits_client = transfer !== undefined && compared.hits.some((hit) => isOfClient(transfer, hit))
  return { outcome: compared.screening.outcome, hits_client, companions: [storing(compared)] }
}

export async function subjectsOf(reader: Reader, all: readonly ToScreen[]): Promise<Subject[]> {
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
