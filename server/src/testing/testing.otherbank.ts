// Another bank at the other end of an exchange: it reads what the bank has sent, and answers with messages.
import assert from 'node:assert/strict'
import {
  type CreditTransfer,
  type DirectDebit,
  type Message,
  MessageReader,
  type MessageType,
  type ReadMessage,
  writeMessage,
} from '../iso20022/iso20022.ts'
import { now } from '../platform/clock.ts'
import { fromNumeric } from '../values/money.ts'
import { MemoryExchange } from './testing.exchange.ts'

export const theirBic = 'COBADEFFXXX'
export const theirIban = 'DE89370400440532013000'

/** What makes a payment of the other bank an instant one. `age_s`: how long ago the other bank received its order. */
export function instantly(age_s = 0): Pick<CreditTransfer, 'payment_type' | 'accepted_at'> {
  const accepted_at = new Date(now().getTime() - age_s * 1_000).toISOString()
  return { payment_type: { service_level: 'SEPA', local_instrument: 'INST' }, accepted_at }
}

type Returned = { amount?: string; currency?: string; original_amount?: string; reason?: string; return_id?: string; charges?: string }

/** One of our payments, as seen by the other bank. */
export type Seen = { message_id: string; message_type: string; tx_id: string; end_to_end_id: string; amount: bigint; currency: string }

export class OtherBank {
  readonly exchange = new MemoryExchange()
  readonly #reader = new MessageReader()
  #number = 0

  next(prefix: string): string {
    return `${prefix}${String(++this.#number).padStart(6, '0')}`
  }

  send<Type extends MessageType>(type: Type, message: Message<Type>): string {
    return this.exchange.put(writeMessage(type, message), `${message.message_id}.xml`)
  }

  #heading() {
    return { message_id: this.next('OTHER'), created_at: '2026-11-16T09:30:00Z' }
  }

  /** What the bank has sent, oldest first. */
  async received(): Promise<ReadMessage[]> {
    return Promise.all([...this.exchange.sent.values()].map((bytes) => this.#reader.read(bytes)))
  }

  /** All payments, direct debits and returns that the bank has sent. */
  async payments(): Promise<Seen[]> {
    return (await this.received()).flatMap(({ type, message }): Seen[] => {
      if (type === 'pacs.008.001.08' || type === 'pacs.003.001.08') {
        return message.transactions.map(({ tx_id, end_to_end_id, amount, currency }) => ({
          message_id: message.message_id,
          message_type: type,
          tx_id,
          end_to_end_id,
          amount,
          currency,
        }))
      }
      if (type !== 'pacs.004.001.09') return []
      return message.transactions.map(({ return_id, original_end_to_end_id = '', amount, currency }) => ({
        message_id: message.message_id,
        message_type: type,
        tx_id: return_id,
        end_to_end_id: original_end_to_end_id,
        amount,
        currency,
      }))
    })
  }

  async payment({ id }: { id: string }): Promise<Seen> {
    const found = (await this.payments()).filter(({ tx_id }) => tx_id === id.replaceAll('-', '')).at(-1)
    assert.ok(found !== undefined, `the transfer ${id} has not been sent`)
    return found
  }

  /** pacs.002 about payments. */
  answer(
    payments: readonly Seen[],
    status: string,
    { reason, amount, ...more }: { reason?: string; amount?: string; currency?: string } = {},
  ): string {
    const original = amount === undefined ? undefined : { amount: fromNumeric(amount), currency: more.currency ?? 'EUR' }
    return this.send('pacs.002.001.10', {
      ...this.#heading(),
      instructing_bic: theirBic,
      instructed_bic: 'VOSTLT21XXX',
      transactions: payments.map(({ message_id, message_type, tx_id, end_to_end_id }) => ({
        original_message_id: message_id,
        original_message_type: message_type,
        original_tx_id: tx_id,
        original_end_to_end_id: end_to_end_id,
        status,
        ...(reason && { reasons: [{ originator_bic: theirBic, code: reason }] }),
        ...(original && { original }),
      })),
    })
  }

  /** pacs.002 about a whole message. */
  answerMessage({ message_id, message_type }: Pick<Seen, 'message_id' | 'message_type'>, status: string, more: object = {}): string {
    const group = { original_message_id: message_id, original_message_type: message_type, status, ...more }
    return this.send('pacs.002.001.10', { ...this.#heading(), instructing_bic: theirBic, group, transactions: [] })
  }

  /** pacs.004 about payments. */
  giveBack(payments: readonly Seen[], { amount, currency, original_amount, reason = 'MD07', return_id, charges }: Returned = {}): string {
    return this.send('pacs.004.001.09', {
      ...this.#heading(),
      instructing_bic: theirBic,
      settlement_method: 'CLRG',
      transactions: payments.map((payment) => ({
        return_id: return_id ?? this.next('RETURN'),
        original_message_id: payment.message_id,
        original_message_type: payment.message_type,
        original_tx_id: payment.tx_id,
        original_end_to_end_id: payment.end_to_end_id,
        ...(original_amount && { original_amount: fromNumeric(original_amount), original_currency: 'EUR' }),
        amount: amount === undefined ? payment.amount : fromNumeric(amount),
        currency: currency ?? payment.currency,
        ...(charges && { charges: [{ amount: fromNumeric(charges), currency: payment.currency, bic: theirBic }] }),
        reasons: [{ originator_bic: theirBic, code: reason }],
      })),
    })
  }

  /** pacs.008: a payment. */
  pay(payments: readonly (Partial<CreditTransfer> & { creditor_iban: string })[], heading: object = {}): string {
    return this.send('pacs.008.001.08', {
      ...this.#heading(),
      instructing_bic: theirBic,
      settlement_date: '2026-11-16',
      settlement_method: 'CLRG' as const,
      ...heading,
      transactions: payments.map((payment) => ({
        tx_id: this.next('TX'),
        end_to_end_id: 'INVOICE-7',
        amount: 10_0000n,
        currency: 'EUR',
        charge_bearer: 'SLEV' as const,
        debtor: { name: 'Charles Babbage' },
        debtor_iban: theirIban,
        debtor_bic: theirBic,
        creditor: { name: 'Ada Lovelace' },
        creditor_bic: 'VOSTLT21XXX',
        remittance: ['For the engine'],
        ...payment,
      })),
    })
  }

  /** pacs.003: a direct debit. */
  collect(debits: readonly (Partial<DirectDebit> & { debtor_iban: string })[]): string {
    return this.send('pacs.003.001.08', {
      ...this.#heading(),
      instructing_bic: theirBic,
      settlement_method: 'CLRG',
      transactions: debits.map((debit) => ({
        tx_id: this.next('DD'),
        end_to_end_id: 'MEMBER-42',
        amount: 10_0000n,
        currency: 'EUR',
        charge_bearer: 'SLEV' as const,
        collection_date: new Date().toISOString().slice(0, 10),
        mandate_reference: 'M-1',
        mandate_signed_on: '2025-01-15',
        creditor_id: 'DE98ZZZ09999999999',
        creditor: { name: 'Muller + Sohne' },
        creditor_iban: theirIban,
        creditor_bic: theirBic,
        debtor: { name: 'Ada Lovelace' },
        debtor_bic: 'VOSTLT21XXX',
        ...debit,
      })),
    })
  }

  /** camt.056: a request to return a payment. */
  recall({ tx_id, ...named }: { tx_id: string; original_message_id?: string; amount?: string; cancellation_id?: string }): string {
    const { original_message_id, amount, cancellation_id = this.next('RECALL') } = named
    return this.send('camt.056.001.08', {
      ...this.#heading(),
      from_bic: theirBic,
      to_bic: 'VOSTLT21XXX',
      transactions: [
        {
          cancellation_id,
          original_tx_id: tx_id,
          ...(original_message_id && { original_message_id, original_message_type: 'pacs.008.001.08' }),
          ...(amount && { original_amount: fromNumeric(amount), original_currency: 'EUR' }),
          reasons: [{ originator: 'Charles Babbage', code: 'DUPL' }],
        },
      ],
    })
  }

  /** camt.029: the answer to a recall. */
  answerRecall({ message_id, message_type, tx_id }: Seen, status: 'RJCR' | 'ACCR' | 'PDCR', reason = 'CUST'): string {
    return this.send('camt.029.001.09', {
      ...this.#heading(),
      from_bic: theirBic,
      to_bic: 'VOSTLT21XXX',
      status: 'RJCR',
      transactions: [
        {
          original_message_id: message_id,
          original_message_type: message_type,
          original_tx_id: tx_id,
          status,
          reasons: [{ originator: 'Muller + Sohne', code: reason }],
        },
      ],
    })
  }
}
