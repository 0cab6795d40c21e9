// Orders and moves by people of the bank, alone or, with four-eyes approval, by two together.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest } from '../../audit/audit.ts'
import type { By } from '../../platform/actor.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Transfer, TransferOrder, TransferUpdate } from '../life/transfers.schemas.ts'
import { type CreateRequest, createTransfer, type Transfers, type UpdateRequest, updateTransfer } from './transfers.orders.ts'

/** Places an order for a person of the bank. With four-eyes approval, an order reserved to the bank takes two people. */
export function orderByBank(
  transfers: Transfers,
  approvals: Approvals,
  { venture_id, order }: Pick<CreateRequest, 'venture_id' | 'order'>,
  by: By,
): Promise<Transfer | Approval> {
  const id = uuidv7()
  const { unique_reference: reference } = order
  return actOrRequest(approvals, { venture_id, action: createAction, resource_id: id, payload: order, reference }, by, (allowed) =>
    createTransfer(transfers, { venture_id, id, order, ...allowed }),
  )
}

/** Carries out an update for a person of the bank. With four-eyes approval, a move that nobody there may make alone takes two people. */
export function updateByBank(
  transfers: Transfers,
  approvals: Approvals,
  { venture_id, transfer_id, update }: Pick<UpdateRequest, 'venture_id' | 'transfer_id' | 'update'>,
  by: By,
): Promise<Transfer | Approval> {
  return actOrRequest(approvals, { venture_id, action: moveAction, resource_id: transfer_id, payload: update }, by, (allowed) =>
    updateTransfer(transfers, { venture_id, transfer_id, update, ...allowed }),
  )
}

const createAction = 'create-transfer'
const moveAction = 'move-transfer'

/** The approvals about transfers. The payload is the order or the update. */
export function transferApprovals(transfers: Transfers): ApprovalHandler[] {
  return [
    {
      action: createAction,
      operations: ['createTransfer'],
      // The maker was told the id of the transfer.
      carryOut: ({ venture_id, resource_id: id, payload }, by) =>
        createTransfer(transfers, { venture_id, id, order: payload as TransferOrder, ...by, approved: true }),
    },
    {
      action: moveAction,
      operations: ['updateTransfer'],
      carryOut: ({ venture_id, resource_id: transfer_id, sequence, payload }, by) =>
        updateTransfer(transfers, { venture_id, transfer_id, update: payload as TransferUpdate, ...by, approved: true, sequence }),
    },
  ]
}
