// A stand-in for a partner in tests: an HTTP server on loopback that responds as the test says.
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { after } from 'node:test'

/** Returns its URL. The server stops after the tests of the file. */
export async function openStandIn(listener: RequestListener): Promise<string> {
  // Idle connections stay open: on a busy machine, closing one at the moment of the next request would fail that request.
  const server = createServer({ keepAliveTimeout: 0 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A URL at which nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** Sends spaces until the client closes the connection. */
export function answerEndlessly(response: ServerResponse): void {
  const endless = new Readable({ read: () => void endless.push(' '.repeat(16_384)) })
  pipeline(endless, response, () => {})
}
