// The adapter to Sumsub: creates an applicant and a link with signed requests, and reads the signed events that come back.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { parseJson } from '../../platform/http/json.ts'
import { Nullable } from '../../platform/http/schemas.ts'
import { checkShape } from '../../platform/http/validation.ts'
import { callPartner, PartnerFailure } from '../../platform/outgoing/partner.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { readEnvelope } from '../kyc.envelope.ts'
import type { Envelope } from '../kyc.schemas.ts'
import type { KycEventType } from '../kyc.status.ts'
import type { Applicant, Verifier } from '../kyc.verifier.ts'

type Client = Applicant['client']

type Options = {
  /** Without a path, because the signature covers the path from the root of the host. */
  url: string
  appToken: string
  secretKey: string
  /** Two while one replaces the other. Without any, every event is refused. */
  webhookSecrets: readonly string[]
  levelName: string | { FULL_KYC: string; DOC_ONLY: string }
  /** The time-out of each request. Opening an application takes at most three, which together stay within the lease of a job. */
  timeout_ms?: number
  linkLife_s?: number
}

/** The lifetime that Sumsub gives its own links. No longer one is documented. */
const week_s = 7 * 24 * 3600

export function sumsubVerifier(options: Options): Required<Verifier> {
  const { levelName, linkLife_s = week_s } = options
  // Anyone could sign with an empty secret.
  const webhookSecrets = options.webhookSecrets.filter((secret) => secret !== '')
  const ask = signedRequests(options)
  return {
    async openApplication({ client }) {
      const level = levelFor(client, levelName)
      const applicantId = await openApplicant(ask, client, level)
      const link = await makeLink(ask, client, { level, linkLife_s })
      return { id: applicationIdOf(applicantId), link }
    },
    readEvent(headers, bytes) {
      if (!isSigned(webhookSecrets, headers, bytes)) refuse('invalid_signature')
      return toEnvelope(checkEvent(parseJson(bytes)))
    },
  }
}

/** Our application ids are UUIDs, but Sumsub's applicant ids are not, so ours is derived from theirs (UUID version 8). */
export function applicationIdOf(applicantId: string): string {
  const bytes = createHash('sha256').update(`sumsub:${applicantId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A client with NOT_REQUIRED who is verified anyway gets the full verification. */
function levelFor({ kyc_level }: Client, level: Options['levelName']): string {
  if (typeof level === 'string') return level
  return kyc_level === 'DOC_ONLY' ? level.DOC_ONLY : level.FULL_KYC
}

// Requests.

type Question = { what: string; method: 'GET' | 'POST'; path: string; body?: object }
type Answer = { ok: boolean; status: number; body: Record<string, unknown> }
type Ask = (question: Question) => Promise<Answer>

async function openApplicant(ask: Ask, client: Client, level: string): Promise<string> {
  const what = 'creating an applicant'
  const path = `/resources/applicants?levelName=${encodeURIComponent(level)}`
  const created = await ask({ what, method: 'POST', path, body: applicantOf(client) })
  // It already exists: the response was lost, or another request was faster.
  if (created.status === 409) return findApplicant(ask, client)
  return applicantIdIn(expectSuccess(created, what), client, what)
}

async function findApplicant(ask: Ask, client: Client): Promise<string> {
  const what = 'finding an applicant'
  const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(client.id)}/one`
  return applicantIdIn(expectSuccess(await ask({ what, method: 'GET', path }), what), client, what)
}

async function makeLink(ask: Ask, client: Client, { level, linkLife_s }: { level: string; linkLife_s: number }): Promise<string> {
  const what = 'creating a link'
  const path = '/resources/sdkIntegrations/levels/-/websdkLink'
  const body = { levelName: level, userId: client.id, ttlInSecs: linkLife_s }
  const { url } = expectSuccess(await ask({ what, method: 'POST', path, body }), what)
  // Clients will be sent there, so only a web address is acceptable.
  if (typeof url !== 'string' || url.length > 2048 || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw unexpected(what)
  return url
}

/** What Sumsub compares with the documents. Unknown fields are left out, because null would be a value. */
function applicantOf(client: Client): object {
  const { middle_name, gender, state_province, mobile_phone_number } = client
  return {
    externalUserId: client.id,
    email: client.email,
    ...(mobile_phone_number === null ? {} : { phone: mobile_phone_number }),
    fixedInfo: {
      firstName: client.first_name,
      ...(middle_name === null ? {} : { middleName: middle_name }),
      lastName: client.last_name,
      dob: client.date_of_birth,
      ...(gender === null ? {} : { gender: gender === 'male' ? 'M' : 'F' }),
      nationality: client.nationality,
      countryOfBirth: client.birth_country,
      country: client.country_code,
      addresses: [
        {
          country: client.country_code,
          ...(state_province === null ? {} : { state: state_province }),
          town: client.city,
          postCode: client.postcode,
          street: client.address,
        },
      ],
    },
  }
}

function applicantIdIn({ id, externalUserId }: Answer['body'], client: Client, what: string): string {
  if (typeof id !== 'string' || !/^\w{1,64}$/.test(id) || externalUserId !== client.id) throw unexpected(what)
  return id
}

/** Sumsub's response contains everything that it knows about the applicant, so it may be longer than other responses. */
const maxAnswer_bytes = 1_048_576

/** Each request carries its time, and an HMAC over time, method, address and body. */
function signedRequests({ url, appToken, secretKey, timeout_ms = 10_000 }: Options): Ask {
  return async ({ what, method, path, body }) => {
    const target = new URL(path, url)
    const text = body === undefined ? '' : JSON.stringify(body)
    const time = String(Math.floor(Date.now() / 1000))
    // From the parsed URL, which may encode a character of the path differently.
    const signed = time + method + target.pathname + target.search + text
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-app-token': appToken,
      'x-app-access-ts': time,
      'x-app-access-sig': createHmac('sha256', secretKey).update(signed).digest('hex'),
    }
    const request = { method, headers, timeout_ms, maxAnswer_bytes, ...(body === undefined ? {} : { body: text }) }
    try {
      const { ok, status, bytes } = await callPartner(target, request)
      return { ok, status, body: readObject(Buffer.from(bytes).toString()) }
    } catch (error) {
      if (error instanceof PartnerFailure) throw failed(what, error.message)
      throw error
    }
  }
}

/** Describes the error without the response's own words, which may contain personal data. */
function expectSuccess({ ok, status, body }: Answer, what: string): Answer['body'] {
  if (ok) return body
  const marks = [`status ${status}`]
  if (Number.isInteger(body['errorCode'])) marks.push(`error ${body['errorCode']}`)
  if (typeof body['correlationId'] === 'string' && /^[\w-]{1,64}$/.test(body['correlationId']))
    marks.push(`correlation ${body['correlationId']}`)
  throw failed(what, marks.join(', '))
}

function unexpected(what: string): Error {
  return failed(what, 'unexpected answer')
}

function failed(what: string, reason: string): Error {
  return new Error(`Sumsub: ${what} failed: ${reason}`)
}

/** An unreadable body is treated as empty, so the caller misses the fields that it needs. */
function readObject(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer['body']) : {}
  } catch {
    return {}
  }
}

// Events.

/** HMAC_SHA1_HEX, which Sumsub offers for old webhooks, is not accepted. */
const hashes = new Map([
  ['HMAC_SHA256_HEX', { name: 'sha256', digits: 64 }],
  ['HMAC_SHA512_HEX', { name: 'sha512', digits: 128 }],
])

function isSigned(secrets: readonly string[], headers: IncomingHttpHeaders, bytes: Uint8Array): boolean {
  const hash = hashes.get(String(headers['x-payload-digest-alg'] ?? ''))
  const digest = String(headers['x-payload-digest'] ?? '')
  if (hash === undefined || digest.length !== hash.digits || !/^[0-9a-f]+$/i.test(digest)) return false
  const given = Buffer.from(digest, 'hex')
  // Every secret is tried, so that the time taken does not tell which one fits.
  let fits = false
  for (const secret of secrets) {
    if (timingSafeEqual(given, createHmac(hash.name, secret).update(bytes).digest())) fits = true
  }
  return fits
}

const Text = Type.Optional(Nullable(Type.String()))
const Event = Type.Object({
  type: Type.String(),
  applicantId: Text,
  externalUserId: Text,
  correlationId: Text,
  createdAtMs: Text,
  createdAt: Text,
  reviewResult: Type.Optional(
    Nullable(
      Type.Object({
        reviewAnswer: Text,
        reviewRejectType: Text,
        rejectLabels: Type.Optional(Nullable(Type.Array(Type.String()))),
        clientComment: Text,
        moderationComment: Text,
      }),
    ),
  ),
})
type Maybe<Value> = Value | null | undefined
type Event = {
  type: string
  applicantId?: Maybe<string>
  externalUserId?: Maybe<string>
  correlationId?: Maybe<string>
  createdAtMs?: Maybe<string>
  createdAt?: Maybe<string>
  reviewResult?: Maybe<Review>
}
type Review = {
  reviewAnswer?: Maybe<string>
  reviewRejectType?: Maybe<string>
  rejectLabels?: Maybe<string[]>
  clientComment?: Maybe<string>
  moderationComment?: Maybe<string>
}
const checkEvent = checkShape<Event>(Event)

/** Event types with a single meaning. Any other type keeps its name and is recorded without effect. */
const meanings = new Map<string, KycEventType>([
  ['applicantCreated', 'verification.created'],
  ['applicantPending', 'verification.started'],
  ['applicantOnHold', 'verification.review'],
  ['applicantReset', 'verification.resubmission_requested'],
  ['applicantDeactivated', 'verification.aborted'],
])

function toEnvelope(event: Event): Envelope {
  const { type, applicantId, externalUserId, reviewResult } = event
  return readEnvelope({
    id: eventIdOf(event),
    type: type === 'applicantReviewed' ? verdictOf(reviewResult) : (meanings.get(type) ?? type),
    created_at: timeOf(event),
    application_id: applicantId ? applicationIdOf(applicantId) : null,
    client_id: externalUserId || null,
    sequence: null,
    data: dataOf(reviewResult),
  } satisfies Envelope)
}

/** An unknown result decides nothing and goes to manual review. */
function verdictOf(review: Maybe<Review>): KycEventType {
  if (review?.reviewAnswer === 'GREEN') return 'verification.approved'
  if (review?.reviewAnswer === 'RED' && review.reviewRejectType === 'FINAL') return 'verification.declined'
  if (review?.reviewAnswer === 'RED' && review.reviewRejectType === 'RETRY') return 'verification.resubmission_requested'
  return 'verification.review'
}

/**
 * Computed from everything that repeated deliveries have in common. The correlation id is not enough, because one request may cause several
 * events.
 */
function eventIdOf({ type, correlationId, applicantId, createdAtMs, createdAt, reviewResult }: Event): string {
  const parts = [correlationId, type, createdAtMs ?? createdAt, applicantId, reviewResult?.reviewAnswer, reviewResult?.reviewRejectType]
  // As JSON, so that different lists never yield the same text.
  return `sumsub-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}

/** `2026-11-15 09:30:00.123`, in UTC. The older field has no milliseconds and ends with `+0000`. */
function timeOf({ createdAtMs, createdAt }: Event): string {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(?:Z|\+00:?00)?$/.exec(createdAtMs ?? createdAt ?? '') ?? []
  if (date === undefined) refuseField('createdAtMs', 'must be a time such as 2026-11-15 09:30:00.123')
  return `${date}T${time}Z`
}

function dataOf(review: Maybe<Review>): NonNullable<Envelope['data']> {
  // clientComment is for the venture, moderationComment for the person.
  const note = plain(review?.clientComment) || plain(review?.moderationComment)
  const labels = (review?.rejectLabels ?? []).slice(0, 100).map(plain)
  return {
    ...(note === '' ? {} : { note }),
    ...(labels.length === 0 ? {} : { reason_codes: labels }),
  }
}

/** One line of at most 255 characters, without characters that our API does not allow. */
function plain(text: Maybe<string>): string {
  const line = (text ?? '').replace(/[\s\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(line).slice(0, 255).join('').trim()
}
