import type { ListTransfersQuery, Transfer, TransferBulk, TransferBulkResult, TransferOrder, TransferUpdate } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('transfer')

export const transferCommands: readonly Command[] = [
  listing<ListTransfersQuery, Transfer>({
    words: ['transfers', 'list'],
    summary: 'List transfers, newest first.',
    filters: {
      account_id: 'Only transfers of this account.',
      beneficiary_id: 'Only transfers to this beneficiary.',
      direction: 'Only INBOUND or OUTBOUND ones.',
      status: 'Only transfers in this status.',
      transfer_type: 'Only transfers of this type.',
      method: 'Only transfers over this rail.',
      currency: 'Only transfers in this currency.',
      date_from: 'Only transfers from this day or time on.',
      date_to: 'Only transfers until this day or time.',
      search: 'Only transfers that contain this text.',
    },
    columns: ['id', 'created_at', 'status', 'direction', 'method', 'debit_amount', 'debit_currency', 'cr_name', 'unique_reference'],
    list: (vostro, query) => vostro.transfers.list(query),
  }),
  action({ words: ['transfers', 'get'], summary: 'Show a transfer.', args: [id], act: (vostro, [id = '']) => vostro.transfers.get(id) }),
  action({
    words: ['transfers', 'create'],
    summary: 'Order a transfer.',
    details:
      'For example: vostro transfers create account_id=… beneficiary_id=… debit_amount=30.00 unique_reference=INV-1 is_instant:=true',
    fields: true,
    act: (vostro, _, fields) => vostro.transfers.create(fields as TransferOrder),
  }),
  action({
    words: ['transfers', 'create-many'],
    summary: 'Order up to 1,000 transfers in one request.',
    details:
      'For example: vostro transfers create-many --data payroll.json, with {"transfers": [{"account_id": "…", …}, …]}. All are ordered, or none; ' +
      'with atomic:=false, each succeeds or fails on its own.',
    fields: true,
    act: async (vostro, _, fields, { out }) => {
      const answer = await vostro.transfers.createMany(fields as TransferBulk)
      return out.json ? answer : answer.results.map(lineOf)
    },
  }),
  action({
    words: ['transfers', 'move'],
    summary: 'Move a transfer to another status.',
    args: [id, { name: 'STATUS', describe: 'The new status; `vostro transfers transitions ID` lists the possible ones.' }],
    options: { reason: { describe: 'The reason, stored as `status_reason`.', value: 'TEXT' } },
    act: (vostro, [id = '', status], _, call) => {
      const status_reason = call.text('reason')
      const update = { status: status?.toUpperCase(), ...(status_reason === undefined ? {} : { status_reason }) }
      return vostro.transfers.update(id, update as TransferUpdate)
    },
  }),
  action({
    words: ['transfers', 'transitions'],
    summary: 'List the possible next statuses of a transfer, and what blocks them.',
    args: [id],
    act: (vostro, [id = '']) => vostro.transfers.listTransitions(id),
  }),
  action({
    words: ['transfers', 'history'],
    summary: 'List the moves of a transfer.',
    args: [id],
    act: (vostro, [id = '']) => vostro.transfers.listHistory(id),
  }),
]

const lineOf = ({ index, transfer, problem }: TransferBulkResult['results'][number]): object => ({
  index,
  result: transfer?.status ?? problem?.code,
  id: transfer?.id ?? null,
  detail: problem?.detail ?? null,
})
