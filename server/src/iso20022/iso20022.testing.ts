// Messages for tests: a realistic one of each type, and any number of generated ones.
import fc from 'fast-check'
import { makeIban } from '../values/iban.ts'
import type { Money } from '../values/money.ts'
import { definitionOf, type Message, type MessageType } from './definitions/iso20022.messages.ts'
import type { Group, Leaf, Part, Plain } from './definitions/iso20022.parts.ts'
import type { Shape } from './definitions/iso20022.simple.ts'

const ada = { name: 'Ada Lovelace', address: { postal_code: '01100', town: 'Vilnius', country: 'LT', lines: ['Gedimino pr. 1'] } }
const sons = { name: 'Muller + Sohne', address: { postal_code: '10115', town: 'Berlin', country: 'DE', lines: ['Hauptstrasse 12'] } }
const [adaIban, sonsIban] = ['LT601010012345678901', 'DE89370400440532013000']
const [ours, theirs] = ['VOSTLT21XXX', 'COBADEFFXXX']
const created_at = '2026-11-16T09:30:00Z'
const settlement = { settlement_method: 'CLRG', clearing_system: 'ST2' } as const
const sepa = { service_level: 'SEPA' }
const core = { service_level: 'SEPA', local_instrument: 'CORE', sequence_type: 'RCUR' } as const
const txId = '0198a0000000700080000000000000a1'
const sent = { original_message_id: 'VOSTLT2120261116S000000000001', original_message_type: 'pacs.008.001.08' }
const mandate = { mandate_reference: 'M-2026-0042', mandate_signed_on: '2026-01-15', creditor_id: 'DE98ZZZ09999999999' }
const sentPayment = {
  debtor: ada,
  debtor_iban: adaIban,
  debtor_bic: ours,
  creditor: sons,
  creditor_iban: sonsIban,
  creditor_bic: theirs,
}

/** The messages of the golden files. */
export const samples: { [Type in MessageType]: Message<Type> } = {
  'pain.001.001.09': {
    message_id: 'ORDER-2026-11-16-1',
    created_at,
    initiator: { name: 'Ada Lovelace' },
    instructions: [
      {
        instructions_id: 'ORDER-1',
        booked_as_one: false,
        payment_type: sepa,
        execution_date: '2026-11-17',
        charge_bearer: 'SLEV',
        debtor: ada,
        debtor_iban: adaIban,
        debtor_bic: ours,
        transactions: [
          {
            instruction_id: 'I-1',
            end_to_end_id: 'INV-1',
            amount: 12_3400n,
            currency: 'EUR',
            creditor_bic: theirs,
            creditor: sons,
            creditor_iban: sonsIban,
            remittance: ['Invoice 1'],
          },
          {
            end_to_end_id: 'INV-2',
            amount: 1000_0000n,
            currency: 'EUR',
            creditor: { name: 'Grace Hopper' },
            creditor_iban: sonsIban,
            references: [{ type: 'SCOR', issuer: 'ISO', reference: 'RF18539007547034' }],
          },
        ],
      },
    ],
  },
  'pain.008.001.08': {
    message_id: 'COLLECT-2026-11-16-1',
    created_at,
    initiator: { name: 'Muller + Sohne' },
    instructions: [
      {
        instructions_id: 'COLLECT-1',
        payment_type: core,
        collection_date: '2026-11-18',
        charge_bearer: 'SLEV',
        creditor: sons,
        creditor_iban: sonsIban,
        creditor_bic: theirs,
        creditor_id: mandate.creditor_id,
        transactions: [
          {
            end_to_end_id: 'MEMBER-42',
            amount: 25_0000n,
            currency: 'EUR',
            mandate_reference: 'M-2026-0042',
            mandate_signed_on: '2026-01-15',
            debtor: ada,
            debtor_iban: adaIban,
            remittance: ['Fee for November'],
          },
        ],
      },
    ],
  },
  'pacs.008.001.08': {
    message_id: 'VOSTLT2120261116S000000000001',
    created_at,
    settlement_date: '2026-11-16',
    ...settlement,
    instructing_bic: ours,
    transactions: [
      {
        end_to_end_id: 'INV-1',
        tx_id: txId,
        payment_type: sepa,
        amount: 12_3400n,
        currency: 'EUR',
        charge_bearer: 'SLEV',
        ...sentPayment,
        remittance: ['Invoice 1, thank you'],
      },
      {
        end_to_end_id: 'INV-2',
        tx_id: '0198a0000000700080000000000000a2',
        amount: 500_0000n,
        currency: 'EUR',
        charge_bearer: 'SLEV',
        payment_type: { service_level: 'SEPA', local_instrument: 'INST' },
        accepted_at: '2026-11-16T09:29:59.123Z',
        ...sentPayment,
        purpose: 'SALA',
        references: [{ type: 'SCOR', reference: 'RF18539007547034' }],
      },
    ],
  },
  'pacs.003.001.08': {
    message_id: 'VOSTLT2120261116D000000000001',
    created_at,
    settlement_date: '2026-11-18',
    ...settlement,
    instructing_bic: theirs,
    transactions: [
      {
        end_to_end_id: 'MEMBER-42',
        tx_id: txId,
        payment_type: core,
        amount: 25_0000n,
        currency: 'EUR',
        charge_bearer: 'SLEV',
        collection_date: '2026-11-18',
        ...mandate,
        mandate_amended: true,
        amendment: { mandate_reference: 'M-2025-0001' },
        creditor: sons,
        creditor_iban: sonsIban,
        creditor_bic: theirs,
        debtor: ada,
        debtor_iban: adaIban,
        debtor_bic: ours,
        remittance: ['Fee for November'],
      },
    ],
  },
  'pacs.004.001.09': {
    message_id: 'COBADEFF20261117R1',
    created_at,
    settlement_date: '2026-11-17',
    ...settlement,
    instructing_bic: theirs,
    transactions: [
      {
        return_id: 'RETURN-1',
        ...sent,
        original_end_to_end_id: 'INV-1',
        original_tx_id: txId,
        original_amount: 12_3400n,
        original_currency: 'EUR',
        original_settlement_date: '2026-11-16',
        amount: 12_3400n,
        currency: 'EUR',
        charge_bearer: 'SLEV',
        reasons: [{ originator_bic: theirs, code: 'MD07' }],
        original: { ...settlement, payment_type: sepa, remittance: ['Invoice 1, thank you'], ...sentPayment },
      },
    ],
  },
  'pacs.002.001.10': {
    message_id: 'ST220261116A1',
    created_at,
    instructing_bic: theirs,
    instructed_bic: ours,
    group: { ...sent, original_count: 2, original_sum: 512_3400n, status: 'PART' },
    transactions: [
      { status_id: 'STATUS-1', original_end_to_end_id: 'INV-1', original_tx_id: txId, status: 'ACSC', settled_on: '2026-11-16' },
      {
        status_id: 'STATUS-2',
        original_end_to_end_id: 'INV-2',
        original_tx_id: '0198a0000000700080000000000000a2',
        status: 'RJCT',
        reasons: [{ originator_bic: theirs, code: 'AC04', information: ['The account was closed in October'] }],
      },
    ],
  },
  'pacs.028.001.03': {
    message_id: 'VOSTLT2120261116Q000000000001',
    created_at,
    instructing_bic: ours,
    transactions: [
      {
        status_request_id: 'ASK-1',
        ...sent,
        original_end_to_end_id: 'INV-1',
        original_tx_id: txId,
        accepted_at: '2026-11-16T09:29:59Z',
        original: sentPayment,
      },
    ],
  },
  'camt.056.001.08': {
    message_id: 'VOSTLT2120261117C000000000001',
    from_bic: ours,
    to_bic: theirs,
    created_at,
    transactions: [
      {
        cancellation_id: 'RECALL-1',
        ...sent,
        original_end_to_end_id: 'INV-1',
        original_tx_id: txId,
        original_amount: 12_3400n,
        original_currency: 'EUR',
        original_settlement_date: '2026-11-16',
        reasons: [{ originator: 'Ada Lovelace', code: 'DUPL', information: ['Paid twice'] }],
        original: sentPayment,
      },
    ],
  },
  'camt.029.001.09': {
    message_id: 'COBADEFF20261118A1',
    from_bic: theirs,
    to_bic: ours,
    created_at,
    status: 'RJCR',
    transactions: [
      {
        cancellation_status_id: 'ANSWER-1',
        ...sent,
        original_end_to_end_id: 'INV-1',
        original_tx_id: txId,
        status: 'RJCR',
        reasons: [{ originator: 'Muller + Sohne', code: 'CUST' }],
      },
    ],
  },
  'camt.053.001.08': {
    message_id: 'STATEMENT-20261116',
    created_at,
    statements: [
      {
        statement_id: '2026-320',
        sequence: 320,
        created_at,
        from_time: '2026-11-16T00:00:00Z',
        to_time: '2026-11-16T23:59:59Z',
        account: { iban: adaIban, currency: 'EUR', owner: 'Ada Lovelace', bic: ours },
        balances: [
          { type: 'OPBD', amount: 100_0000n, currency: 'EUR', date: '2026-11-16' },
          { type: 'CLBD', amount: -12_5500n, currency: 'EUR', date: '2026-11-16' },
        ],
        entries: [
          {
            entry_id: '1',
            amount: -512_3400n,
            currency: 'EUR',
            status: 'BOOK',
            booked_on: '2026-11-16',
            value_on: '2026-11-16',
            domain: 'PMNT',
            family: 'ICDT',
            subfamily: 'ESCT',
            details: [
              {
                batch: { message_id: sent.original_message_id, count: 2, amount: 512_3400n, currency: 'EUR', direction: 'DBIT' },
                transactions: [],
              },
            ],
          },
          {
            entry_id: '2',
            amount: 399_7900n,
            currency: 'EUR',
            status: 'BOOK',
            booked_on: '2026-11-16',
            value_on: '2026-11-16',
            servicer_reference: 'R-77',
            domain: 'PMNT',
            family: 'RCDT',
            subfamily: 'ESCT',
            details: [
              {
                transactions: [
                  {
                    end_to_end_id: 'SALARY-11',
                    tx_id: 'T-77',
                    amount: 399_7900n,
                    currency: 'EUR',
                    direction: 'CRDT',
                    debtor: { name: 'Žuvėdra & Co. <UAB>' },
                    debtor_iban: sonsIban,
                    creditor_iban: adaIban,
                    debtor_bic: theirs,
                    remittance: ['Salary for November', '“as agreed”'],
                  },
                ],
              },
            ],
          },
          {
            amount: 1_0000n,
            currency: 'EUR',
            status: 'PDNG',
            proprietary_code: 'NTRF',
            information: 'Not booked yet',
          },
        ],
      },
    ],
  },
  'camt.054.001.08': {
    message_id: 'NOTICE-20261116-1',
    created_at,
    notifications: [
      {
        notification_id: 'N-1',
        account: { iban: adaIban, currency: 'EUR' },
        entries: [
          {
            amount: -12_3400n,
            currency: 'EUR',
            reversal: true,
            status: 'BOOK',
            booked_on: '2026-11-16',
            domain: 'PMNT',
            family: 'RDDT',
            subfamily: 'UPDD',
            details: [
              { transactions: [{ tx_id: txId, mandate_reference: 'M-2026-0042', returned: { originator: 'Ada Lovelace', code: 'MD06' } }] },
            ],
          },
        ],
      },
    ],
  },
}

const sepaCharacters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ "]
/** Includes what XML must escape, other scripts, and characters of two UTF-16 units. */
const anyCharacters = [...sepaCharacters, ...'&<>"äßŁЖ汉€😀\u00a0']

const textFrom = (characters: readonly string[], min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max })
const digits = (length: number) => textFrom([...'0123456789'], length, length)

const largest = 99_999_999_999n
/** In a currency with two decimals. */
const cents = (least: bigint) => fc.bigInt({ min: least, max: largest }).map((value): Money => value * 100n)

function arbitraryValue(shape: Shape, scheme: boolean, most: number): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
      return textFrom(scheme ? sepaCharacters : anyCharacters, 1, Math.min(shape.most, most))
    case 'code':
      return fc.constantFrom(...shape.values)
    case 'bic':
      return fc.constantFrom('VOSTLT21XXX', 'COBADEFF', 'BNPAFRPPXXX')
    case 'iban':
      return digits(16).map((number) => makeIban('LT', number))
    case 'country':
      return fc.constantFrom('LT', 'DE', 'FR')
    case 'currency':
      return fc.constantFrom('EUR', 'USD')
    case 'lei':
      return digits(20)
    case 'uuid':
      return fc.uuid({ version: 4 })
    case 'date':
      return fc
        .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map((value) => value.toISOString().slice(0, 10))
    case 'time':
      return fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((value) => value.toISOString())
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.nat(999_999)
    case 'money':
      return cents(0n)
  }
}

type Fields = Record<string, unknown>

function arbitraryLeaf({ field, type, many, max, sent }: Leaf, scheme: boolean): fc.Arbitrary<Fields> {
  const value = arbitraryValue(type.shape, scheme, (scheme && sent?.characters) || Number.POSITIVE_INFINITY)
  const most = Math.min((scheme && sent?.times) || max, 3)
  return (many ? fc.array(value, { minLength: 1, maxLength: most }) : value).map((made) => ({ [field]: made }))
}

function arbitraryGroup(group: Group, scheme: boolean): fc.Arbitrary<Fields> {
  const { field, many, rule, alwaysGiven } = group
  let content = arbitraryParts(group, scheme)
  if (rule && scheme) content = content.filter((value) => rule(value) === undefined)
  if (field === undefined) return content
  if (!many) return content.map((value) => ({ [field]: value }))
  return fc.array(content, { minLength: alwaysGiven ? 0 : 1, maxLength: 3 }).map((value) => ({ [field]: value }))
}

/** Whether a list exists even if it is empty. */
function hasList(part: Part): boolean {
  return part.kind === 'group' && (part.field === undefined ? part.parts.some(hasList) : part.alwaysGiven === true)
}

function arbitraryPart(part: Part, scheme: boolean): fc.Arbitrary<Fields> {
  switch (part.kind) {
    case 'leaf':
      return arbitraryLeaf(part, scheme)
    case 'amount': {
      const amount = cents(part.sign === undefined ? 1n : -largest)
      return amount.map((value) => ({ [part.amount]: value, [part.currency]: 'EUR' }))
    }
    case 'group':
      return arbitraryGroup(part, scheme)
    default:
      return fc.constant({})
  }
}

function arbitraryParts({ parts, choice }: Pick<Group, 'parts' | 'choice'>, scheme: boolean): fc.Arbitrary<Fields> {
  const written = parts.filter(({ kind }) => kind !== 'skipped')
  // Of two parts for one field, the first is written.
  const isFirst = (part: Part) =>
    part.kind !== 'leaf' || written.find((other) => other.kind === 'leaf' && other.field === part.field) === part
  if (choice) return fc.oneof(...written.filter(isFirst).map((part) => arbitraryPart(part, scheme)))
  const all = written.map((part) => {
    const made = arbitraryPart(part, scheme)
    return part.min === 0 && !hasList(part) ? fc.option(made, { nil: {} as Fields }) : made
  })
  return fc.tuple(...all).map((fields) => Object.assign({}, ...fields) as Fields)
}

/** Makes a statement add up: its balances depend on its entries. */
function balanced(message: Plain): Plain {
  for (const statement of message.statements ?? []) {
    const [opening] = statement.balances
    const booked = statement.entries.filter(({ status }: Plain) => status === 'BOOK')
    const closing = booked.reduce((total: Money, { amount }: Plain) => total + amount, opening.amount)
    statement.balances = [
      { ...opening, type: 'OPBD' },
      { ...opening, type: 'CLBD', amount: closing },
    ]
  }
  return message
}

/** Any message of a type. */
export function arbitraryMessage<Type extends MessageType>(type: Type): fc.Arbitrary<Message<Type>> {
  const { parts, scheme } = definitionOf(type)
  return arbitraryParts({ parts, choice: false }, scheme).map((message) => balanced(message) as Message<Type>)
}
