// Who may call an operation: the vocabulary with which a route declares it, beside its schema. `users/` enforces it, and docs/sign-in.md lists it.

/**
 * Scopes of a venture's API keys. `read` allows reading all areas and `sign` allows signing transfers. Each other scope names an area that the key may
 * read and change.
 */
export const scopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'] as const
export type Scope = (typeof scopes)[number]

export function hasAllScopes(given: readonly string[]): boolean {
  return scopes.every((scope) => given.includes(scope))
}

export const bankRoles = ['admin', 'operator', 'auditor'] as const
export type BankRole = (typeof bankRoles)[number]

/** Scopes of the bank's API keys. Each key does one thing. */
export const bankKeyScopes = ['payees', 'lists', 'metrics'] as const
export type BankKeyScope = (typeof bankKeyScopes)[number]

/** From most to fewest rights. */
export const ventureRoles = ['admin', 'operator', 'viewer'] as const
export type VentureRole = (typeof ventureRoles)[number]

/** Venture roles that need a passkey, because they may call operations marked `empowers`; a guard compares the two. Everyone at the bank needs one. */
export const rolesWithPasskey: readonly VentureRole[] = ['admin', 'operator']

/** Whether a role in a venture gives more rights than another. */
export function isAbove(role: VentureRole, other: VentureRole): boolean {
  return ventureRoles.indexOf(role) < ventureRoles.indexOf(other)
}

/**
 * Who may enter a route. venture: a venture's key, or a person who acts for a venture. operator: people of the bank, and the admin key.
 * session: anyone who is signed in. verifier: the key of the verifier's relay, and ventures' keys, because ventures may send events about their own
 * clients. relay: only the key of the relay. monitor: like operator, and also the metrics key, which is valid for nothing else.
 */
export type Door = 'venture' | 'operator' | 'monitor' | 'session' | 'verifier' | 'relay' | 'none'

// Which operations one person of the bank may carry out alone, which need two people, and which nobody at the bank may carry out. This enforces nothing:
// docs/reserved.md prints it, and tests compare it with the service. It covers MANAGED ventures and the bank itself, with four-eyes approval on. For an OPEN
// venture, people of the bank may do what the venture may do.

/**
 * alone: one person is enough. together: two people are needed. partly: it depends on the request. never: nobody at the bank may do it, or not in this
 * way. sandbox: the operation exists only in the sandbox.
 */
export const authorities = ['together', 'partly', 'never', 'alone', 'sandbox'] as const
export type Authority = (typeof authorities)[number]

/** An authority with its reason, as a sentence. */
export type Reasoned = readonly [authority: Authority, why: string]

export const together = (why: string): Reasoned => ['together', why]
export const partly = (why: string): Reasoned => ['partly', why]
export const alone = (why: string): Reasoned => ['alone', why]
export const never = (why: string): Reasoned => ['never', why]
export const sandboxOnly = (why: string): Reasoned => ['sandbox', why]

type Callers = {
  /** Scopes that a venture's key needs: one of the list, or all; with `any`, every valid key may call the operation. If absent, no key may. */
  scopes?: readonly Scope[] | 'all' | 'any'
  /** Roles of people of the venture. */
  venture?: readonly VentureRole[]
  /** The scope with which a key of the bank may call it. */
  bankKey?: BankKeyScope
  /** A person must have reauthenticated within the last minutes, with a passkey if they have one. */
  isSensitive?: boolean
  /** Creates keys, people, endpoints or payments: the venture roles that may call it need a passkey. */
  empowers?: boolean
  /** Works without a passkey: it registers one, shows who is signed in, or ends the session. */
  enrols?: boolean
  /** Open to everyone, but only from the console. */
  fromConsole?: boolean
}

type Closed = Callers & { door: Exclude<Door, 'none'> }

/** Roles of people of the bank. The admin key counts as an admin. */
type AtBank = { bank: readonly BankRole[] }

/** Open to everyone, or to everyone who uses the console. */
export type Open = Callers & { door: 'none'; reads: boolean; bank?: undefined; authority?: undefined }

/** Changes nothing. */
export type Reading = Closed & Partial<AtBank> & { reads: true; authority?: undefined }

/** Changes something. If people of the bank may call it, it declares their authority. */
export type Changing = Closed & { reads: false } & ((AtBank & { authority: Reasoned }) | { bank?: undefined; authority?: undefined })

export type Access = Open | Reading | Changing

type Area = Exclude<Scope, 'sign' | 'read'>
type ChangingAtBank = Closed & AtBank & { reads: false; authority: Reasoned }

/** A change that a venture's key may make. */
type ByKey = ChangingAtBank & { scopes: NonNullable<Callers['scopes']> }

export const reads = (area: Area): Reading & AtBank => ({
  door: 'venture',
  reads: true,
  scopes: area === 'transfers' ? [area, 'sign', 'read'] : [area, 'read'],
  venture: ventureRoles,
  bank: bankRoles,
})

export const changes = (area: Area, authority: Reasoned): ByKey => ({
  door: 'venture',
  reads: false,
  scopes: [area],
  venture: ['admin', 'operator'],
  bank: ['admin', 'operator'],
  authority,
})

export const onlyAdmins = (access: ByKey): ByKey => ({ ...access, venture: ['admin'], bank: ['admin'] })

/** For a venture's secrets: API keys and webhook secrets. */
export const secretsOf = (access: ByKey): ByKey => sensitive(onlyAdmins(access))

export const readsAtBank: Reading & AtBank = { door: 'operator', reads: true, bank: bankRoles }

export const changesAtBank = (authority: Reasoned): ChangingAtBank => ({
  door: 'operator',
  reads: false,
  bank: ['admin', 'operator'],
  authority,
})

export const adminAtBank = (authority: Reasoned): ChangingAtBank => ({ ...changesAtBank(authority), bank: ['admin'] })

export const readsOfVenture: Reading & AtBank = { door: 'venture', reads: true, venture: ventureRoles, bank: bankRoles }

export const adminOfVenture = (authority: Reasoned): ChangingAtBank => ({
  door: 'venture',
  reads: false,
  venture: ['admin'],
  bank: ['admin'],
  authority,
})

export const keysOfVenture = (authority: Reasoned): ByKey => secretsOf({ ...adminOfVenture(authority), scopes: 'all' })

export const anybody: Open = { door: 'none', reads: false }
export const fromConsole: Open = { door: 'none', reads: false, fromConsole: true }

/** For operations on the signed-in person's own data. */
export const readsOwn: Reading = { door: 'session', reads: true }
export const themselves: Changing = { door: 'session', reads: false }

/** Only for the relay of the identity verifier. */
export const relayOnly = { door: 'relay', reads: false } as const satisfies Changing

export const sensitive = <Row extends Access>(access: Row): Row => ({ ...access, isSensitive: true })
export const empowering = <Row extends Access>(access: Row): Row => ({ ...access, empowers: true })
export const enrolling = <Row extends Access>(access: Row): Row => ({ ...access, enrols: true })

/** Whether a caller with these scopes may call the operation. People have no scopes and may read everything. */
export function maySee({ scopes: needed = [] }: Access, given: readonly Scope[] | undefined): boolean {
  return given === undefined || (typeof needed !== 'string' && needed.some((scope) => given.includes(scope)))
}
