// Compares the parties of payments with the watch lists, as the worker asks for it.
import { findBeneficiaries } from '../beneficiaries/beneficiaries.ts'
import type { Database } from '../platform/database/database.ts'
import { type Comparison, compareSubjects, type ScreeningPolicy, type Subject, storing } from '../screening/screening.ts'
import { subjectOfTransfer, type TransferRow } from './processing.parties.ts'
import { findClientsOf } from './processing.sql.ts'
import type { Screener } from './processing.worker.ts'

export function openScreener(database: Database, comparison: Comparison): Screener {
  return {
    async screen(transfers) {
      const compared = await compareSubjects(comparison, await subjectsOf(database, transfers), { cause: 'processing' })
      return compared.map((one) =>
        one === undefined ? { outcome: 'UNLOADED', companions: [] } : { outcome: one.screening.outcome, companions: [storing(one)] },
      )
    },
  }
}

export async function subjectsOf(
  database: Database,
  all: readonly { transfer: TransferRow; policy: ScreeningPolicy }[],
): Promise<Subject[]> {
  const transfers = all.map(({ transfer }) => transfer)
  const keys = (ids: (transfer: TransferRow) => readonly (string | null)[]) =>
    transfers.flatMap((transfer) => ids(transfer).flatMap((id) => (id === null ? [] : [{ venture_id: transfer.venture_id, id }])))
  const [owners, beneficiaries] = await Promise.all([
    findClientsOf(
      database,
      keys(({ account_id, receiver_account_id }) => [account_id, receiver_account_id]),
    ),
    findBeneficiaries(
      database,
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
