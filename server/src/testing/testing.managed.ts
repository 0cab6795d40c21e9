// A venture whose transfers the bank processes, with the bank's side of it: what rails report, and what people of the bank do.

import { randomUUID } from 'node:crypto'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { openFirstCase } from '../cases/cases.ts'
import type { Actor } from '../platform/actor.ts'
import { withLines } from '../platform/database/database.states.ts'
import type { Transfer, TransferOrder } from '../transfers/life/transfers.schemas.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import { createTransfer, findOpenTransfer, openTransfers, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { type Bank, type Loose, VentureCaller } from './testing.ts'

export const connector: Actor = { kind: 'connector', id: null }
export const operator: Actor = { kind: 'operator', id: null }

const screened = ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED'] as const
export const toSent = ['RESERVED', ...screened, 'READY_TO_CLEAR', 'SENT_TO_CLEAR'] as const

/** What a venture needs from its bank. */
export type ManagedBank = Pick<Bank, 'app' | 'config' | 'database' | 'owner' | 'admin'>

export class ManagedVenture extends VentureCaller {
  readonly bank: ManagedBank
  readonly transfers: Transfers
  readonly accounts: Accounts

  constructor(bank: ManagedBank, venture: VentureCaller['venture']) {
    super(bank.app, venture)
    this.bank = bank
    this.transfers = openTransfers(bank.database, bank.config.bank, openFirstCase)
    this.accounts = openAccounts(bank.database, bank.config.bank, findOpenTransfer)
  }

  static async open(bank: ManagedBank): Promise<ManagedVenture> {
    const { status, body, text } = await bank.admin.post('/ventures', { name: 'Managed', control: 'MANAGED' })
    if (status !== 201) throw new Error(`no venture: ${text}`)
    // As if an admin of the venture had created it: outside the sandbox, a key that the bank has seen can order nothing.
    await bank.owner.query(withLines('update api_keys set seen_by_bank = false where venture_id = $1'), [body.id])
    return new ManagedVenture(bank, body)
  }

  /** A client whom the bank has verified. */
  async verifiedClient(): Promise<Loose> {
    const client = await this.registerClient()
    await this.bank.owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client.id])
    return client
  }

  /** An active account of a verified client, with money that has arrived from outside. */
  override async openAccount({ balance, client_id, ...changes }: { balance?: string; client_id?: string; [field: string]: unknown } = {}) {
    const owner = client_id ?? (await this.verifiedClient()).id
    const order = { client_id: owner, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR', ...changes }
    const { body: account } = await this.post('/accounts', order)
    const activated = await this.post(`/accounts/${account.id}/activate`)
    if (activated.status !== 200) throw new Error(activated.text)
    if (balance !== undefined) await this.receive(account, balance)
    return (await this.get(`/accounts/${account.id}`)).body
  }

  /** Money arrives for an account and is credited. */
  async receive({ id }: { id: string }, credit_amount: string): Promise<Transfer> {
    const arrived = await this.order({ account_id: id, direction: 'INBOUND', credit_amount, dr_iban: 'DE89370400440532013000' })
    return this.process(arrived, 'RECEIVED', ...screened, 'COMPLETED')
  }

  /** An order by the bank's side. */
  order(
    order: Omit<TransferOrder, 'unique_reference'>,
    by: { actor: Actor; approved?: boolean } = { actor: connector },
  ): Promise<Transfer> {
    return createTransfer(this.transfers, { venture_id: this.venture.id, order: { unique_reference: randomUUID(), ...order }, ...by })
  }

  /** Moves by the bank's side. */
  async process({ id }: { id: string }, ...statuses: readonly TransferStatus[]): Promise<Transfer> {
    for (const status of statuses) await this.move(id, { status })
    return (await this.get(`/transfers/${id}`)).body
  }

  move(
    transfer_id: string,
    update: Parameters<typeof updateTransfer>[1]['update'],
    by: { actor: Actor; approved?: boolean } = { actor: connector },
  ): Promise<Transfer> {
    return updateTransfer(this.transfers, { venture_id: this.venture.id, transfer_id, update, ...by })
  }
}
