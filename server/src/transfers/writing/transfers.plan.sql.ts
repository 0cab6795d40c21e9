// SQL statements that find the rows that commands need. Those rows never change, so nothing is locked.
import { rowsByVenture } from '../../platform/database/database.placement.ts'
import { findNames } from '../../platform/database/database.shards.ts'
import type { Reader } from '../../platform/database/database.ts'
import { fixed, read } from '../../platform/database/sql.ts'
import { ids, type Key, ventures } from './transfers.keys.ts'

// A statement with an empty list is not sent: a batch of one command needs only a few of them.

/** The other rows that a move of a transfer needs. They never change. The origin is the parent of the parent. */
export type Relations = Key & {
  account_id: string
  receiver_account_id: string | null
  parent_transaction_id: string | null
  origin_transaction_id: string | null
}

export async function findRelations(reader: Reader, keys: readonly Key[]): Promise<Relations[]> {
  if (keys.length === 0) return []
  return reader.rows(read<Relations>`
    select transfer.venture_id, transfer.id, transfer.account_id, transfer.receiver_account_id, transfer.parent_transaction_id,
      parent.parent_transaction_id as origin_transaction_id
    from transfers transfer left join transfers parent
      on parent.venture_id = transfer.venture_id and parent.id = transfer.parent_transaction_id
    where (transfer.venture_id, transfer.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`transfer.venture_id`, keys)}`)
}

/** `managed`: the bank processes the transfers of the account. */
export type Receiver = Key & { account_id: string; holder_id: string; managed: boolean }

/**
 * For each beneficiary whose IBAN belongs to an account: the account and its venture. The join uses only the account number, which has its
 * own index. With the venture as well, the planner would scan all accounts of the venture until it has statistics. `beneficiaries`: the
 * same ones, being read at the same time.
 */
export async function findReceivers(
  reader: Reader,
  keys: readonly Key[],
  beneficiaries: Promise<readonly (Key & { iban: string | null })[]>,
): Promise<Receiver[]> {
  if (keys.length === 0) return []
  return reader.placement.either({
    together: () =>
      reader.rows(read<Receiver>`
        select beneficiary.venture_id, beneficiary.id, account.id as account_id, account.venture_id as holder_id, account.managed
        from beneficiaries beneficiary join accounts account on account.account_number = beneficiary.iban
        where (beneficiary.venture_id, beneficiary.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))`),
    apart: async () => findReceiversByClaims(reader, await beneficiaries),
  })
}

/** The account may be on another server than the beneficiary: the claim on its number says which venture it is in. */
async function findReceiversByClaims(reader: Reader, beneficiaries: readonly (Key & { iban: string | null })[]): Promise<Receiver[]> {
  const ibans = new Set(beneficiaries.flatMap(({ iban }) => (iban === null ? [] : [iban])))
  const holders = await findNames(reader, 'account_number', [...ibans])
  const wanted = [...holders].map(([account_number, venture_id]) => ({ venture_id, account_number }))
  const accounts = await rowsByVenture(reader, wanted, (part) =>
    reader.rows(read<Key & { account_number: string; managed: boolean }>`
      select venture_id, id, account_number, managed from accounts
      where venture_id = ${part[0]?.venture_id} and account_number = any(${part.map(({ account_number }) => account_number)})`),
  )
  const found = new Map(accounts.map((account) => [account.account_number, account]))
  return beneficiaries.flatMap(({ venture_id, id, iban }) => {
    const account = found.get(iban ?? '')
    return account === undefined
      ? []
      : [{ venture_id, id, account_id: account.id, holder_id: account.venture_id, managed: account.managed }]
  })
}
