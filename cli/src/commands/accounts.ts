import type { Account, AccountEntry, ListAccountsQuery, ListEntriesQuery, NewAccount } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('account')

export const accountCommands: readonly Command[] = [
  listing<ListAccountsQuery, Account>({
    words: ['accounts', 'list'],
    summary: 'List accounts, newest first.',
    filters: {
      client_id: 'Only accounts of this client.',
      status: 'Only accounts in this status.',
      currency: 'Only accounts in this currency.',
      account_type: 'Only accounts of this type.',
      search: 'Only accounts that contain this text.',
    },
    columns: ['id', 'status', 'account_name', 'account_number', 'currency', 'current_balance', 'reserved_balance', 'available_balance'],
    list: (vostro, query) => vostro.accounts.list(query),
  }),
  action({ words: ['accounts', 'get'], summary: 'Show an account.', args: [id], act: (vostro, [id = '']) => vostro.accounts.get(id) }),
  action({
    words: ['accounts', 'create'],
    summary: 'Open an account.',
    details: 'For example: vostro accounts create client_id=… account_name=Main account_type=CURRENT currency=EUR',
    fields: true,
    act: (vostro, _, fields) => vostro.accounts.create(fields as NewAccount),
  }),
  action({
    words: ['accounts', 'activate'],
    summary: 'Activate an account.',
    args: [id],
    act: (vostro, [id = '']) => vostro.accounts.activate(id),
  }),
  action({
    words: ['accounts', 'freeze'],
    summary: 'Freeze an account.',
    args: [id],
    act: (vostro, [id = '']) => vostro.accounts.freeze(id),
  }),
  action({
    words: ['accounts', 'close'],
    summary: 'Close an account permanently.',
    args: [id],
    act: (vostro, [id = '']) => vostro.accounts.close(id),
  }),
  action({
    words: ['accounts', 'deposit'],
    summary: 'In the sandbox: simulate a deposit to an account.',
    args: [id, { name: 'AMOUNT', describe: 'The amount, such as 100.00.' }],
    act: (vostro, [id = '', amount = '']) => vostro.sandbox.accounts.deposit(id, { amount }),
  }),
  listing<ListEntriesQuery, AccountEntry>({
    words: ['accounts', 'entries'],
    summary: 'List the ledger entries of an account, newest first.',
    args: [id],
    filters: {},
    columns: ['id', 'created_at', 'amount', 'currency', 'balance', 'transfer_id'],
    list: (vostro, query, [id = '']) => vostro.accounts.listEntries(id, query),
  }),
]
