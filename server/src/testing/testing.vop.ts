// Both sides of the verification of payees with other banks, in tests: a client of the listener, and a routing service over TLS.
import { rmSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createServer, type RequestOptions, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'
import { type Certificate, filesIn, makeCertificate } from './testing.certificates.ts'
import { makeDataFolder } from './testing.folders.ts'
import type { Loose } from './testing.ts'

/** A folder for certificates, which is removed after the tests of the file. */
export function certificateFolder(): string {
  const folder = makeDataFolder('vop')
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Settings with which a bank listens on a free port, for these clients. */
export function listeningFor(folder: string, server: Certificate, clients: readonly Certificate[]): Pick<Config, 'vopListen'> {
  const trust = clients.map(({ cert }) => cert).join('\n')
  const files = filesIn(folder, { 'server.crt': server.cert, 'server.key': server.key, 'trust.crt': trust })
  const { 'server.crt': certificateFile, 'server.key': keyFile, 'trust.crt': trustFile } = files
  return { vopListen: { host: '127.0.0.1', port: 0, certificateFile, keyFile, trustFile } }
}

export type VopReply = { status: number; headers: IncomingHttpHeaders; text: string; body: Loose }

type Sent = { path?: string; method?: string; headers?: Record<string, string>; body?: string | object; tls?: RequestOptions }

/** Sends a request to a listener as another bank would, and returns the whole reply. */
export function sendTo(url: string, { path = '/vop/v1/payee-verifications', method = 'POST', headers = {}, body, tls = {} }: Sent) {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  // A body of any method, also of those that Node.js sends without its length.
  const sized = { ...headers, 'content-length': String(Buffer.byteLength(text)) }
  return new Promise<VopReply>((resolve, reject) => {
    const sent = request(new URL(path, url), { method, agent: false, headers: sized, ...tls }, async (response) => {
      try {
        const text = await textOf(response)
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined })
      } catch (error) {
        reject(error)
      }
    })
    sent.once('error', reject)
    sent.end(text)
  })
}

async function textOf(message: IncomingMessage): Promise<string> {
  return Buffer.concat(await message.toArray()).toString()
}

export type Question = { headers: IncomingHttpHeaders; body: Loose; path: string | undefined; client: PeerCertificate }

/** `never`: says nothing until the connection is closed. */
type Said = { status?: number; headers?: Record<string, string>; body: string | object } | 'never'

/** A routing service that requires this client, and says what the test wants. `asked`: what it was asked. */
export async function openRouting(server: Certificate, client: Certificate, say: (question: Question) => Said) {
  const asked: Question[] = []
  const service = createServer({ ...server, ca: client.cert, requestCert: true, rejectUnauthorized: true }, async (incoming, response) => {
    const text = await textOf(incoming)
    const certificate = (incoming.socket as TLSSocket).getPeerCertificate()
    const question = { headers: incoming.headers, body: JSON.parse(text), path: incoming.url, client: certificate }
    asked.push(question)
    const said = say(question)
    if (said === 'never') return
    const id = { 'x-request-id': String(incoming.headers['x-request-id']) }
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...id, ...said.headers })
    response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  after(() => {
    service.closeAllConnections()
    service.close()
  })
  return { url: `https://127.0.0.1:${(service.address() as AddressInfo).port}`, asked }
}

/** Settings with which a bank asks the routing service at this address. */
export function askingOver(folder: string, url: string, client: Certificate, authority: Certificate): Pick<Config, 'vopVia'> {
  const files = filesIn(folder, { 'client.crt': client.cert, 'client.key': client.key, 'authority.crt': authority.cert })
  const { 'client.crt': certificateFile, 'client.key': keyFile, 'authority.crt': authorityFile } = files
  return { vopVia: { url, certificateFile, keyFile, authorityFile } }
}

/** The certificates of both sides, and some that are not good enough. */
export function makeCertificates() {
  const [server, client, stranger] = [makeCertificate('bank.test'), makeCertificate('routing.test'), makeCertificate('stranger.test')]
  const expired = makeCertificate('expired.test', { from_h: -48, until_h: -1 })
  return { server, client, stranger, expired }
}
