// Values of the contract. Made by `npm run contract` from the lists of the service: do not edit.
export const accountPurposes = [
  'PAY_BILLS',
  'MONEY_TO_FROM_FAMILY',
  'DIVIDENDS',
  'SAVINGS',
  'PERSONAL_BUSINESS_PURPOSES',
  'PENSION',
  'CRYPTO',
  'SALARY',
  'LOTTERY_GAMING',
  'RECONCILIATION',
  'VIRTUAL_ACCOUNT',
  'CURRENCY_EXCHANGE',
  'OTHER',
] as const

export const occupations = [
  'BUSINESS_OWNER',
  'CLERGY',
  'CRAFTSMAN',
  'ENGINEER',
  'EXECUTIVE',
  'FARMER',
  'FREELANCE',
  'LIBERAL_PROFESSION',
  'POLITICIAN',
  'PROFESSOR',
  'PUBLIC_SERVANT',
  'RETIRED',
  'SHOPKEEPER',
  'STUDENT',
  'UNEMPLOYED',
  'WORKER',
  'OTHER',
] as const

export const occupationSectors = [
  'ACCOUNTING_AUDIT',
  'E_MONEY_SERVICES',
  'CURRENCY_EXCHANGE',
  'TRADES_ON_OTC_MARKET',
  'PRECIOUS_METALS_OR_STONES',
  'PAWNSHOPS',
  'CROSS_BORDER_CASH_OR_PRECIOUS_MATERIALS',
  'MINING_EXTRACTIVE_INDUSTRIES',
  'ENERGY',
  'TRADE_IN_PETROL_PRODUCTS',
  'TRADE_IN_MEDICINES',
  'REAL_ESTATE',
  'CONSTRUCTION_REPAIR',
  'CONSULTANCY_LEGAL',
  'FREELANCE',
  'NON_PROFIT_LEGAL_ENTITIES',
  'CRYPTOCURRENCIES',
  'GAMING',
  'GAMBLING',
  'EU_FUNDS_UTILIZATION',
  'ADULT',
  'HIGH_VALUE_ASSET_DEALER',
  'BANKING_LENDING',
  'INSURANCE_SECURITY',
  'TRANSPORTATION_AND_LOGISTICS',
  'MANUFACTURING',
  'UTILITIES_AND_INFRASTRUCTURE',
  'TRADE_IN_FOOD_PRODUCT',
  'WHOLESALE',
  'REPAIR_OF_MOTOR_VEHICLES',
  'SOCIAL_WORK_ACTIVITIES',
  'AUTO_AVIATION',
  'COURIER_POST_SERVICES',
  'AGRICULTURE_FORESTRY_AND_FISHING',
  'OTHER_TRADE_AND_SALES',
  'TRAVEL_TOURISM',
  'INFORMATION_AND_COMMUNICATION',
  'PR_MARKETING',
  'EDUCATION',
  'INFORMATIONAL_TECHNOLOGIES',
  'PUBLIC_AND_DEFENCE_SECTOR',
  'HEALTH_CARE_MEDICAL_SERVICES',
  'ART_ENTERTAINMENT_SPORT',
  'ADMINISTRATIVE_OFFICE_BUSINESS_ACTIVITIES',
  'HOSPITALITY_AND_LEISURE',
  'SCIENTIFIC_AND_TECHNICAL_ACTIVITIES',
  'OTHER',
] as const

export const sourcesOfFunds = [
  'COMPENSATION_PAYOUT',
  'COMPANY_PROFITS',
  'COMPANY_SALE',
  'DIVIDEND_PAYMENTS',
  'DIVORCE_SETTLEMENT',
  'FIXED_DEPOSITS',
  'GIFT',
  'INHERITANCE',
  'INSURANCE_PAYOUT',
  'LOAN',
  'LOTTERY_OR_GAMBLING_WIN',
  'RETIREMENT_INCOME',
  'SALE_OF_INVESTMENT',
  'SALE_OF_PROPERTY',
  'SAVINGS_FROM_SALARY',
  'OTHER',
] as const

export const eventTypes = [
  'client.created',
  'client.updated',
  'client.kyc_updated',
  'onboarding.submitted',
  'onboarding.updated',
  'beneficiary.created',
  'beneficiary.updated',
  'account.created',
  'account.updated',
  'account.activated',
  'account.frozen',
  'account.overdrawn',
  'account.closed',
  'mandate.created',
  'mandate.cancelled',
  'transfer.created',
  'transfer.updated',
  'transfer.status_changed',
  'transfer.completed',
  'transfer.failed',
  'transfer.returned',
  'payment.created',
  'payment.paid',
  'payment.failed',
  'payment.refused',
  'payment.canceled',
  'payment.expired',
  'payment.refunded',
  'payment_link.created',
  'payment_link.updated',
  'payout.created',
  'case.question',
  'venture.updated',
  'venture.key_rotated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const

export const messageTypes = [
  'pain.001.001.09',
  'pain.008.001.08',
  'pacs.002.001.10',
  'pacs.003.001.08',
  'pacs.004.001.09',
  'pacs.008.001.08',
  'pacs.028.001.03',
  'camt.029.001.09',
  'camt.053.001.08',
  'camt.054.001.08',
  'camt.056.001.08',
] as const

export const declarableStates = ['REFUSED', 'UNKNOWN', 'INVALID'] as const

export const failedStatuses = ['CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED'] as const

export const instantRails = ['INST'] as const

export const nostroRails = ['SEPA', 'SDD', 'INST', 'CARD', 'SWIFT', 'DOMESTIC'] as const

export const recallableStatuses = ['SENT_TO_CLEAR', 'ACCEPTED', 'COMPLETED', 'SOME_PROBLEMS'] as const

export const accountStatuses = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const

export const accountTypes = ['CURRENT', 'SAVINGS', 'ESCROW'] as const

export const actorKinds = ['venture', 'user', 'operator', 'service', 'connector'] as const

export const breakStatuses = ['OPEN', 'WRITTEN_OFF', 'COLLECTED', 'MATCHED', 'OFFSET', 'FUNDED'] as const

export const caseSeverities = ['NORMAL', 'URGENT'] as const

export const caseSubjects = ['transfer', 'client', 'account', 'nothing'] as const

export const debitSchemes = ['CORE', 'B2B'] as const

export const debitSequences = ['FRST', 'RCUR', 'FNAL', 'OOFF'] as const

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const

export const entryStates = ['NOTIFIED', 'MATCHED', 'BREAK', 'RESOLVED'] as const

export const forcedDebitTypes = [
  'ADJUSTMENT',
  'FEE',
  'CARD_CLEARING',
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'CARD_REVERSAL',
] as const

export const inboundRails = ['SEPA', 'INST', 'SWIFT', 'DOMESTIC'] as const

export const kycStatuses = ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'VALIDATED', 'DECLINED'] as const

export const listFormats = ['OFAC', 'UN', 'EU', 'UK', 'OPENSANCTIONS'] as const

export const mandateStates = ['ACTIVE', 'CANCELLED', 'EXPIRED'] as const

export const messageDirections = ['IN', 'OUT'] as const

export const messageStates = ['SEALED', 'DELIVERED', 'RECEIVED', 'APPLIED', 'REFUSED'] as const

export const packStates = ['OPEN', 'SEALED', 'DELIVERED', 'ACKNOWLEDGED', 'REFUSED', 'UNKNOWN', 'INVALID', 'NOT_SENT', 'DROPPED'] as const

export const payingRails = ['SEPA', 'INST'] as const

export const paymentStatuses = ['PENDING', 'PAID', 'FAILED', 'REFUSED', 'CANCELED', 'REFUNDED', 'EXPIRED'] as const

export const questionStates = ['OPEN', 'ANSWERED'] as const

export const rails = ['SEPA', 'INST', 'SDD'] as const

export const reportKinds = [
  'pacs.003',
  'pacs.004',
  'pacs.007',
  'pacs.008',
  'camt.054',
  'card.clearing',
  'card.reversal',
  'chargeback',
] as const

export const returnTypes = [
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'CARD_REVERSAL',
] as const

export const riskLevels = ['Low', 'Medium', 'High'] as const

export const transferDirections = ['INBOUND', 'OUTBOUND'] as const

export const transferMethods = ['SEPA', 'INTERNAL', 'SDD', 'SDD_INTERNAL', 'INST', 'CARD', 'SWIFT', 'DOMESTIC'] as const

export const unappliedStatuses = ['OPEN', 'APPLIED', 'RETURNING', 'PAID_OUT'] as const

export const phases = {
  Order: ['CREATED', 'TO_SIGN', 'SIGNED', 'RECEIVED'],
  Reserve: ['TO_RESERVE', 'RESERVED'],
  Screen: ['READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'AML_APPROVED'],
  Clear: ['READY_TO_CLEAR', 'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR', 'TO_RESEND', 'CREDIT_TECH_BALANCE', 'ACCEPTED'],
  Attention: ['REVIEW', 'ON_HOLD', 'MANUAL_ACTION', 'SOME_PROBLEMS', 'TO_CANCEL', 'TO_RETURN'],
  End: ['COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'AML_REJECTED', 'MANUAL_REJECTED', 'DROPPED'],
} as const

export const railNames = {
  SEPA: 'SEPA credit transfers',
  INST: 'SEPA instant',
  SDD: 'SEPA direct debits',
} as const

export const railLetters = {
  SEPA: 'S',
  INST: 'I',
  SDD: 'D',
} as const

export const formatNames = {
  OFAC: 'OFAC',
  UN: 'United Nations',
  EU: 'European Union',
  UK: 'United Kingdom',
  OPENSANCTIONS: 'OpenSanctions',
} as const

export const listFiles = {
  OFAC: ['sdn', 'alt', 'add'],
  UN: ['list'],
  EU: ['list'],
  UK: ['list'],
  OPENSANCTIONS: ['list'],
} as const

export const optionalFiles = {
  OFAC: ['alt', 'add'],
  UN: [],
  EU: [],
  UK: [],
  OPENSANCTIONS: [],
} as const

/** The number of decimals of each currency. */
export const currencyDecimals: Readonly<Record<string, number>> = {
  AED: 2,
  AFN: 2,
  ALL: 2,
  AMD: 2,
  AOA: 2,
  ARS: 2,
  AUD: 2,
  AWG: 2,
  AZN: 2,
  BAM: 2,
  BBD: 2,
  BDT: 2,
  BHD: 3,
  BIF: 0,
  BMD: 2,
  BND: 2,
  BOB: 2,
  BOV: 2,
  BRL: 2,
  BSD: 2,
  BTN: 2,
  BWP: 2,
  BYN: 2,
  BZD: 2,
  CAD: 2,
  CDF: 2,
  CHE: 2,
  CHF: 2,
  CHW: 2,
  CLF: 4,
  CLP: 0,
  CNY: 2,
  COP: 2,
  COU: 2,
  CRC: 2,
  CUP: 2,
  CVE: 2,
  CZK: 2,
  DJF: 0,
  DKK: 2,
  DOP: 2,
  DZD: 2,
  EGP: 2,
  ERN: 2,
  ETB: 2,
  EUR: 2,
  FJD: 2,
  FKP: 2,
  GBP: 2,
  GEL: 2,
  GHS: 2,
  GIP: 2,
  GMD: 2,
  GNF: 0,
  GTQ: 2,
  GYD: 2,
  HKD: 2,
  HNL: 2,
  HTG: 2,
  HUF: 2,
  IDR: 2,
  ILS: 2,
  INR: 2,
  IQD: 3,
  IRR: 2,
  ISK: 0,
  JMD: 2,
  JOD: 3,
  JPY: 0,
  KES: 2,
  KGS: 2,
  KHR: 2,
  KMF: 0,
  KPW: 2,
  KRW: 0,
  KWD: 3,
  KYD: 2,
  KZT: 2,
  LAK: 2,
  LBP: 2,
  LKR: 2,
  LRD: 2,
  LSL: 2,
  LYD: 3,
  MAD: 2,
  MDL: 2,
  MGA: 2,
  MKD: 2,
  MMK: 2,
  MNT: 2,
  MOP: 2,
  MRU: 2,
  MUR: 2,
  MVR: 2,
  MWK: 2,
  MXN: 2,
  MXV: 2,
  MYR: 2,
  MZN: 2,
  NAD: 2,
  NGN: 2,
  NIO: 2,
  NOK: 2,
  NPR: 2,
  NZD: 2,
  OMR: 3,
  PAB: 2,
  PEN: 2,
  PGK: 2,
  PHP: 2,
  PKR: 2,
  PLN: 2,
  PYG: 0,
  QAR: 2,
  RON: 2,
  RSD: 2,
  RUB: 2,
  RWF: 0,
  SAR: 2,
  SBD: 2,
  SCR: 2,
  SDG: 2,
  SEK: 2,
  SGD: 2,
  SHP: 2,
  SLE: 2,
  SOS: 2,
  SRD: 2,
  SSP: 2,
  STN: 2,
  SVC: 2,
  SYP: 2,
  SZL: 2,
  THB: 2,
  TJS: 2,
  TMT: 2,
  TND: 3,
  TOP: 2,
  TRY: 2,
  TTD: 2,
  TWD: 2,
  TZS: 2,
  UAH: 2,
  UGX: 0,
  USD: 2,
  USN: 2,
  UYI: 0,
  UYU: 2,
  UYW: 4,
  UZS: 2,
  VED: 2,
  VES: 2,
  VND: 0,
  VUV: 0,
  WST: 2,
  XAD: 2,
  XAF: 0,
  XCD: 2,
  XCG: 2,
  XOF: 0,
  XPF: 0,
  YER: 2,
  ZAR: 2,
  ZMW: 2,
  ZWG: 2,
}

/** The exchange of files counts as stopped if no round has finished for this long. */
export const roundsEndWithin_s = 300
