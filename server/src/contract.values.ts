// Lists of values for the console and the command line, so that neither copies one by hand: from the enums of the contract, and from the service's own
// records where the contract does not explain a value.
import { eventTypes } from './events/events.types.ts'
import { messageTypes } from './iso20022/iso20022.ts'
import { accountPurposes, occupationSectors, occupations, sourcesOfFunds } from './onboarding/onboarding.values.ts'
import { roundsEndWithin_s } from './platform/health.schemas.ts'
import { declarableStates } from './rails/rails.operator.ts'
import { instantRails, type Profile, profileOf, rails } from './schemes/schemes.ts'
import { formats, type ListFormat, listFormats } from './screening/lists/screening.formats.ts'
import { methods } from './transfers/life/transfers.methods.ts'
import { failedStatuses, phases, recallableStatuses } from './transfers/life/transfers.sets.ts'
import { transferMethods } from './transfers/life/transfers.status.ts'
import { currencyCodes, decimalsOf } from './values/currency.ts'

type Schema = { enum?: (string | null)[]; items?: Schema; properties?: Record<string, Schema> }
export type Contract = { components: { schemas: Record<string, Schema> } }

/** The place of a list in the contract: a schema and one of its fields. */
const consoleLists = {
  accountStatuses: 'Account.status',
  accountTypes: 'Account.account_type',
  actorKinds: 'AuditEntry.actor',
  breakStatuses: 'Break.status',
  caseSeverities: 'Case.severity',
  caseSubjects: 'NewCaseByHand.about',
  debitSchemes: 'SandboxBankDirectDebitOrder.scheme',
  debitSequences: 'SandboxBankDirectDebitOrder.sequence_type',
  deliveryStatuses: 'WebhookDelivery.status',
  entryStates: 'NostroEntry.state',
  forcedDebitTypes: 'ForcedDebitReport.transfer_type',
  inboundRails: 'InboundPaymentReport.rail',
  kycStatuses: 'Client.kyc_status',
  listFormats: 'Watchlist.format',
  mandateStates: 'Mandate.state',
  messageDirections: 'RailMessage.direction',
  messageStates: 'RailMessage.state',
  packStates: 'Pack.state',
  payingRails: 'SandboxBankPaymentOrder.rail',
  paymentStatuses: 'Payment.status',
  questionStates: 'Question.state',
  rails: 'Pack.rail',
  reportKinds: 'ForcedDebitReport.kind',
  returnTypes: 'ReturnedPaymentReport.transfer_type',
  riskLevels: 'Client.risk_level',
  transferDirections: 'Transfer.direction',
  transferMethods: 'Transfer.method',
  unappliedStatuses: 'UnappliedPayment.status',
} as const

const cliLists = {
  bankRoles: 'NewBankInvitation.role',
  controls: 'VentureRegistration.control',
  kycOutcomes: 'SandboxVerification.outcome',
  listFormats: 'NewWatchlist.format',
  ventureRoles: 'NewVentureInvitation.role',
} as const

const ofRails = (of: (profile: Profile) => string) => Object.fromEntries(rails.map((rail) => [rail, of(profileOf(rail))]))
const ofFormats = <Value>(of: (format: (typeof formats)[ListFormat]) => Value): Record<string, Value> =>
  Object.fromEntries(listFormats.map((format) => [format, of(formats[format])]))

/** The main file comes first. */
const files = {
  listFiles: ofFormats(({ required, optional }) => [...required, ...optional]),
  optionalFiles: ofFormats(({ optional }) => optional),
}

const ofService = {
  accountPurposes,
  occupations,
  occupationSectors,
  sourcesOfFunds,
  eventTypes,
  messageTypes,
  declarableStates,
  failedStatuses,
  instantRails,
  nostroRails: transferMethods.filter((method) => !methods[method].internal),
  recallableStatuses,
}

/** Names and groups for people. */
const records = {
  phases,
  railNames: ofRails(({ name }) => name),
  railLetters: ofRails(({ letter }) => letter),
  formatNames: ofFormats(({ name }) => name),
  ...files,
}

export function consoleValues(contract: Contract): string {
  const decimals = currencyCodes.map((code) => `  ${code}: ${decimalsOf(code)},\n`).join('')
  return moduleOf([
    ...listsOf(ofService),
    ...listsOf(inContract(contract, consoleLists)),
    ...recordsOf(records),
    `/** The number of decimals of each currency. */\nexport const currencyDecimals: Readonly<Record<string, number>> = {\n${decimals}}\n`,
    `/** The exchange of files counts as stopped if no round has finished for this long. */\nexport const roundsEndWithin_s = ${roundsEndWithin_s}\n`,
  ])
}

export function cliValues(contract: Contract): string {
  return moduleOf([...listsOf(inContract(contract, cliLists)), ...recordsOf(files)])
}

const inContract = (contract: Contract, places: Readonly<Record<string, string>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(places).map(([name, place]) => [name, valuesAt(contract, place)]))

function valuesAt({ components: { schemas } }: Contract, place: string): string[] {
  const [schema = '', field = ''] = place.split('.')
  const values = schemas[schema]?.properties?.[field]?.enum
  if (values === undefined) throw new Error(`the contract has no list at ${place}`)
  return values.filter((value) => value !== null)
}

/** The longest line that Biome does not break. */
const width = 140

function arrayText(values: readonly string[], before: string, after: string, indent = ''): string {
  const line = `${before}[${values.map((value) => `'${value}'`).join(', ')}]${after}`
  if (line.length <= width) return `${line}\n`
  return `${before}[\n${values.map((value) => `${indent}  '${value}',\n`).join('')}${indent}]${after}\n`
}

const listsOf = (lists: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(lists).map(([name, values]) => arrayText(values, `export const ${name} = `, ' as const'))

function recordsOf(all: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>): string[] {
  return Object.entries(all).map(([name, record]) => {
    const rows = Object.entries(record).map(([key, value]) =>
      typeof value === 'string' ? `  ${key}: '${value}',\n` : arrayText(value, `  ${key}: `, ',', '  '),
    )
    return `export const ${name} = {\n${rows.join('')}} as const\n`
  })
}

function moduleOf(constants: readonly string[]): string {
  return `// Values of the contract. Made by \`npm run contract\` from the lists of the service: do not edit.\n${constants.join('\n')}`
}
