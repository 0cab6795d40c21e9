// Parts that several messages share.
import type { Money } from '../../values/money.ts'
import {
  account,
  agent,
  amount,
  child,
  choice,
  constant,
  inline,
  leaf,
  list,
  optional,
  type Part,
  type Plain,
  skipped,
  sumOf,
  type Total,
  text,
  texts,
} from './iso20022.parts.ts'
import { bic, boolean, codeOf, count, country, date, externalCode, lei, sum, textOf, time, uuid } from './iso20022.simple.ts'

/** ISO 20022's name for a message, and its definition. */
export type Definition<Fields extends object = object> = {
  /** The element below Document. */
  readonly root: string
  /** The elements of which a message may have at most 5,000. */
  readonly counted: readonly string[]
  /** Whether banks exchange it under a SEPA scheme. When it is written, the characters and lengths of the schemes apply. */
  readonly scheme: boolean
  readonly parts: readonly Part[]
  /** Checks what the schema cannot express; throws to refuse. */
  readonly check?: (message: Plain) => void
  /** Never exists at run time: it carries the type of the message. */
  readonly fields?: Fields
}

/** The message's id and creation time. The caller provides both; nothing here reads a clock. */
export const heading = [text('MsgId', 'message_id'), leaf('CreDtTm', 'created_at', time)] as const

// From 15 November 2026, the scheme forbids addresses without town and country, and more than two lines besides them. The ISO schema allows
// both, so this is a rule for writing.
function addressRule({ town, country: code, lines = [], street, building }: Plain): string | undefined {
  if (town === undefined || code === undefined) return 'an address needs a town and a country'
  if (lines.length > 0 && (street !== undefined || building !== undefined)) return 'an address has either lines, or a street and a building'
  return undefined
}

const address = child(
  'PstlAdr',
  'address',
  [
    ...skipped('AdrTp', 'Dept', 'SubDept'),
    optional(text('StrtNm', 'street', 70)),
    optional(text('BldgNb', 'building', 16)),
    ...skipped('BldgNm', 'Flr', 'PstBx', 'Room'),
    optional(text('PstCd', 'postal_code', 16)),
    optional(text('TwnNm', 'town', 35)),
    ...skipped('TwnLctnNm', 'DstrctNm', 'CtrySubDvsn'),
    optional(leaf('Ctry', 'country', country)),
    texts('AdrLine', 'lines', { most: 70, max: 7, sent: { times: 2 } }),
  ],
  addressRule,
)

const name = text('Nm', 'name', 140, { characters: 70 })

const organisationId = inline('OrgId', [optional(leaf('AnyBIC', 'bic', bic)), optional(leaf('LEI', 'lei', lei)), ...skipped('Othr')])

/** The BIC or LEI of an organisation; ids of persons are not read. */
const organisation = choice('Id', [organisationId, ...skipped('PrvtId')])

const identified = [optional(address), optional(organisation), ...skipped('CtryOfRes', 'CtctDtls')] as const

/** A party with a name. */
export function party<const Field extends string>(tag: string, field: Field) {
  return child(tag, field, [name, ...identified])
}

/** A party whose name may be missing. */
export function optionallyNamedParty<const Field extends string>(tag: string, field: Field) {
  return child(tag, field, [optional(name), ...identified])
}

/** The same with the identifiers under which a creditor collects direct debits. */
export function collectingParty<const Field extends string>(tag: string, field: Field) {
  const collectingIds = list('Othr', 'ids', [
    text('Id', 'id'),
    optional(choice('SchmeNm', [leaf('Cd', 'scheme_code', externalCode), text('Prtry', 'scheme')])),
    ...skipped('Issr'),
  ])
  const ids = choice('Id', [organisationId, inline('PrvtId', [...skipped('DtAndPlcOfBirth'), optional(collectingIds)])])
  return child(tag, field, [optional(name), optional(address), optional(ids), ...skipped('CtryOfRes', 'CtctDtls')])
}

/** A bank between those of the payer and the payee, by its BIC or its name. */
export function agentBetween<const Field extends string>(tag: string, field: Field) {
  const bank = inline('FinInstnId', [
    optional(leaf('BICFI', 'bic', bic)),
    ...skipped('ClrSysMmbId', 'LEI'),
    optional(name),
    ...skipped('PstlAdr', 'Othr'),
  ])
  return optional(child(tag, field, [bank, ...skipped('BrnchId')]))
}

/** A party of an original payment, which may also be a bank. */
function originalParty<const Field extends string>(tag: string, field: Field) {
  return choice(tag, [optionallyNamedParty('Pty', field), ...skipped('Agt')])
}

/** The code of a choice between a code and the sender's own word. */
export function code<const Field extends string>(tag: string, field: Field, most = 4) {
  return choice(tag, [leaf('Cd', field, textOf(most)), ...skipped('Prtry')])
}

export const sequenceTypes = ['FRST', 'RCUR', 'FNAL', 'OOFF', 'RPRE'] as const
const sequence = optional(leaf('SeqTp', 'sequence_type', codeOf(...sequenceTypes)))

/** `local_instrument`: INST for instant payments, CORE or B2B for direct debits. Messages about credit transfers have no sequence type. */
function typeParts<const Middle extends readonly Part[]>(before: readonly Part<object>[], middle: Middle) {
  return [
    ...before,
    optional(code('SvcLvl', 'service_level')),
    optional(choice('LclInstrm', [leaf('Cd', 'local_instrument', textOf(35)), text('Prtry', 'local_instrument_proprietary')])),
    ...middle,
    optional(code('CtgyPurp', 'category_purpose')),
  ] as const
}

export const paymentType = child('PmtTpInf', 'payment_type', typeParts(skipped('InstrPrty', 'ClrChanl'), []))
export const paymentTypeWithSequence = child('PmtTpInf', 'payment_type', typeParts(skipped('InstrPrty', 'ClrChanl'), [sequence]))
export const orderedType = child('PmtTpInf', 'payment_type', typeParts(skipped('InstrPrty'), []))
export const orderedTypeWithSequence = child('PmtTpInf', 'payment_type', typeParts(skipped('InstrPrty'), [sequence]))

const clearing = [
  ...skipped('SttlmAcct'),
  optional(choice('ClrSys', [leaf('Cd', 'clearing_code', textOf(3)), text('Prtry', 'clearing_system')])),
] as const

/** How banks settle: CLRG means through a clearing system. */
export const settlement = inline('SttlmInf', [
  leaf('SttlmMtd', 'settlement_method', codeOf('INDA', 'INGA', 'COVE', 'CLRG')),
  ...clearing,
  ...skipped('InstgRmbrsmntAgt', 'InstgRmbrsmntAgtAcct', 'InstdRmbrsmntAgt', 'InstdRmbrsmntAgtAcct'),
  ...skipped('ThrdRmbrsmntAgt', 'ThrdRmbrsmntAgtAcct'),
])

/** A direct debit is never covered by another payment. */
export const debitSettlement = inline('SttlmInf', [leaf('SttlmMtd', 'settlement_method', codeOf('INDA', 'INGA', 'CLRG')), ...clearing])

export const agents = [optional(agent('InstgAgt', 'instructing_bic')), optional(agent('InstdAgt', 'instructed_bic'))] as const

export const paymentIds = inline('PmtId', [
  optional(text('InstrId', 'instruction_id')),
  text('EndToEndId', 'end_to_end_id'),
  text('TxId', 'tx_id'),
  optional(leaf('UETR', 'uetr', uuid)),
  optional(text('ClrSysRef', 'clearing_reference')),
])

export const orderIds = inline('PmtId', [
  optional(text('InstrId', 'instruction_id')),
  text('EndToEndId', 'end_to_end_id'),
  optional(leaf('UETR', 'uetr', uuid)),
])

export const chargeBearer = leaf('ChrgBr', 'charge_bearer', codeOf('DEBT', 'CRED', 'SHAR', 'SLEV'))

export const purpose = optional(code('Purp', 'purpose'))

/** Free text, or the reference of an invoice that the creditor gave. */
export const remittance = optional(
  inline('RmtInf', [
    texts('Ustrd', 'remittance', { most: 140, sent: { times: 1 } }),
    optional(
      list('Strd', 'references', [
        ...skipped('RfrdDocInf', 'RfrdDocAmt'),
        optional(
          inline('CdtrRefInf', [
            optional(
              inline('Tp', [
                choice('CdOrPrtry', [leaf('Cd', 'type', codeOf('RADM', 'RPIN', 'FXDR', 'DISP', 'PUOR', 'SCOR')), ...skipped('Prtry')]),
                optional(text('Issr', 'issuer')),
              ]),
            ),
            optional(text('Ref', 'reference')),
          ]),
        ),
        ...skipped('Invcr', 'Invcee', 'TaxRmt', 'GrnshmtRmt'),
        texts('AddtlRmtInf', 'additional', { most: 140, max: 3 }),
      ]),
    ),
  ]),
)

/** The name of the scheme of creditor identifiers. */
export const creditorIdScheme = 'SEPA'

/** The identifier under which a creditor collects direct debits. */
export function creditorId(tag: string) {
  return inline(tag, [
    ...skipped('Nm', 'PstlAdr'),
    inline('Id', [
      inline('PrvtId', [
        ...skipped('DtAndPlcOfBirth'),
        inline('Othr', [text('Id', 'creditor_id'), inline('SchmeNm', [constant('Prtry', creditorIdScheme)]), ...skipped('Issr')]),
      ]),
    ]),
    ...skipped('CtryOfRes', 'CtctDtls'),
  ])
}

export const mandate = inline('MndtRltdInf', [
  text('MndtId', 'mandate_reference'),
  leaf('DtOfSgntr', 'mandate_signed_on', date),
  optional(leaf('AmdmntInd', 'mandate_amended', boolean)),
  optional(
    child('AmdmntInfDtls', 'amendment', [
      optional(text('OrgnlMndtId', 'mandate_reference')),
      ...skipped('OrgnlCdtrSchmeId', 'OrgnlCdtrAgt', 'OrgnlCdtrAgtAcct', 'OrgnlDbtr'),
      optional(account('OrgnlDbtrAcct', 'debtor_')),
      ...skipped('OrgnlDbtrAgt', 'OrgnlDbtrAgtAcct', 'OrgnlFnlColltnDt', 'OrgnlFrqcy', 'OrgnlRsn', 'OrgnlTrckgDays'),
    ]),
  ),
  ...skipped('ElctrncSgntr', 'FrstColltnDt', 'FnlColltnDt', 'Frqcy', 'Rsn', 'TrckgDays'),
])

/** The message that an answer is about. */
export const originalMessage = [
  text('OrgnlMsgId', 'original_message_id'),
  text('OrgnlMsgNmId', 'original_message_type'),
  optional(leaf('OrgnlCreDtTm', 'original_created_at', time)),
] as const

export const originalGroup = inline('OrgnlGrpInf', originalMessage)

/** The number and sum of the original message, as its receiver counted them. */
export const originalCounts = [
  optional(leaf('OrgnlNbOfTxs', 'original_count', count)),
  optional(leaf('OrgnlCtrlSum', 'original_sum', sum)),
] as const

export const originalIds = [
  optional(text('OrgnlInstrId', 'original_instruction_id')),
  optional(text('OrgnlEndToEndId', 'original_end_to_end_id')),
  optional(text('OrgnlTxId', 'original_tx_id')),
] as const

export const originalUetr = optional(leaf('OrgnlUETR', 'original_uetr', uuid))

export const originalAmount = [
  optional(amount('OrgnlIntrBkSttlmAmt', 'original_')),
  optional(leaf('OrgnlIntrBkSttlmDt', 'original_settlement_date', date)),
] as const

/** Reasons and their originators: `code` is in the table of reasons, `originator` is a person, `originator_bic` a bank. */
export function reasons(tag: string, first: readonly Part<object>[] = []) {
  return optional(list(tag, 'reasons', reasonParts(first)))
}

export function reasonParts(first: readonly Part<object>[] = []) {
  return [
    ...first,
    optional(
      inline('Orgtr', [
        optional(text('Nm', 'originator', 140, { characters: 70 })),
        ...skipped('PstlAdr'),
        optional(
          choice('Id', [
            inline('OrgId', [optional(leaf('AnyBIC', 'originator_bic', bic)), ...skipped('LEI', 'Othr')]),
            ...skipped('PrvtId'),
          ]),
        ),
        ...skipped('CtryOfRes', 'CtctDtls'),
      ]),
    ),
    optional(choice('Rsn', [leaf('Cd', 'code', externalCode), text('Prtry', 'proprietary')])),
    texts('AddtlInf', 'information', { most: 105, sent: { times: 2 } }),
  ] as const
}

/** The content of the original payment. */
export const originalPayment = optional(
  child('OrgnlTxRef', 'original', [
    optional(amount('IntrBkSttlmAmt')),
    ...skipped('Amt'),
    optional(leaf('IntrBkSttlmDt', 'settlement_date', date)),
    optional(leaf('ReqdColltnDt', 'collection_date', date)),
    ...skipped('ReqdExctnDt'),
    optional(creditorId('CdtrSchmeId')),
    optional(settlement),
    optional(paymentTypeWithSequence),
    ...skipped('PmtMtd'),
    optional(mandate),
    remittance,
    optional(originalParty('UltmtDbtr', 'ultimate_debtor')),
    optional(originalParty('Dbtr', 'debtor')),
    optional(account('DbtrAcct', 'debtor_')),
    optional(agent('DbtrAgt', 'debtor_bic')),
    ...skipped('DbtrAgtAcct'),
    optional(agent('CdtrAgt', 'creditor_bic')),
    ...skipped('CdtrAgtAcct'),
    optional(originalParty('Cdtr', 'creditor')),
    optional(account('CdtrAcct', 'creditor_')),
    optional(originalParty('UltmtCdtr', 'ultimate_creditor')),
    purpose,
  ]),
)

type Counted = { amount: Money; currency: string }

export function add(amounts: readonly { amount: Money }[]): Money {
  return amounts.reduce((total, each) => total + each.amount, 0n)
}

/** The sum of amounts in one currency. */
export function totalOfAmounts(amounts: readonly Counted[]): Total {
  const currency = amounts[0]?.currency
  return currency !== undefined && amounts.every((each) => each.currency === currency) ? { amount: add(amounts), currency } : undefined
}

/** The control sum of the transactions of an object. */
export const controlSum = optional(sumOf('CtrlSum', ({ transactions }) => add(transactions)))
