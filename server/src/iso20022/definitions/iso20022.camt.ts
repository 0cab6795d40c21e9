// What a bank tells an account holder: daily statements, and notifications of single entries.
import { type Money, moneyText } from '../../values/money.ts'
import { MessageFault } from '../xml/iso20022.faults.ts'
import {
  account,
  accountId,
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
  signedAmount,
  skipped,
  sumOf,
  text,
} from './iso20022.parts.ts'
import {
  add,
  agentBetween,
  code,
  collectingParty,
  type Definition,
  heading,
  optionallyNamedParty,
  purpose,
  reasonParts,
  remittance,
} from './iso20022.shared.ts'
import { boolean, codeOf, count, currencyCode, externalCode, time, uuid } from './iso20022.simple.ts'

function define<const Parts extends readonly Part[]>(
  root: string,
  parts: Parts,
  check?: (message: ObjectOf<Parts>) => void,
): Definition<ObjectOf<Parts>> {
  const all = [...parts, ...skipped('SplmtryData')]
  return { root, counted: ['Ntry', 'TxDtls'], scheme: false, parts: all, ...(check && { check }) }
}

const reportHeading = inline('GrpHdr', [...heading, ...skipped('MsgRcpt', 'MsgPgntn', 'OrgnlBizQry', 'AddtlInf')])

const reportedAccount = child('Acct', 'account', [
  accountId(''),
  ...skipped('Tp'),
  optional(leaf('Ccy', 'currency', currencyCode)),
  optional(text('Nm', 'name', 70)),
  ...skipped('Prxy'),
  optional(inline('Ownr', [optional(text('Nm', 'owner', 140)), ...skipped('PstlAdr', 'Id', 'CtryOfRes', 'CtctDtls')])),
  optional(agent('Svcr', 'bic')),
])

const report = [
  optional(leaf('ElctrncSeqNb', 'sequence', count)),
  ...skipped('RptgSeq'),
  optional(leaf('LglSeqNb', 'legal_sequence', count)),
  optional(leaf('CreDtTm', 'created_at', time)),
  optional(inline('FrToDt', [leaf('FrDtTm', 'from_time', time), leaf('ToDtTm', 'to_time', time)])),
  optional(leaf('CpyDplctInd', 'copy', codeOf('CODU', 'COPY', 'DUPL'))),
  ...skipped('RptgSrc'),
  reportedAccount,
  ...skipped('RltdAcct', 'Intrst'),
] as const

type Signed = { amount: Money }
type WithEntries = { entries: readonly Signed[] }

const credits = ({ entries }: WithEntries) => entries.filter((entry) => entry.amount >= 0n)
const debits = ({ entries }: WithEntries) => entries.filter((entry) => entry.amount < 0n)

// The sum of all entries is not read: some banks give the net, others the gross.
const summary = optional(
  inline('TxsSummry', [
    optional(inline('TtlNtries', [optional(numberOf('NbOfNtries', ({ entries }) => entries.length)), ...skipped('Sum', 'TtlNetNtry')])),
    optional(
      inline('TtlCdtNtries', [
        optional(numberOf('NbOfNtries', (owner) => credits(owner).length)),
        optional(sumOf('Sum', (owner) => add(credits(owner)))),
      ]),
    ),
    optional(
      inline('TtlDbtNtries', [
        optional(numberOf('NbOfNtries', (owner) => debits(owner).length)),
        optional(sumOf('Sum', (owner) => -add(debits(owner)))),
      ]),
    ),
    ...skipped('TtlNtriesPerBkTxCd'),
  ]),
)

/** The kind of transaction: for example PMNT, RCDT, ESCT is an incoming SEPA credit transfer. */
const transactionCode = inline('BkTxCd', [
  optional(
    inline('Domn', [
      leaf('Cd', 'domain', externalCode),
      inline('Fmly', [leaf('Cd', 'family', externalCode), leaf('SubFmlyCd', 'subfamily', externalCode)]),
    ]),
  ),
  optional(inline('Prtry', [text('Cd', 'proprietary_code'), optional(text('Issr', 'proprietary_issuer'))])),
])

const creditOrDebit = leaf('CdtDbtInd', 'direction', codeOf('CRDT', 'DBIT'))

function relatedParty<const Field extends string>(tag: string, field: Field) {
  return optional(choice(tag, [optionallyNamedParty('Pty', field), ...skipped('Agt')]))
}

const detail = [
  optional(
    inline('Refs', [
      optional(text('MsgId', 'message_id')),
      optional(text('AcctSvcrRef', 'servicer_reference')),
      optional(text('PmtInfId', 'instructions_id')),
      optional(text('InstrId', 'instruction_id')),
      optional(text('EndToEndId', 'end_to_end_id')),
      optional(leaf('UETR', 'uetr', uuid)),
      optional(text('TxId', 'tx_id')),
      optional(text('MndtId', 'mandate_reference')),
      ...skipped('ChqNb'),
      optional(text('ClrSysRef', 'clearing_reference')),
      ...skipped('AcctOwnrTxId', 'AcctSvcrTxId', 'MktInfrstrctrTxId', 'PrcgId', 'Prtry'),
    ]),
  ),
  optional(amount('Amt')),
  optional(creditOrDebit),
  ...skipped('AmtDtls', 'Avlbty', 'BkTxCd', 'Chrgs', 'Intrst'),
  optional(
    inline('RltdPties', [
      relatedParty('InitgPty', 'initiating_party'),
      relatedParty('Dbtr', 'debtor'),
      optional(account('DbtrAcct', 'debtor_')),
      relatedParty('UltmtDbtr', 'ultimate_debtor'),
      optional(choice('Cdtr', [collectingParty('Pty', 'creditor'), ...skipped('Agt')])),
      optional(account('CdtrAcct', 'creditor_')),
      relatedParty('UltmtCdtr', 'ultimate_creditor'),
      ...skipped('TradgPty', 'Prtry'),
    ]),
  ),
  optional(
    inline('RltdAgts', [
      ...skipped('InstgAgt', 'InstdAgt'),
      optional(agent('DbtrAgt', 'debtor_bic')),
      optional(agent('CdtrAgt', 'creditor_bic')),
      agentBetween('IntrmyAgt1', 'intermediary_1'),
      agentBetween('IntrmyAgt2', 'intermediary_2'),
      agentBetween('IntrmyAgt3', 'intermediary_3'),
      ...skipped('RcvgAgt', 'DlvrgAgt', 'IssgAgt', 'SttlmPlc', 'Prtry'),
    ]),
  ),
  ...skipped('LclInstrm'),
  purpose,
  ...skipped('RltdRmtInf'),
  remittance,
  ...skipped('RltdDts', 'RltdPric', 'RltdQties', 'FinInstrmId', 'Tax'),
  optional(child('RtrInf', 'returned', reasonParts(skipped('OrgnlBkTxCd')))),
  ...skipped('CorpActn', 'SfkpgAcct', 'CshDpst', 'CardTx'),
  optional(text('AddtlTxInf', 'information', 500)),
  ...skipped('SplmtryData'),
] as const

/** `amount` is positive for incoming and negative for outgoing money. Only entries with the status BOOK have changed the balance. */
const entries = listOrNone('Ntry', 'entries', [
  optional(text('NtryRef', 'entry_id')),
  signedAmount('Amt'),
  optional(leaf('RvslInd', 'reversal', boolean)),
  code('Sts', 'status'),
  optional(day('BookgDt', 'booked_on')),
  optional(day('ValDt', 'value_on')),
  optional(text('AcctSvcrRef', 'servicer_reference')),
  ...skipped('Avlbty'),
  transactionCode,
  ...skipped('ComssnWvrInd', 'AddtlInfInd', 'AmtDtls', 'Chrgs', 'TechInptChanl', 'Intrst', 'CardTx'),
  optional(
    list('NtryDtls', 'details', [
      optional(
        child('Btch', 'batch', [
          optional(text('MsgId', 'message_id')),
          optional(text('PmtInfId', 'instructions_id')),
          optional(leaf('NbOfTxs', 'count', count)),
          optional(amount('TtlAmt')),
          optional(creditOrDebit),
        ]),
      ),
      listOrNone('TxDtls', 'transactions', detail),
    ]),
  ),
  optional(text('AddtlNtryInf', 'information', 500)),
])

type Balance = { type?: string | undefined; amount: Money; currency: string }
type BalancedStatement = {
  statement_id: string
  balances: readonly Balance[]
  entries: readonly (Balance & { status?: string | undefined })[]
}

/** The balances before the first and after the last entry; undefined if the statement lacks them. */
export function boundsOf({ balances }: Pick<BalancedStatement, 'balances'>): {
  opening: Balance | undefined
  closing: Balance | undefined
} {
  const of = (wanted: string) => balances.find(({ type }) => type === wanted)
  // PRCD is the closing balance of the previous statement.
  return { opening: of('OPBD') ?? of('PRCD'), closing: of('CLBD') }
}

/** Refuses a statement whose opening balance and booked entries do not add up to its closing balance. */
function checkBalances(statement: BalancedStatement): void {
  const { opening, closing } = boundsOf(statement)
  const name = `statement ${statement.statement_id}`
  if (!opening || !closing) throw new MessageFault('invalid', `${name} needs an opening and a closing booked balance`)
  const booked = statement.entries.filter(({ status }) => status === 'BOOK')
  const foreign = [closing, ...booked].find(({ currency }) => currency !== opening.currency)
  if (foreign) throw new MessageFault('balances_differ', `${name} is in ${opening.currency} and contains an amount in ${foreign.currency}`)
  const reached = opening.amount + add(booked)
  if (reached === closing.amount) return
  const [expected, stated] = [moneyText(reached, opening.currency), moneyText(closing.amount, closing.currency)]
  throw new MessageFault('balances_differ', `${name} should close at ${expected}, but states ${stated}`)
}

/** Statement of an account. */
export const camt053 = define(
  'BkToCstmrStmt',
  [
    reportHeading,
    list('Stmt', 'statements', [
      text('Id', 'statement_id'),
      ...skipped('StmtPgntn'),
      ...report,
      list('Bal', 'balances', [
        inline('Tp', [code('CdOrPrtry', 'type'), ...skipped('SubTp')]),
        ...skipped('CdtLine'),
        signedAmount('Amt'),
        day('Dt', 'date'),
        ...skipped('Avlbty'),
      ]),
      summary,
      entries,
      optional(text('AddtlStmtInf', 'information', 500)),
    ]),
  ],
  ({ statements }) => {
    for (const statement of statements) checkBalances(statement)
  },
)

/** Notification of entries of an account. */
export const camt054 = define('BkToCstmrDbtCdtNtfctn', [
  reportHeading,
  list('Ntfctn', 'notifications', [
    text('Id', 'notification_id'),
    ...skipped('NtfctnPgntn'),
    ...report,
    summary,
    entries,
    optional(text('AddtlNtfctnInf', 'information', 500)),
  ]),
])
