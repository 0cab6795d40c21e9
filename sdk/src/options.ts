// Options of the client and of single calls.

/** The caller: an API key on a server, or a person with a session in a browser. */
export type Caller = 'key' | 'session'

/** What a bank user may get instead of the result: an approval that waits for a second person. Keys never get one. */
export type Waiting<By extends Caller, Approval> = By extends 'session' ? Approval : never

export type CallOptions = {
  /** Aborts the call, even between attempts. */
  signal?: AbortSignal | undefined
  /** The time limit of an attempt, in milliseconds. */
  timeout_ms?: number | undefined
  /** How often a call without a response, or with a temporary refusal, is retried. */
  maxRetries?: number | undefined
  /** For operations that create something. By default each call has its own key, which its retries reuse. */
  idempotencyKey?: string | undefined
  /** The venture that the admin key or a person acts for. */
  venture?: string | undefined
  /** Additional headers. */
  headers?: Readonly<Record<string, string>> | undefined
}

type Usual = Pick<CallOptions, 'timeout_ms' | 'maxRetries' | 'venture' | 'headers'> & {
  /** Replaces the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
}

export type ClientOptions<By extends Caller> = Usual &
  (By extends 'key'
    ? {
        /** An API key. Never use one in a browser, where every visitor could read it. */
        key: string
        /** The service's address, such as `https://bank.example`. */
        baseUrl: string
      }
    : {
        key?: undefined
        /** The service's address. In a browser, defaults to the origin of the page. */
        baseUrl?: string | undefined
      })
