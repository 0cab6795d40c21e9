// What a caller may say about the client and about a single call.

/** Who calls: an API key, on a server; or a person with a session, in the browser. */
export type Caller = 'key' | 'session'

/** What somebody of the bank may get in place of the result: an approval that a second person has to give. Keys never get one. */
export type Waiting<By extends Caller, Approval> = By extends 'session' ? Approval : never

export type CallOptions = {
  /** Ends the call, also while it waits for the next attempt. */
  signal?: AbortSignal | undefined
  /** For how long one attempt may take, in milliseconds. */
  timeout_ms?: number | undefined
  /** How often a call is repeated that got no answer or was refused for a moment. */
  maxRetries?: number | undefined
  /** For operations that create something. By default each call gets a key of its own, under which it is repeated. */
  idempotencyKey?: string | undefined
  /** The venture for which the admin key or a person acts. */
  venture?: string | undefined
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined
}

type Usual = Pick<CallOptions, 'timeout_ms' | 'maxRetries' | 'venture' | 'headers'> & {
  /** Replaces the `fetch` of the platform. */
  fetch?: typeof fetch | undefined
}

export type ClientOptions<By extends Caller> = Usual &
  (By extends 'key'
    ? {
        /** An API key. Never use one in a browser: whoever opens the page could read it. */
        key: string
        /** Where the service is, such as `https://bank.example`. */
        baseUrl: string
      }
    : {
        key?: undefined
        /** Where the service is. In a browser, the origin of the page, unless given. */
        baseUrl?: string | undefined
      })
