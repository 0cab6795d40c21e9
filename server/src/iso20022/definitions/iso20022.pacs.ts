// Messages between banks: payments, direct debits, returns, and their outcome.
import type { Money } from '../../values/money.ts'
import {
  account,
  agent,
  amount,
  child,
  choice,
  day,
  inline,
  leaf,
  list,
  listOrNone,
  numberOf,
  type ObjectOf,
  optional,
  type Part,
  skipped,
  sumOf,
  text,
  totalOf,
  unlessEmpty,
  unwritten,
} from './iso20022.parts.ts'
import {
  add,
  agentBetween,
  agents,
  chargeBearer,
  creditorId,
  type Definition,
  debitSettlement,
  heading,
  mandate,
  optionallyNamedParty,
  originalAmount,
  originalCounts,
  originalGroup,
  originalIds,
  originalMessage,
  originalPayment,
  originalUetr,
  party,
  paymentIds,
  paymentType,
  paymentTypeWithSequence,
  purpose,
  reasons,
  remittance,
  settlement,
  totalOfAmounts,
} from './iso20022.shared.ts'
import { bic, codeOf, date, externalCode, time } from './iso20022.simple.ts'

function define<const Parts extends readonly Part[]>(root: string, transaction: string, parts: Parts): Definition<ObjectOf<Parts>> {
  return { root, counted: [transaction], scheme: true, parts: [...parts, ...skipped('SplmtryData')] }
}

const numberOfTransactions = numberOf('NbOfTxs', ({ transactions }) => transactions.length)
/** The schemes use the total, which has a currency. */
const statedSum = unwritten(sumOf('CtrlSum', ({ transactions }) => add(transactions)))
const settlementDate = optional(leaf('IntrBkSttlmDt', 'settlement_date', date))
const intermediaries = [
  agentBetween('IntrmyAgt1', 'intermediary_1'),
  ...skipped('IntrmyAgt1Acct'),
  agentBetween('IntrmyAgt2', 'intermediary_2'),
  ...skipped('IntrmyAgt2Acct'),
  agentBetween('IntrmyAgt3', 'intermediary_3'),
  ...skipped('IntrmyAgt3Acct'),
] as const

const initiator = optional(optionallyNamedParty('InitgPty', 'initiating_party'))

/** What the payer wants a bank to do, in words. */
function instructions<const Field extends string>(tag: string, field: Field) {
  return optional(list(tag, field, [...skipped('Cd'), optional(text('InstrInf', 'information', 140))]))
}

/** A bank's charges for a return. */
const charges = optional(list('ChrgsInf', 'charges', [amount('Amt'), agent('Agt', 'bic')]))

/** Credit transfer. */
export const pacs008 = define('FIToFICstmrCdtTrf', 'CdtTrfTxInf', [
  inline('GrpHdr', [
    ...heading,
    ...skipped('BtchBookg'),
    numberOfTransactions,
    statedSum,
    optional(totalOf('TtlIntrBkSttlmAmt', ({ transactions }) => totalOfAmounts(transactions))),
    settlementDate,
    settlement,
    optional(paymentType),
    ...agents,
  ]),
  list('CdtTrfTxInf', 'transactions', [
    paymentIds,
    optional(paymentType),
    amount('IntrBkSttlmAmt'),
    settlementDate,
    ...skipped('SttlmPrty', 'SttlmTmIndctn', 'SttlmTmReq'),
    optional(leaf('AccptncDtTm', 'accepted_at', time)),
    ...skipped('PoolgAdjstmntDt', 'InstdAmt', 'XchgRate'),
    chargeBearer,
    ...skipped('ChrgsInf'),
    agentBetween('PrvsInstgAgt1', 'previous_1'),
    ...skipped('PrvsInstgAgt1Acct'),
    agentBetween('PrvsInstgAgt2', 'previous_2'),
    ...skipped('PrvsInstgAgt2Acct'),
    agentBetween('PrvsInstgAgt3', 'previous_3'),
    ...skipped('PrvsInstgAgt3Acct'),
    ...agents,
    ...intermediaries,
    optional(optionallyNamedParty('UltmtDbtr', 'ultimate_debtor')),
    initiator,
    party('Dbtr', 'debtor'),
    optional(account('DbtrAcct', 'debtor_')),
    agent('DbtrAgt', 'debtor_bic'),
    ...skipped('DbtrAgtAcct'),
    agent('CdtrAgt', 'creditor_bic'),
    ...skipped('CdtrAgtAcct'),
    party('Cdtr', 'creditor'),
    optional(account('CdtrAcct', 'creditor_')),
    optional(optionallyNamedParty('UltmtCdtr', 'ultimate_creditor')),
    instructions('InstrForCdtrAgt', 'instructions_for_creditor_bank'),
    instructions('InstrForNxtAgt', 'instructions_for_next_bank'),
    purpose,
    ...skipped('RgltryRptg', 'Tax', 'RltdRmtInf'),
    remittance,
    ...skipped('SplmtryData'),
  ]),
])

/** Direct debit. */
export const pacs003 = define('FIToFICstmrDrctDbt', 'DrctDbtTxInf', [
  inline('GrpHdr', [
    ...heading,
    ...skipped('Authstn', 'BtchBookg'),
    numberOfTransactions,
    statedSum,
    optional(totalOf('TtlIntrBkSttlmAmt', ({ transactions }) => totalOfAmounts(transactions))),
    settlementDate,
    debitSettlement,
    optional(paymentTypeWithSequence),
    ...agents,
  ]),
  list('DrctDbtTxInf', 'transactions', [
    paymentIds,
    optional(paymentTypeWithSequence),
    amount('IntrBkSttlmAmt'),
    settlementDate,
    ...skipped('SttlmPrty', 'SttlmTmIndctn', 'InstdAmt', 'XchgRate'),
    chargeBearer,
    ...skipped('ChrgsInf'),
    leaf('ReqdColltnDt', 'collection_date', date),
    inline('DrctDbtTx', [mandate, creditorId('CdtrSchmeId'), ...skipped('PreNtfctnId', 'PreNtfctnDt')]),
    party('Cdtr', 'creditor'),
    optional(account('CdtrAcct', 'creditor_')),
    agent('CdtrAgt', 'creditor_bic'),
    ...skipped('CdtrAgtAcct'),
    optional(optionallyNamedParty('UltmtCdtr', 'ultimate_creditor')),
    initiator,
    ...agents,
    ...intermediaries,
    party('Dbtr', 'debtor'),
    account('DbtrAcct', 'debtor_'),
    agent('DbtrAgt', 'debtor_bic'),
    ...skipped('DbtrAgtAcct'),
    optional(optionallyNamedParty('UltmtDbtr', 'ultimate_debtor')),
    purpose,
    ...skipped('RgltryRptg', 'RltdRmtInf'),
    remittance,
    ...skipped('SplmtryData'),
  ]),
])

/** Return of a payment or of a direct debit. */
export const pacs004 = define('PmtRtr', 'TxInf', [
  inline('GrpHdr', [
    ...heading,
    ...skipped('Authstn', 'BtchBookg'),
    numberOfTransactions,
    statedSum,
    ...skipped('GrpRtr'),
    optional(totalOf('TtlRtrdIntrBkSttlmAmt', ({ transactions }) => totalOfAmounts(transactions))),
    settlementDate,
    settlement,
    ...agents,
  ]),
  // Some banks name the original message here, others with each return.
  optional(inline('OrgnlGrpInf', [...originalMessage, ...skipped('RtrRsnInf')])),
  list('TxInf', 'transactions', [
    text('RtrId', 'return_id'),
    optional(originalGroup),
    ...originalIds,
    originalUetr,
    optional(text('OrgnlClrSysRef', 'original_clearing_reference')),
    ...originalAmount,
    amount('RtrdIntrBkSttlmAmt'),
    settlementDate,
    ...skipped('SttlmPrty', 'SttlmTmIndctn'),
    optional(amount('RtrdInstdAmt', 'instructed_')),
    ...skipped('XchgRate'),
    optional(amount('CompstnAmt', 'compensation_')),
    optional(chargeBearer),
    charges,
    optional(text('ClrSysRef', 'clearing_reference')),
    ...agents,
    ...skipped('RtrChain'),
    reasons('RtrRsnInf'),
    originalPayment,
    ...skipped('SplmtryData'),
  ]),
])

/** The outcome of a message, or of payments in it. */
export const pacs002 = define('FIToFIPmtStsRpt', 'TxInfAndSts', [
  inline('GrpHdr', [...heading, ...agents]),
  optional(
    child('OrgnlGrpInfAndSts', 'group', [
      ...originalMessage,
      ...originalCounts,
      optional(leaf('GrpSts', 'status', externalCode)),
      reasons('StsRsnInf'),
      ...skipped('NbOfTxsPerSts'),
    ]),
  ),
  listOrNone('TxInfAndSts', 'transactions', [
    optional(text('StsId', 'status_id')),
    optional(originalGroup),
    ...originalIds,
    originalUetr,
    optional(leaf('TxSts', 'status', externalCode)),
    reasons('StsRsnInf'),
    ...skipped('ChrgsInf'),
    optional(leaf('AccptncDtTm', 'accepted_at', time)),
    optional(day('FctvIntrBkSttlmDt', 'settled_on')),
    optional(text('AcctSvcrRef', 'servicer_reference')),
    optional(text('ClrSysRef', 'clearing_reference')),
    ...agents,
    originalPayment,
    ...skipped('SplmtryData'),
  ]),
])

/** An inquiry about the outcome of a message, or of payments in it. */
export const pacs028 = define('FIToFIPmtStsReq', 'TxInf', [
  inline('GrpHdr', [...heading, ...agents]),
  optional(child('OrgnlGrpInf', 'group', [...originalMessage, ...originalCounts])),
  listOrNone('TxInf', 'transactions', [
    optional(text('StsReqId', 'status_request_id')),
    optional(originalGroup),
    ...originalIds,
    originalUetr,
    optional(leaf('AccptncDtTm', 'accepted_at', time)),
    optional(text('ClrSysRef', 'clearing_reference')),
    ...agents,
    originalPayment,
    ...skipped('SplmtryData'),
  ]),
])

/** A bank that requests, or is asked for, the investigation of a payment. */
function assigned<const Field extends string>(tag: string, field: Field) {
  const bank = inline('FinInstnId', [leaf('BICFI', field, bic), ...skipped('ClrSysMmbId', 'LEI', 'Nm', 'PstlAdr', 'Othr')])
  return choice(tag, [inline('Agt', [bank, ...skipped('BrnchId')]), ...skipped('Pty')])
}

const assignment = inline('Assgnmt', [
  text('Id', 'message_id'),
  assigned('Assgnr', 'from_bic'),
  assigned('Assgne', 'to_bic'),
  leaf('CreDtTm', 'created_at', time),
])

/** Undefined if a request does not state the payment's amount. */
function sumOfOriginals(requests: readonly { original_amount?: Money }[]): Money | undefined {
  return requests.reduce<Money | undefined>(
    (total, { original_amount }) => (total === undefined || original_amount === undefined ? undefined : total + original_amount),
    0n,
  )
}

/** Request to give a payment back. */
export const camt056 = define('FIToFIPmtCxlReq', 'TxInf', [
  assignment,
  ...skipped('Case'),
  optional(inline('CtrlData', [numberOfTransactions, optional(sumOf('CtrlSum', ({ transactions }) => sumOfOriginals(transactions)))])),
  inline('Undrlyg', [
    ...skipped('OrgnlGrpInfAndCxl'),
    list('TxInf', 'transactions', [
      text('CxlId', 'cancellation_id'),
      ...skipped('Case'),
      optional(originalGroup),
      ...originalIds,
      originalUetr,
      optional(text('OrgnlClrSysRef', 'original_clearing_reference')),
      ...originalAmount,
      ...skipped('Assgnr', 'Assgne'),
      reasons('CxlRsnInf'),
      originalPayment,
      ...skipped('SplmtryData'),
    ]),
  ]),
])

/** The answer to such a request, if the payment is not given back. */
export const camt029 = define('RsltnOfInvstgtn', 'TxInfAndSts', [
  assignment,
  ...skipped('RslvdCase'),
  choice('Sts', [leaf('Conf', 'status', externalCode), ...skipped('RjctdMod', 'DplctOf', 'AssgnmtCxlConf')]),
  unlessEmpty(
    inline('CxlDtls', [
      ...skipped('OrgnlGrpInfAndSts', 'OrgnlPmtInfAndSts'),
      listOrNone('TxInfAndSts', 'transactions', [
        optional(text('CxlStsId', 'cancellation_status_id')),
        ...skipped('RslvdCase'),
        optional(originalGroup),
        ...originalIds,
        optional(text('OrgnlClrSysRef', 'original_clearing_reference')),
        originalUetr,
        optional(leaf('TxCxlSts', 'status', codeOf('RJCR', 'ACCR', 'PDCR'))),
        reasons('CxlStsRsnInf'),
        ...skipped('RsltnRltdInf'),
        ...originalAmount,
        ...skipped('Assgnr', 'Assgne'),
        originalPayment,
      ]),
    ]),
  ),
  ...skipped('ModDtls', 'ClmNonRctDtls', 'StmtDtls', 'CrrctnTx', 'RsltnRltdInf'),
])
