// What settlement banks report, and payments that were sent, for tests of the reconciliation.
import { randomUUID } from 'node:crypto'
import type { Message, StatementEntry } from '../iso20022/iso20022.ts'
import { fromNumeric, type Money } from '../values/money.ts'
import type { Bank } from './testing.ts'

type Owner = Pick<Bank['owner'], 'query'>

export type NewEntry = {
  amount: string
  tx_id?: string
  end_to_end_id?: string
  message_id?: string
  name?: string
  iban?: string
  booked_on?: string
  servicer_reference?: string
  /** The payments that one entry stands for. */
  parts?: readonly { amount: string; tx_id: string }[]
}

/** An entry as a settlement bank writes it. Negative amounts have gone out. */
export function entryOf(given: NewEntry, date: string): StatementEntry {
  const amount = fromNumeric(given.amount)
  const comesIn = amount > 0n
  const detail = {
    ...(given.tx_id === undefined ? {} : { tx_id: given.tx_id }),
    ...(given.end_to_end_id === undefined ? {} : { end_to_end_id: given.end_to_end_id }),
    ...(given.name === undefined ? {} : comesIn ? { debtor: { name: given.name } } : { creditor: { name: given.name } }),
    ...(given.iban === undefined ? {} : comesIn ? { debtor_iban: given.iban } : { creditor_iban: given.iban }),
  }
  const parts = given.parts?.map((part) => {
    const money = fromNumeric(part.amount)
    return { tx_id: part.tx_id, amount: abs(money), currency: 'EUR', direction: money < 0n ? ('DBIT' as const) : ('CRDT' as const) }
  })
  const batch = given.message_id === undefined ? {} : { batch: { message_id: given.message_id } }
  const transactions = parts ?? (Object.keys(detail).length === 0 ? [] : [detail])
  const date_on = given.booked_on ?? date
  return {
    amount,
    currency: 'EUR',
    status: 'BOOK',
    booked_on: date_on,
    value_on: date_on,
    domain: 'PMNT',
    family: comesIn ? 'RCDT' : 'ICDT',
    subfamily: 'ESCT',
    ...(given.servicer_reference === undefined ? {} : { servicer_reference: given.servicer_reference }),
    ...(transactions.length === 0 && given.message_id === undefined ? {} : { details: [{ ...batch, transactions }] }),
  }
}

const abs = (money: Money): Money => (money < 0n ? -money : money)

type Day = { account: string; sequence: number; date: string; opening: string; entries: readonly NewEntry[]; closing?: string }

/** A statement. Its closing balance follows from its entries, unless given. */
export function statementOf({ account, sequence, date, opening, entries, closing }: Day): Message<'camt.053.001.08'>['statements'][number] {
  const booked = entries.map((entry) => entryOf(entry, date))
  const reached = booked.reduce((sum, { amount }) => sum + amount, fromNumeric(opening))
  return {
    statement_id: `S${sequence}`,
    sequence,
    from_time: `${date}T00:00:00Z`,
    to_time: `${date}T23:59:59Z`,
    account: { iban: account, currency: 'EUR' },
    balances: [
      { type: 'OPBD', amount: fromNumeric(opening), currency: 'EUR', date },
      { type: 'CLBD', amount: closing === undefined ? reached : fromNumeric(closing), currency: 'EUR', date },
    ],
    entries: booked,
  }
}

export function statementMessage(...days: readonly Day[]): Message<'camt.053.001.08'> {
  return { message_id: `M${randomUUID().slice(0, 30)}`, created_at: '2026-11-16T20:00:00Z', statements: days.map(statementOf) }
}

export function notificationMessage(account: string, date: string, entries: readonly NewEntry[]): Message<'camt.054.001.08'> {
  return {
    message_id: `N${randomUUID().slice(0, 30)}`,
    created_at: '2026-11-16T12:00:00Z',
    notifications: [
      { notification_id: 'N1', account: { iban: account, currency: 'EUR' }, entries: entries.map((entry) => entryOf(entry, date)) },
    ],
  }
}

/** A pack that was sent, with its message. */
export async function insertPack(
  owner: Owner,
  { date, rail = 'SEPA', kind = 'CREDIT_TRANSFER' }: { date: string; rail?: string; kind?: string },
): Promise<{ id: string; message_id: string }> {
  const pack = { id: randomUUID(), message_id: `VOSTLT21${randomUUID().slice(0, 20)}` }
  await owner.query(
    `insert into rail_packs (id, rail, kind, message_id, settlement_date, state, currency, created_at, updated_at, sequence)
     values ($1, $2, $3, $4, $5, 'ACKNOWLEDGED', 'EUR', now(), now(), 1)`,
    [pack.id, rail, kind, pack.message_id, date],
  )
  await owner.query(
    `insert into rail_messages (era, xid, id, direction, type, message_id, sender, file, pack_id, sha256, body, state, created_at, updated_at)
     select era, pg_current_xact_id(), gen_random_uuid(), 'OUT', 'pacs.008.001.08', $2, 'VOSTLT21XXX', $2, $1, encode(sha256(''), 'hex'), '', 'DELIVERED',
       now(), now() from event_era`,
    [pack.id, pack.message_id],
  )
  return pack
}

type Sent = { venture_id: string; id: string; amount: string; date: string; pack_id?: string; state?: string; rail?: string; kind?: string }

/** A payment that was sent, in its own pack unless one is given, with the id that the statement names. */
export async function insertSent(owner: Owner, sent: Sent): Promise<{ tx_id: string }> {
  const tx_id = sent.id.replaceAll('-', '')
  const { venture_id, id, amount, date, rail = 'SEPA', kind = 'CREDIT_TRANSFER', state = 'SETTLED' } = sent
  const pack_id = sent.pack_id ?? (await insertPack(owner, { date, rail, kind })).id
  await owner.query(
    `insert into rail_payments (venture_id, transfer_id, attempt, tx_id, end_to_end_id, rail, kind, pack_id, position, amount, currency, settlement_date, walks,
       content, state, settled_on, created_at, updated_at)
     values ($1, $2, 1, $3, $3, $4, $5, $6, null, $7, 'EUR', $9, $5 <> 'RETURN', '{}', $8, $9, $10, $10)`,
    [venture_id, id, tx_id, rail, kind, pack_id, amount, state, date, `${date}T10:00:00Z`],
  )
  await owner.query('update rail_packs set count = count + 1, total = total + $2 where id = $1', [pack_id, amount])
  return { tx_id }
}
