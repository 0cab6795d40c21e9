// A receiver of webhooks for tests, which records deliveries and responds as the test says.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an event.
export type Arrival = { path: string; headers: IncomingHttpHeaders; body: string; event: any }

export type Receiver = {
  url: string
  arrivals: Arrival[]
  status: number
  /** Called for each delivery; the response waits for the returned promise. */
  onArrival: (arrival: Arrival) => unknown
  headers: Record<string, string>
  answer: string
  /** Stops listening, like a receiver that is down. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const arrival = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) }
    receiver.arrivals.push(arrival)
    await receiver.onArrival(arrival)
    response.writeHead(receiver.status, receiver.headers).end(receiver.answer)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const goDown = async () => {
    const down = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await down
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  after(goDown)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    goDown,
    comeBack: () => listen(port),
    arrivals: [],
    status: 200,
    headers: {},
    answer: 'thank you',
    onArrival: () => {},
  }
  return receiver
}
