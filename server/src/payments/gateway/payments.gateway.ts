// The port to the card gateway, and the adapter to the family that BPC and RBS built (SATIM's among them): form POSTs, JSON back.
import { parseJson } from '../../platform/http/json.ts'
import { numericOf } from '../../values/currency.ts'
import { Refusal } from '../../values/refusals.ts'
import {
  type Ours,
  type Outcome,
  type Registration,
  readOutcome,
  readRegistration,
  readStatus,
  type StatusReading,
  type Unknown,
} from './payments.gateway.answers.ts'

export type NewOrder = {
  /** Ours, unique at the gateway. */
  order_number: string
  amount_minor: bigint | string
  currency: string
  return_url: string
  fail_url: string
  description: string
  language: string
  session_timeout_s: number
}

export type RefundOrder = {
  order_id: string
  amount_minor: bigint | string
  /** At most 32 letters, digits, `-` and `_`, and not digits alone. What the gateway lists under it was done. */
  external_refund_id: string
}

/** Nothing here throws because of the gateway: whatever goes wrong on the way is `unknown`. */
export type CardGateway = {
  register(order: NewOrder): Promise<Registration>
  getStatus(order: Ours & { order_id: string }): Promise<StatusReading>
  refund(refund: RefundOrder): Promise<Outcome>
  /** Undoes a payment of which nothing was refunded. */
  reverse(order_id: string): Promise<Outcome>
  /** Closes an order that is not paid. */
  decline(order_id: string): Promise<Outcome>
}

type Options = {
  /** Asked late, because the sandbox listens only after everything is assembled. */
  url(): string
  user: string
  password: string
  /** Hears of every question to which there was no clear answer, or a refusal. */
  onTrouble?: (operation: string, reason: string) => void
  /** For each request, until the last byte of its answer. */
  timeout_ms?: number
}

export function bpcGateway(options: Options): CardGateway {
  return telling(options.onTrouble ?? (() => {}), adapterOf(options))
}

/** Whoever runs the service should hear that the gateway is away or does not take our password, not only those who wait for it. */
function telling(onTrouble: (operation: string, reason: string) => void, gateway: CardGateway): CardGateway {
  const told = <Answer extends Registration | StatusReading | Outcome>(operation: string, answer: Answer): Answer => {
    const heard: Registration | StatusReading | Outcome = answer
    if (heard.kind === 'unknown') onTrouble(operation, heard.reason)
    if (heard.kind === 'rejected') onTrouble(operation, `the gateway refused with error ${heard.error_code}`)
    return answer
  }
  return {
    register: async (order) => told('register', await gateway.register(order)),
    getStatus: async (order) => told('getOrderStatusExtended', await gateway.getStatus(order)),
    refund: async (refund) => told('refund', await gateway.refund(refund)),
    reverse: async (order_id) => told('reverse', await gateway.reverse(order_id)),
    decline: async (order_id) => told('decline', await gateway.decline(order_id)),
  }
}

function adapterOf(options: Options): CardGateway {
  const ask = formPosts(options)
  return {
    register: async (order) =>
      understood(
        await ask('register', {
          orderNumber: order.order_number,
          amount: String(order.amount_minor),
          currency: numericOf(order.currency),
          returnUrl: order.return_url,
          failUrl: order.fail_url,
          description: order.description,
          language: order.language.toLowerCase(),
          sessionTimeoutSecs: String(order.session_timeout_s),
        }),
        readRegistration,
      ),
    getStatus: async ({ order_id, ...ours }) =>
      understood(await ask('getOrderStatusExtended', { orderId: order_id }), (answer) => readStatus(answer, ours)),
    refund: async ({ order_id, amount_minor, external_refund_id }) => {
      if (!/^(?!\d+$)[\w-]{1,32}$/.test(external_refund_id)) throw new RangeError('the external_refund_id does not have the required form')
      return understood(
        await ask('refund', { orderId: order_id, amount: String(amount_minor), externalRefundId: external_refund_id }),
        readOutcome,
      )
    },
    reverse: async (order_id) => understood(await ask('reverse', { orderId: order_id }), readOutcome),
    decline: async (order_id) => understood(await ask('decline', { orderId: order_id }), readOutcome),
  }
}

type Heard = { kind: 'heard'; answer: unknown } | Unknown

function understood<Reading>(heard: Heard, read: (answer: unknown) => Reading): Reading | Unknown {
  return heard.kind === 'heard' ? read(heard.answer) : heard
}

const answerLimit_bytes = 65_536

/** Reasons never repeat what was sent or answered: there are passwords in the one and there may be card numbers in the other. */
function formPosts({ url, user, password, timeout_ms = 5_000 }: Options) {
  return async (name: string, fields: Record<string, string>): Promise<Heard> => {
    const signal = AbortSignal.timeout(timeout_ms)
    try {
      const response = await fetch(`${url()}/payment/rest/${name}.do`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ userName: user, password, ...fields }),
        signal,
        // A redirect would carry our password elsewhere.
        redirect: 'manual',
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        return { kind: 'unknown', reason: `the gateway answered with status ${response.status}` }
      }
      const bytes = await readBounded(response)
      if (bytes === undefined) return { kind: 'unknown', reason: `the answer is longer than ${answerLimit_bytes} bytes` }
      // What it says about its type is not looked at: gateways of this family call their JSON many things.
      return { kind: 'heard', answer: parseJson(bytes) }
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'unknown', reason: 'the answer is not JSON' }
      return { kind: 'unknown', reason: signal.aborted ? `no answer within ${timeout_ms} ms` : `no answer${codeOf(error)}` }
    }
  }
}

async function readBounded(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > answerLimit_bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The code that the network gave, such as ECONNREFUSED. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return typeof cause?.code === 'string' ? ` (${cause.code})` : ''
}
