// Orders of a customer to a bank: payments and direct debits.
import {
  account,
  agent,
  amount,
  constant,
  day,
  inline,
  leaf,
  list,
  numberOf,
  type ObjectOf,
  optional,
  type Part,
  type Plain,
  skipped,
  sumOf,
  text,
} from './iso20022.parts.ts'
import {
  add,
  chargeBearer,
  controlSum,
  creditorId,
  type Definition,
  heading,
  mandate,
  optionallyNamedParty,
  orderedType,
  orderedTypeWithSequence,
  orderIds,
  party,
  purpose,
  remittance,
} from './iso20022.shared.ts'
import { boolean, date } from './iso20022.simple.ts'

function define<const Parts extends readonly Part[]>(root: string, transaction: string, parts: Parts): Definition<ObjectOf<Parts>> {
  return { root, counted: [transaction], scheme: true, parts: [...parts, ...skipped('SplmtryData')] }
}

const ordersOf = ({ instructions }: Plain) => instructions.flatMap(({ transactions }: Plain) => transactions)

const orderHeading = inline('GrpHdr', [
  ...heading,
  ...skipped('Authstn'),
  numberOf('NbOfTxs', (message) => ordersOf(message).length),
  optional(sumOf('CtrlSum', (message) => add(ordersOf(message)))),
  optionallyNamedParty('InitgPty', 'initiator'),
  ...skipped('FwdgAgt'),
])

/** The orders of one instruction share the day and the customer's account. */
const instructionHeading = [
  optional(leaf('BtchBookg', 'booked_as_one', boolean)),
  optional(numberOf('NbOfTxs', ({ transactions }) => transactions.length)),
  controlSum,
] as const

/** Order to pay. */
export const pain001 = define('CstmrCdtTrfInitn', 'CdtTrfTxInf', [
  orderHeading,
  list('PmtInf', 'instructions', [
    text('PmtInfId', 'instructions_id'),
    constant('PmtMtd', 'TRF'),
    ...instructionHeading,
    optional(orderedType),
    day('ReqdExctnDt', 'execution_date'),
    ...skipped('PoolgAdjstmntDt'),
    party('Dbtr', 'debtor'),
    account('DbtrAcct', 'debtor_'),
    agent('DbtrAgt', 'debtor_bic'),
    ...skipped('DbtrAgtAcct', 'InstrForDbtrAgt'),
    optional(optionallyNamedParty('UltmtDbtr', 'ultimate_debtor')),
    optional(chargeBearer),
    ...skipped('ChrgsAcct', 'ChrgsAcctAgt'),
    list('CdtTrfTxInf', 'transactions', [
      orderIds,
      optional(orderedType),
      // An amount to be converted is not accepted: the paid amount would be unknown.
      inline('Amt', [amount('InstdAmt')]),
      ...skipped('XchgRateInf'),
      optional(chargeBearer),
      ...skipped('ChqInstr'),
      optional(optionallyNamedParty('UltmtDbtr', 'ultimate_debtor')),
      ...skipped('IntrmyAgt1', 'IntrmyAgt1Acct', 'IntrmyAgt2', 'IntrmyAgt2Acct', 'IntrmyAgt3', 'IntrmyAgt3Acct'),
      optional(agent('CdtrAgt', 'creditor_bic')),
      ...skipped('CdtrAgtAcct'),
      party('Cdtr', 'creditor'),
      account('CdtrAcct', 'creditor_'),
      optional(optionallyNamedParty('UltmtCdtr', 'ultimate_creditor')),
      ...skipped('InstrForCdtrAgt', 'InstrForDbtrAgt'),
      purpose,
      ...skipped('RgltryRptg', 'Tax', 'RltdRmtInf'),
      remittance,
      ...skipped('SplmtryData'),
    ]),
  ]),
])

/** Order to collect by direct debit. */
export const pain008 = define('CstmrDrctDbtInitn', 'DrctDbtTxInf', [
  orderHeading,
  list('PmtInf', 'instructions', [
    text('PmtInfId', 'instructions_id'),
    constant('PmtMtd', 'DD'),
    ...instructionHeading,
    optional(orderedTypeWithSequence),
    leaf('ReqdColltnDt', 'collection_date', date),
    party('Cdtr', 'creditor'),
    account('CdtrAcct', 'creditor_'),
    agent('CdtrAgt', 'creditor_bic'),
    ...skipped('CdtrAgtAcct'),
    optional(optionallyNamedParty('UltmtCdtr', 'ultimate_creditor')),
    optional(chargeBearer),
    ...skipped('ChrgsAcct', 'ChrgsAcctAgt'),
    optional(creditorId('CdtrSchmeId')),
    list('DrctDbtTxInf', 'transactions', [
      orderIds,
      optional(orderedTypeWithSequence),
      amount('InstdAmt'),
      optional(chargeBearer),
      inline('DrctDbtTx', [mandate, optional(creditorId('CdtrSchmeId')), ...skipped('PreNtfctnId', 'PreNtfctnDt')]),
      optional(optionallyNamedParty('UltmtCdtr', 'ultimate_creditor')),
      agent('DbtrAgt', 'debtor_bic'),
      ...skipped('DbtrAgtAcct'),
      party('Dbtr', 'debtor'),
      account('DbtrAcct', 'debtor_'),
      optional(optionallyNamedParty('UltmtDbtr', 'ultimate_debtor')),
      ...skipped('InstrForCdtrAgt'),
      purpose,
      ...skipped('RgltryRptg', 'Tax', 'RltdRmtInf'),
      remittance,
      ...skipped('SplmtryData'),
    ]),
  ]),
])
