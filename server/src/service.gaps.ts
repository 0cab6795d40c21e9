// What a bank outside the sandbox still lacks, what waits for it, and what to do. In the sandbox, stand-ins play all of it.
import { inventedSettings } from './accounts/accounts.settings.ts'
import type { Gap, GapPart } from './platform/health.schemas.ts'
import { bicsOfNostros } from './reconciliation/reconciliation.ts'
import { findActiveLists } from './screening/screening.ts'
import type { Services } from './services.ts'

type Known = Pick<Services, 'config' | 'database' | 'files' | 'payees'>

type Row = {
  /** What is missing, as a sentence; undefined if nothing is. */
  find(known: Known): Promise<string | undefined> | string | undefined
  waits: string
  remedy: string
}

const rows: Readonly<Record<GapPart, Row>> = {
  identity: {
    find({ config: { bank } }) {
      const unset = inventedSettings(bank)
      return unset.length === 0 ? undefined : `${unset.join(', ')} not set: the bank has an invented identity.`
    },
    waits: 'Account numbers carry it, and it cannot be changed for existing accounts.',
    remedy: 'Set BANK_NAME, BANK_BIC and BANK_CODE before the first account.',
  },
  verifier: {
    find: ({ config: { verifier } }) => (verifier === 'sandbox' ? 'VERIFIER is not set: nobody verifies clients.' : undefined),
    waits: 'Onboarding details are accepted, and clients stay unverified until a relay of the bank reports results.',
    remedy: 'Set VERIFIER, or report results with KYC_API_KEY.',
  },
  rail: {
    find: ({ files }) => (files === undefined ? 'RAILS_EXCHANGE is not set: no payment reaches another bank.' : undefined),
    waits: 'Payments to other banks wait in READY_TO_CLEAR, and nothing arrives.',
    remedy: 'Set RAILS_EXCHANGE to the exchange with the clearing system.',
  },
  nostro: {
    async find({ database }) {
      return (await bicsOfNostros(database)).length === 0 ? 'There is no nostro: no statement can be reconciled.' : undefined
    },
    waits: 'Statements are refused, and the money at other banks is not compared with the books.',
    remedy: 'Two people create the nostros under Reconciliation.',
  },
  watch_lists: {
    async find({ database }) {
      return (await findActiveLists(database)).length === 0 ? 'No watch list is active: nothing can be screened.' : undefined
    },
    waits: 'Payments of MANAGED ventures wait in READY_FOR_SCREENING.',
    remedy: 'Import a list and let two people activate it under Watch lists.',
  },
  payee_directory: {
    find: ({ payees: { directory } }) =>
      directory === undefined ? 'There is no connection to other banks for the verification of payees.' : undefined,
    waits: 'Checks of payees at other banks answer NOT_POSSIBLE.',
    remedy: 'Set VOP_VIA to a routing service.',
  },
}

export async function findGaps(known: Known): Promise<Gap[]> {
  if (known.config.sandbox) return []
  const found = await Promise.all(
    Object.entries(rows).map(async ([part, { find, waits, remedy }]) => {
      const what = await find(known)
      return what === undefined ? [] : [{ part: part as GapPart, what, waits, remedy }]
    }),
  )
  return found.flat()
}
