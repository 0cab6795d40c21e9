// How banks ask each other about payees: the names and forms of the EPC's API for verification of payees, as far as public profiles of it
// show them. No other file knows them. docs/payees.md says what was confirmed and what was not.
import { type Static, Type } from 'typebox'
import { checkShape } from '../../platform/http/validation.ts'
import { parseBic } from '../../values/bic.ts'
import { parseIban } from '../../values/iban.ts'
import { type Identification, idSchemes, type PayeeAnswer } from '../payees.schemas.ts'

export const vopPath = '/vop/v1/payee-verifications'
export const vopHeaders = { id: 'x-request-id', asked: 'x-request-timestamp', answered: 'x-response-timestamp' } as const

/** Why a request gets no answer. */
export const vopErrors = ['FORMAT_ERROR', 'TIMESTAMP_INVALID', 'CLIENT_INVALID'] as const
export type VopError = (typeof vopErrors)[number]

/** `to`: the bank of the account, if known. `identification`: `other` if it is not that of an organisation. */
export type VopQuestion = { iban: string; from: string; to?: string | undefined } & {
  name?: string | undefined
  identification?: Identification | 'other' | undefined
}

/** What the bank of the account says about the name and about the id, each only if asked. */
export type VopAnswer = { name?: PayeeAnswer | undefined; id?: PayeeAnswer | undefined }

type Result = PayeeAnswer['result']

const codes: Record<Result, string> = { MATCH: 'MTCH', CLOSE_MATCH: 'CMTC', NO_MATCH: 'NMTC', NOT_POSSIBLE: 'NOAP' }
const results = Object.fromEntries(Object.entries(codes).map(([result, code]) => [code, result])) as Readonly<Record<string, Result>>

const Text = (longest: number) => Type.String({ minLength: 1, maxLength: longest })
const Agent = Type.Object({ financialInstitutionId: Type.Object({ bicfi: Type.String() }) })

// What is unknown here is not refused: later versions may add fields.
const QuestionShape = Type.Object({
  party: Type.Object({
    name: Type.Optional(Text(140)),
    identification: Type.Optional(
      Type.Object({
        organisationId: Type.Optional(
          Type.Object({
            lei: Type.Optional(Text(20)),
            anyBIC: Type.Optional(Text(11)),
            others: Type.Optional(
              Type.Array(
                Type.Object({
                  identification: Text(256),
                  schemeNameCode: Type.Optional(Text(4)),
                  issuer: Type.Optional(Text(35)),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
  }),
  partyAccount: Type.Object({ iban: Type.String() }),
  partyAgent: Type.Optional(Agent),
  requestingAgent: Agent,
})

const AnswerShape = Type.Object({
  partyNameMatch: Type.Optional(Type.Enum(['MTCH', 'CMTC', 'NMTC', 'NOAP'])),
  partyIdMatch: Type.Optional(Type.Enum(['MTCH', 'NMTC', 'NOAP'])),
  matchedName: Type.Optional(Text(140)),
})

const asQuestion = checkShape<Static<typeof QuestionShape>>(QuestionShape)
const asAnswer = checkShape<Static<typeof AnswerShape>>(AnswerShape)

const agentOf = (bicfi: string) => ({ financialInstitutionId: { bicfi } })

/** The body of a question. Fields without a value are left out. */
export function writeQuestion({ name, identification, iban, to, from }: VopQuestion): object {
  const id = identification === undefined || identification === 'other' ? undefined : organisationIdOf(identification)
  return {
    party: { ...(name !== undefined && { name }), ...(id !== undefined && { identification: { organisationId: id } }) },
    partyAccount: { iban },
    ...(to !== undefined && { partyAgent: agentOf(to) }),
    requestingAgent: agentOf(from),
  }
}

function organisationIdOf({ scheme, value, issuer }: Identification): object {
  if (scheme === 'LEI') return { lei: value }
  if (scheme === 'BIC') return { anyBIC: value }
  return { others: [{ identification: value, schemeNameCode: scheme, ...(issuer != null && { issuer }) }] }
}

/** Throws if the body is not a question. */
export function readQuestion(body: unknown): VopQuestion {
  const { party, partyAccount, partyAgent, requestingAgent } = asQuestion(body)
  const { name, identification } = party
  if (name === undefined && identification === undefined) throw new Error('it asks about neither a name nor an id')
  if (name?.trim() === '') throw new Error('the name is blank')
  return {
    iban: parseIban(partyAccount.iban) ?? wrong('iban'),
    from: parseBic(requestingAgent.financialInstitutionId.bicfi) ?? wrong('bicfi of the requesting agent'),
    to: partyAgent && (parseBic(partyAgent.financialInstitutionId.bicfi) ?? wrong('bicfi of the agent')),
    name,
    identification: identification && (readOrganisationId(identification.organisationId) ?? 'other'),
  }
}

const wrong = (field: string): never => {
  throw new Error(`the ${field} is not valid`)
}

type OrganisationId = NonNullable<NonNullable<Static<typeof QuestionShape>['party']['identification']>['organisationId']>

/** The first id that is named. */
function readOrganisationId({ lei, anyBIC, others = [] }: OrganisationId = {}): Identification | undefined {
  if (lei !== undefined) return { scheme: 'LEI', value: lei }
  if (anyBIC !== undefined) return { scheme: 'BIC', value: anyBIC }
  const [other] = others
  const scheme = idSchemes.find((known) => known === other?.schemeNameCode)
  if (other === undefined || scheme === undefined) return undefined
  return { scheme, value: other.identification, ...(other.issuer !== undefined && { issuer: other.issuer }) }
}

/** The body of an answer. The name of the holder is in it only for a close match. */
export function writeAnswer({ name, id }: VopAnswer): object {
  return {
    ...(name && { partyNameMatch: codes[name.result] }),
    ...(name?.result === 'CLOSE_MATCH' && { matchedName: name.matched_name }),
    ...(id && { partyIdMatch: codes[id.result] }),
  }
}

/** Throws if the body does not answer what was asked. A name that comes without a close match is not looked at. */
export function readAnswer(body: unknown, asked: 'name' | 'id'): PayeeAnswer {
  const { partyNameMatch, partyIdMatch, matchedName } = asAnswer(body)
  const result = results[(asked === 'name' ? partyNameMatch : partyIdMatch) ?? '']
  if (result === undefined) throw new Error(`it says nothing about the ${asked}`)
  if (result !== 'CLOSE_MATCH') return { result, matched_name: null, reason: result === 'NOT_POSSIBLE' ? 'not_applicable' : null }
  if (matchedName === undefined || matchedName.trim() === '') throw new Error('a close match lacks the name')
  return { result, matched_name: matchedName, reason: null }
}

/** The body of an error. Public profiles require `type` and `code`, and leave the code of an internal error open. */
export function writeError(status: number, detail: string, code?: VopError): object {
  return { type: 'about:blank', ...(code !== undefined && { code }), status, detail }
}

/** The real time, in UTC with milliseconds: other banks compare it with their own clocks. */
export const vopTime = (): string => new Date().toISOString()

/** Whether a text is a time in the form of the headers. An offset in place of Z is accepted. */
export function isVopTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
}

export const isRequestId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Whether every letter of a name is Latin. No other name may be asked about. */
export const isLatin = (name: string): boolean => !/[^\P{L}\p{Script=Latin}]/u.test(name)
