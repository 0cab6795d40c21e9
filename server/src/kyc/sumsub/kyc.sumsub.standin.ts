// A stand-in for Sumsub in tests, based on its public documentation: it checks signatures and fields as Sumsub does, stores applicants,
// issues links, sends signed events, and misbehaves on demand.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAlpha3 } from '../../values/country.ts'

/** What can happen to a request. A `lost` request is carried out, but its response never arrives. */
export type Mishap = 'down' | 'slow' | 'failing' | 'garbage' | 'redirected' | 'lost' | 'verbose'
export type Algorithm = 'HMAC_SHA1_HEX' | 'HMAC_SHA256_HEX' | 'HMAC_SHA512_HEX'
type Operation = 'create' | 'find' | 'link'
type Person = {
  externalUserId: string
  email?: string
  phone?: string
  fixedInfo: Record<string, unknown> & { addresses?: { country?: string }[] }
}
export type StandinApplicant = Person & { id: string; inspectionId: string; levelName: string }
type Link = { url: string; levelName: string; ttlInSecs: number }

type Settings = { appToken: string; secretKey: string; webhookSecret: string; levels: readonly string[] }

const window_s = 60
const hashes: Record<Algorithm, string> = { HMAC_SHA1_HEX: 'sha1', HMAC_SHA256_HEX: 'sha256', HMAC_SHA512_HEX: 'sha512' }

export class SumsubStandin {
  readonly applicants = new Map<string, StandinApplicant>()
  readonly links: Link[] = []
  readonly operations: string[] = []
  readonly #settings: Settings
  // Idle connections stay open: on a busy machine, closing one at the moment of the next request would fail that request.
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => void this.#serve(request, response))
  readonly #mishaps = new Map<Operation, Mishap>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on, this happens to every request, or to those of the given operations. */
  misbehave(mishap: Mishap, operations: readonly Operation[] = ['create', 'find', 'link']): void {
    for (const operation of operations) this.#mishaps.set(operation, mishap)
  }

  behave(): void {
    this.#mishaps.clear()
  }

  /** An event as Sumsub sends it: its bytes and the headers with their signature. */
  event(type: string, fields: object = {}, { algorithm = 'HMAC_SHA256_HEX' as Algorithm, secret = this.#settings.webhookSecret } = {}) {
    const createdAtMs = new Date().toISOString().replace('T', ' ').replace('Z', '')
    const event = { type, correlationId: randomUUID(), sandboxMode: true, reviewStatus: 'init', createdAtMs, clientId: 'vostro', ...fields }
    return signedEvent(JSON.stringify(event, null, 2), algorithm, secret)
  }

  /** Sends an event about an applicant and returns the status of the response. */
  async send(url: string, type: string, applicant: StandinApplicant, fields: object = {}): Promise<number> {
    const { id, inspectionId, externalUserId, levelName } = applicant
    const { headers, bytes } = this.event(type, {
      applicantId: id,
      inspectionId,
      externalUserId,
      levelName,
      applicantType: 'individual',
      ...fields,
    })
    const response = await fetch(url, { method: 'POST', headers, body: bytes })
    await response.arrayBuffer()
    return response.status
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = Buffer.concat(await request.toArray())
    const operation = operationOf(request)
    this.operations.push(operation ?? `${request.method} ${request.url}`)
    const mishap = operation && this.#mishaps.get(operation)
    if (mishap === 'slow') return undefined
    if (mishap === 'down') return request.socket.destroy()
    if (mishap === 'failing') return fail(response, 500, 'Something went wrong')
    if (mishap === 'garbage') return response.end('<html>It works!</html>')
    if (mishap === 'verbose') return response.end(JSON.stringify({ padding: ' '.repeat(2_000_000) }))
    if (mishap === 'redirected') return response.writeHead(302, { location: `${this.url}/elsewhere` }).end()
    if (mishap === 'lost') response.end = () => request.socket.destroy() as never
    const fault = this.#signatureFault(request, body)
    if (fault) return fail(response, 401, fault)
    if (operation === 'create') return this.#create(request, response, body)
    if (operation === 'find') return this.#find(request, response)
    if (operation === 'link') return this.#link(response, body)
    return fail(response, 404, 'There is nothing here')
  }

  #signatureFault({ headers, method = '', url = '' }: IncomingMessage, body: Buffer): string | undefined {
    const { appToken, secretKey } = this.#settings
    const time = String(headers['x-app-access-ts'])
    if (headers['x-app-token'] !== appToken) return 'The token is not known'
    if (!/^\d{10}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > window_s) return 'The signature is too old'
    const expected = createHmac('sha256', secretKey)
      .update(time + method + url)
      .update(body)
      .digest('hex')
    return headers['x-app-access-sig'] === expected ? undefined : 'The signature does not fit'
  }

  #create(request: IncomingMessage, response: ServerResponse, body: Buffer): ServerResponse {
    const levelName = new URL(request.url ?? '', this.url).searchParams.get('levelName') ?? ''
    const person = JSON.parse(body.toString()) as Person
    const { externalUserId, fixedInfo } = person
    if (!this.#settings.levels.includes(levelName)) return fail(response, 404, `There is no level ${levelName}`)
    if (this.applicants.has(externalUserId)) return fail(response, 409, `There is an applicant of ${externalUserId} already`)
    const countries = [fixedInfo['country'], fixedInfo['nationality'], fixedInfo['countryOfBirth'], fixedInfo.addresses?.[0]?.country]
    const wellFormed =
      countries.every((country) => parseAlpha3(String(country)) === country) && /^\d{4}-\d\d-\d\d$/.test(String(fixedInfo['dob']))
    if (!wellFormed) return fail(response, 400, 'The information is not well formed')
    const applicant = { ...person, id: randomBytes(12).toString('hex'), inspectionId: randomBytes(12).toString('hex'), levelName }
    this.applicants.set(externalUserId, applicant)
    return answer(response, 201, applicant)
  }

  #find(request: IncomingMessage, response: ServerResponse): ServerResponse {
    const [, externalUserId = ''] = /;externalUserId=([^/]+)\/one$/.exec(request.url ?? '') ?? []
    const applicant = this.applicants.get(decodeURIComponent(externalUserId))
    if (applicant === undefined) return fail(response, 404, 'There is no such applicant')
    return answer(response, 200, applicant)
  }

  #link(response: ServerResponse, body: Buffer): ServerResponse {
    const { levelName, userId, ttlInSecs } = JSON.parse(body.toString()) as { levelName: string; userId: string; ttlInSecs: number }
    if (!this.#settings.levels.includes(levelName)) return fail(response, 404, `There is no level ${levelName}`)
    // Sumsub would create another applicant here, which we must never cause.
    if (!this.applicants.has(userId)) return fail(response, 400, 'There is no such applicant')
    const link = { url: `${this.url}/websdk/p/${randomBytes(8).toString('hex')}`, levelName, ttlInSecs }
    this.links.push(link)
    return answer(response, 200, { url: link.url })
  }
}

export function signedEvent(text: string, algorithm: Algorithm, secret: string) {
  const bytes = Buffer.from(text)
  const digest = createHmac(hashes[algorithm], secret).update(bytes).digest('hex')
  return { bytes, headers: { 'content-type': 'application/json', 'x-payload-digest': digest, 'x-payload-digest-alg': algorithm as string } }
}

function operationOf({ method, url = '' }: IncomingMessage): Operation | undefined {
  if (method === 'POST' && url.startsWith('/resources/applicants?')) return 'create'
  if (method === 'GET' && url.startsWith('/resources/applicants/-;externalUserId=')) return 'find'
  if (method === 'POST' && url === '/resources/sdkIntegrations/levels/-/websdkLink') return 'link'
  return undefined
}

function answer(response: ServerResponse, status: number, body: object): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail(response: ServerResponse, status: number, description: string): ServerResponse {
  return answer(response, status, { description, code: status, correlationId: randomBytes(16).toString('hex'), errorCode: status * 10 })
}
