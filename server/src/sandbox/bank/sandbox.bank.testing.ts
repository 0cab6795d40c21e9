// Messages that tests send to the simulated bank in place of our own bank.
import { createHash } from 'node:crypto'
import { type Message, type MessageType, writeMessage } from '../../iso20022/iso20022.ts'
import type { OutgoingFile } from '../../rails/rails.ts'
import { parseMoney } from '../../values/money.ts'

export const ours = 'VOSTLT21XXX'
const [adaIban, graceIban] = ['LT601010012345678901', 'DE89370400440532013000']
const settlement = { settlement_method: 'CLRG', clearing_system: 'ST2' } as const
const created_at = '2026-11-16T09:30:00Z'

export type GivenPayment = { tx_id: string; amount: string; creditor?: string; instant?: boolean }

export function someCredits(message_id: string, ...given: readonly GivenPayment[]): Message<'pacs.008.001.08'> {
  return {
    message_id,
    created_at,
    settlement_date: '2026-11-16',
    ...settlement,
    instructing_bic: ours,
    transactions: given.map(({ tx_id, amount, creditor = 'Grace Hopper', instant = false }) => ({
      end_to_end_id: `E-${tx_id}`.slice(0, 35),
      tx_id,
      amount: parseMoney(amount, 'EUR') ?? 0n,
      currency: 'EUR',
      charge_bearer: 'SLEV',
      payment_type: { service_level: 'SEPA', ...(instant ? { local_instrument: 'INST' } : {}) },
      debtor: { name: 'Ada Lovelace' },
      debtor_iban: adaIban,
      debtor_bic: ours,
      creditor: { name: creditor },
      creditor_iban: graceIban,
    })),
  }
}

export function someDebits(message_id: string, collection_date: string, ...given: readonly GivenPayment[]): Message<'pacs.003.001.08'> {
  return {
    message_id,
    created_at,
    settlement_date: collection_date,
    ...settlement,
    instructing_bic: ours,
    transactions: given.map(({ tx_id, amount }) => ({
      end_to_end_id: `E-${tx_id}`.slice(0, 35),
      tx_id,
      amount: parseMoney(amount, 'EUR') ?? 0n,
      currency: 'EUR',
      charge_bearer: 'SLEV',
      payment_type: { service_level: 'SEPA', local_instrument: 'CORE', sequence_type: 'RCUR' },
      collection_date,
      mandate_reference: 'M-1',
      mandate_signed_on: '2026-01-15',
      creditor_id: 'DE98ZZZ09999999999',
      creditor: { name: 'Ada Lovelace' },
      creditor_iban: adaIban,
      creditor_bic: ours,
      debtor: { name: 'Grace Hopper' },
      debtor_iban: graceIban,
    })),
  }
}

/** A file with some bytes, in the form of the exchange. */
export function fileWith(name: string, bytes: Uint8Array): OutgoingFile {
  return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

export function fileOf<Type extends MessageType>(type: Type, message: Message<Type>, name = `${message.message_id}.xml`): OutgoingFile {
  return fileWith(name, writeMessage(type, message))
}
