// Which rows the commands of a batch need. Everything read here never changes, so nothing is locked yet.
import { findBeneficiaries } from '../../beneficiaries/beneficiaries.ts'
import type { Companion } from '../../platform/companions.ts'
import type { Reader } from '../../platform/database/database.ts'
import type { BatchBeneficiary } from '../deciding/transfers.batch.ts'
import type { Command } from '../deciding/transfers.commands.ts'
import { needsSiblings } from '../deciding/transfers.standing.ts'
import type { Key } from './transfers.keys.ts'
import { findReceivers, findRelations } from './transfers.plan.sql.ts'

/** A companion may need locks on further rows of the command's venture. */
export type TransferCompanion = Companion & { readonly locks?: { accounts?: readonly string[]; transfers?: readonly string[] } }

export type TransferCompanions = readonly TransferCompanion[] | undefined

export type AccompaniedCommand = Command & { readonly companions?: TransferCompanions }

export type Plan = {
  claims: { unique_reference: string; venture_id: string; transfer_id: string }[]
  accounts: Key[]
  transfers: Key[]
  parents: Key[]
  /** The accounts of forced commands, and those whose sequence a command names. */
  wholeAccounts: Key[]
  beneficiaries: BatchBeneficiary[]
  /** For each command, the ids of the rows that must be locked. */
  needs: string[][]
}

/** Finds the rows that the commands need, without locks: it reads only data that never changes. */
export async function planBatch(tx: Reader, commands: readonly AccompaniedCommand[]): Promise<Plan> {
  const creates = commands.flatMap((command) => (command.kind === 'create' ? [command] : []))
  const updates = commands.flatMap((command) => (command.kind === 'update' ? [command] : []))
  const beneficiaryKeys = creates.flatMap(({ venture_id, order }) =>
    order.beneficiary_id == null ? [] : [{ venture_id, id: order.beneficiary_id }],
  )
  const finding = findBeneficiaries(tx, beneficiaryKeys)
  const [relations, beneficiaries, receivers] = await Promise.all([
    findRelations(tx, [
      ...updates.map(({ venture_id, transfer_id }) => ({ venture_id, id: transfer_id })),
      // A child that completes in the command that creates it may give limits back to the payer of its parent's parent.
      ...creates.flatMap(({ venture_id, order: { parent_transaction_id: id }, steps = [] }) =>
        id == null || steps.length === 0 ? [] : [{ venture_id, id }],
      ),
    ]),
    finding,
    findReceivers(tx, beneficiaryKeys, finding),
  ])
  const relationsOf = new Map(relations.map((row) => [row.id, row]))
  const receiverOf = new Map(
    receivers.flatMap(({ id, venture_id, holder_id, account_id }) => (holder_id === venture_id ? [[id, account_id]] : [])),
  )
  const onUs = new Set(receivers.flatMap(({ id, managed }) => (managed ? [id] : [])))
  const keys = new KeyLists()
  const needs = commands.map((command) => {
    const { venture_id } = command
    if (command.kind === 'create') {
      const { account_id, beneficiary_id, parent_transaction_id } = command.order
      const receiver = beneficiary_id == null ? null : (receiverOf.get(beneficiary_id) ?? null)
      if (command.forced || command.account_sequence !== undefined) keys.add('wholeAccounts', venture_id, [account_id])
      return [
        ...keys.add('accounts', venture_id, [account_id, receiver]),
        ...keys.add('transfers', venture_id, [parent_transaction_id, relationsOf.get(parent_transaction_id ?? '')?.parent_transaction_id]),
        ...keys.add('parents', venture_id, [parent_transaction_id]),
      ]
    }
    if (command.kind === 'payout') return keys.add('accounts', venture_id, [command.account_id])
    const related = relationsOf.get(command.transfer_id)
    const statuses = [...(command.update.status === undefined ? [] : [command.update.status]), ...(command.steps ?? [])]
    if (command.forced) keys.add('wholeAccounts', venture_id, [related?.account_id])
    return [
      ...keys.add('accounts', venture_id, [related?.account_id, related?.receiver_account_id]),
      ...keys.add('transfers', venture_id, [command.transfer_id, related?.parent_transaction_id, related?.origin_transaction_id]),
      ...keys.add('parents', venture_id, statuses.some(needsSiblings) ? [related?.parent_transaction_id] : []),
    ]
  })
  commands.forEach(({ venture_id, companions = [] }, index) => {
    for (const { locks: { accounts = [], transfers = [] } = {} } of companions)
      needs[index]?.push(...keys.add('accounts', venture_id, accounts), ...keys.add('transfers', venture_id, transfers))
  })
  return {
    claims: creates.map(({ venture_id, id, order }) => ({ unique_reference: order.unique_reference, venture_id, transfer_id: id })),
    accounts: keys.of('accounts'),
    transfers: keys.of('transfers'),
    parents: keys.of('parents'),
    wholeAccounts: keys.of('wholeAccounts'),
    beneficiaries: beneficiaries.map((row) => ({ ...row, receiver_account_id: receiverOf.get(row.id) ?? null, on_us: onUs.has(row.id) })),
    needs,
  }
}

type KeyList = 'accounts' | 'transfers' | 'parents' | 'wholeAccounts'

/** Collects keys of rows without duplicates. */
class KeyLists {
  readonly #lists = new Map<string, Map<string, Key>>()

  add(list: KeyList, venture_id: string, ids: readonly (string | null | undefined)[]): string[] {
    const keys = this.#lists.get(list) ?? new Map<string, Key>()
    this.#lists.set(list, keys)
    const present = ids.filter((id) => id != null)
    for (const id of present) keys.set(`${venture_id}${id}`, { venture_id, id })
    return present
  }

  of(list: KeyList): Key[] {
    return [...(this.#lists.get(list)?.values() ?? [])]
  }
}
