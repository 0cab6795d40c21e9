// Payment requests beside those from the table of routes: what an insider would try.
import { randomUUID } from 'node:crypto'
import type { Parts } from '../../server/src/guards/matrix/matrix.parts.ts'
import type { Loose } from '../../server/src/testing/testing.ts'
import { transferMethods, transferStatuses, transferTypes } from '../../server/src/transfers/life/transfers.status.ts'

const thief = 'DE02120300000000202051'

type Bodies = (ids: Loose) => readonly Parts[]

const body = (fields: Record<string, unknown>): Parts => ({ body: fields })
const order = ({ account_id, beneficiary_id }: Loose, more: object = {}): Record<string, unknown> => ({
  account_id,
  beneficiary_id,
  debit_amount: '1.00',
  unique_reference: randomUUID(),
  ...more,
})

export const temptations: Readonly<Record<string, Bodies>> = {
  createTransfer: (ids) => [
    ...transferTypes.flatMap((transfer_type) =>
      (['OUTBOUND', 'INBOUND'] as const).flatMap((direction) => [
        body(order(ids, { transfer_type, direction })),
        body(order(ids, { transfer_type, direction, parent_transaction_id: ids.parent_transaction_id })),
      ]),
    ),
    ...transferMethods.map((method) => body(order(ids, { method }))),
    ...['0.01', '20.00', '19.99', '4000.00'].map((debit_amount) => body(order(ids, { debit_amount }))),
    ...['1.00', '400.00'].map((credit_amount) =>
      body({ account_id: ids.account_id, mandate_id: ids.mandate_id, credit_amount, unique_reference: randomUUID() }),
    ),
  ],
  createTransfers: (ids) => [
    body({ transfers: [order(ids)] }),
    body({ transfers: [order(ids), order(ids)], atomic: true }),
    body({ transfers: Array.from({ length: 10 }, () => order(ids, { debit_amount: '19.99' })) }),
  ],
  updateTransfer: (ids) => [
    // Nothing else touches this one, so it is still waiting for its signature.
    { params: { transfer_id: ids.unsigned_id }, body: { status: 'SIGNED' } },
    ...[ids.transfer_id, ids.waits_id, ids.held_id].flatMap((transfer_id) =>
      transferStatuses.flatMap((status) => [
        { params: { transfer_id }, body: { status } },
        { params: { transfer_id }, body: { status, third_party_status: 'ACSC' } },
      ]),
    ),
  ],
  createBeneficiary: ({ client_id }) => [body({ client_id, name: 'Thief', beneficiary_type: 'PERSON', iban: thief, country_code: 'DEU' })],
  updateBeneficiary: ({ beneficiary_id, hidden_id }) => [
    { params: { beneficiary_id }, body: { display: false } },
    { params: { beneficiary_id: hidden_id }, body: { display: true } },
  ],
  updateAccount: ({ account_id, second_id }) =>
    [account_id, second_id].flatMap((id) => [
      { params: { account_id: id }, body: { daily_limit: null } },
      { params: { account_id: id }, body: { daily_limit: '100000.00', monthly_limit: null } },
    ]),
  updateClient: ({ client_id }) => [
    { params: { client_id }, body: { risk_level: 'Low' } },
    { params: { client_id }, body: { blocked: false, is_blacklisted: false } },
  ],
  createPayout: () => [body({}), {}],
  refundPayment: ({ payment_id }) => [
    { params: { payment_id }, body: {} },
    { params: { payment_id }, body: { amount: '1.00', external_refund_id: randomUUID() } },
  ],
  cancelPayment: ({ payment_id }) => [{ params: { payment_id } }],
  updatePayoutSettings: ({ account_id, second_id }) => [body({ payout_account_id: second_id }), body({ payout_account_id: account_id })],
  updatePolicy: ({ venture_id }) => [{ params: { venture_id }, body: { sign_above: null } }],
  updateVenture: ({ venture_id }) => [{ params: { venture_id }, body: { control: 'OPEN' } }],
  forceDebit: ({ venture_id, account_id }) => [
    body({
      sender: 'COBADEFF',
      kind: 'pacs.004',
      tx_id: randomUUID(),
      venture_id,
      account_id,
      amount: '5.00',
      transfer_type: 'ADJUSTMENT',
      explanation: 'Because',
    }),
  ],
  inviteVentureUser: () => [body({ email: `${randomUUID()}@example.com`, role: 'admin' })],
  createMandate: ({ account_id }) => [
    body({
      account_id,
      reference: randomUUID().slice(0, 30),
      creditor_id: 'DE98ZZZ09999999999',
      scheme: 'CORE',
      sequence_type: 'RCUR',
      debtor_name: 'Grace Hopper',
      debtor_iban: thief,
      signed_on: '2026-01-15',
    }),
  ],
}
