// What a payment has to say about who pays, by Regulation (EU) 2023/1113. One row for each thing that may be missing.
import { type HitReason, looksOf } from '../screening/screening.ts'
import { isEeaIban } from '../values/iban.ts'

/** What another bank says about the payer. */
export type Payer = {
  dr_name?: string | null
  dr_iban?: string | null
  dr_address?: string | null
  dr_city?: string | null
  dr_country_code?: string | null
}

export type PayerGap = Extract<HitReason, `payer_${string}`>

/** `code`: with which an instant payment is rejected. The first row that applies decides. */
type Requirement = { code: 'RR01' | 'RR02'; isMissing(payer: Payer): boolean }

const requirements: Readonly<Record<PayerGap, Requirement>> = {
  payer_account: { code: 'RR01', isMissing: ({ dr_iban }) => isBlank(dr_iban) },
  payer_name: { code: 'RR02', isMissing: ({ dr_name }) => isBlank(dr_name) },
  // Within the EEA, the account identifies the payer. The country alone is not an address, nor is a street without a country.
  payer_address: {
    code: 'RR02',
    isMissing: ({ dr_iban, dr_address, dr_city, dr_country_code }) =>
      !isEeaIban(dr_iban ?? '') && ((isBlank(dr_address) && isBlank(dr_city)) || isBlank(dr_country_code)),
  },
}

const gaps = Object.keys(requirements) as PayerGap[]

/** Everything that is missing. */
export function payerGaps(payer: Payer): PayerGap[] {
  return gaps.filter((gap) => requirements[gap].isMissing(payer))
}

/** The code with which an instant payment is rejected; undefined if nothing is missing. */
export function payerFault(payer: Payer): Requirement['code'] | undefined {
  const [first] = payerGaps(payer)
  return first && requirements[first].code
}

/** What banks write where they know nothing, in several languages, without spaces and signs. */
const placeholders: ReadonlySet<string> = new Set(
  `notprovided notavailable notapplicable notknown notgiven notspecified notstated unknown unspecified unnamed anonymous noname nodata none null
  nil na nd nn undefined empty nameunknown unknownname namenotprovided unbekannt nichtangegeben keineangabe inconnu nonrenseigne noncommunique
  sconosciuto nonfornito desconocido desconhecido onbekend nieznany neznamy nezinams nezinomas okand ukendt ukjent`.split(/\s+/),
)

/** Whether a text says nothing: it has no letter or digit, or only one that is repeated, or it looks like a placeholder, however it is written. */
function isBlank(text: string | null | undefined): boolean {
  const signs = (text ?? '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
  return /^(?:(.)\1*)?$/u.test(signs) || placeholders.has(looksOf(text ?? ''))
}
