// Who may call an operation: the words with which a route declares it, beside its schema. `users/` checks it, and docs/access.md shows all of it.

/** What a key of a venture may be used for. Each scope but `read` names an area, in which the key may change and read everything. `sign` is the right to sign transfers. `read` reads all areas. */
export const scopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'] as const
export type Scope = (typeof scopes)[number]

export function hasAllScopes(given: readonly string[]): boolean {
  return scopes.every((scope) => given.includes(scope))
}

export const bankRoles = ['admin', 'operator', 'auditor'] as const
export type BankRole = (typeof bankRoles)[number]

/** What a key of the bank may be used for: each does one thing. */
export const bankKeyScopes = ['payees', 'lists', 'metrics'] as const
export type BankKeyScope = (typeof bankKeyScopes)[number]

/** From the one with the most rights to the one with the least. */
export const ventureRoles = ['admin', 'operator', 'viewer'] as const
export type VentureRole = (typeof ventureRoles)[number]

/** Everybody at the bank needs a passkey, and in any venture those with one of these roles: they may call what `empowers`. A guard compares the two. */
export const rolesWithPasskey: readonly VentureRole[] = ['admin', 'operator']

/** Whether a role in a venture gives more rights than another. */
export function isAbove(role: VentureRole, other: VentureRole): boolean {
  return ventureRoles.indexOf(role) < ventureRoles.indexOf(other)
}

/**
 * Who may enter a route. venture: a venture's key, or a person who acts for a venture. operator: people of the bank, and the admin key.
 * session: anybody who is signed in. The verifier's relay has a key of its own; `verifier` accepts it and ventures' keys, because ventures may
 * send events about their own clients; `relay` accepts it alone. monitor: like operator, and the key that opens nothing else.
 */
export type Door = 'venture' | 'operator' | 'monitor' | 'session' | 'verifier' | 'relay' | 'none'

// What one person of the bank may do alone, what needs two, and what nobody there may do. This decides nothing: it is printed in docs/reserved.md, and
// tests compare it with the service. It is about MANAGED ventures and about the bank itself, with four eyes on. An operation of an OPEN venture is as if
// its venture sent it.

/**
 * alone: one person may do it. together: it needs two. partly: it depends on what is asked for. never: nobody at the bank does it, or not in this way.
 * sandbox: it exists in the sandbox only.
 */
export const authorities = ['together', 'partly', 'never', 'alone', 'sandbox'] as const
export type Authority = (typeof authorities)[number]

/** With the reason, as a sentence. */
export type Reasoned = readonly [authority: Authority, why: string]

export const together = (why: string): Reasoned => ['together', why]
export const partly = (why: string): Reasoned => ['partly', why]
export const alone = (why: string): Reasoned => ['alone', why]
export const never = (why: string): Reasoned => ['never', why]
export const sandboxOnly = (why: string): Reasoned => ['sandbox', why]

type Callers = {
  /** What a venture's key needs: any one of these scopes, all scopes, or just to be valid. Without it, no key may call the operation. */
  scopes?: readonly Scope[] | 'all' | 'any'
  /** Roles of people of the venture. */
  venture?: readonly VentureRole[]
  /** The scope with which a key of the bank may call it. */
  bankKey?: BankKeyScope
  /** A person must have proved who they are within the last minutes, with a passkey if they have one. */
  isSensitive?: boolean
  /** Makes keys, people, endpoints or payments: people whose role in a venture allows that need a passkey. */
  empowers?: boolean
  /** Needs no passkey of anybody: it leads to one, says who is signed in, or ends the session. */
  enrols?: boolean
  /** Open to everybody, but only from the console. */
  fromConsole?: boolean
}

type Closed = Callers & { door: Exclude<Door, 'none'> }

/** Roles of people of the bank. The admin key counts as an admin. */
type AtBank = { bank: readonly BankRole[] }

/** Open to everybody, or to everybody from the console. */
export type Open = Callers & { door: 'none'; reads: boolean; bank?: undefined; authority?: undefined }

/** It changes nothing. */
export type Reading = Closed & Partial<AtBank> & { reads: true; authority?: undefined }

/** It changes something. Where people of the bank may call it, it says what one of them may do alone. */
export type Changing = Closed & { reads: false } & ((AtBank & { authority: Reasoned }) | { bank?: undefined; authority?: undefined })

export type Access = Open | Reading | Changing

type Area = Exclude<Scope, 'sign' | 'read'>
type ChangingAtBank = Closed & AtBank & { reads: false; authority: Reasoned }

/** What a key of the venture may change. */
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

/** Secrets of a venture: keys, and what signs its webhooks. */
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

/** About the person who is signed in. */
export const readsOwn: Reading = { door: 'session', reads: true }
export const themselves: Changing = { door: 'session', reads: false }

/** The relay of the identity verifier, and nobody else. */
export const relayOnly = { door: 'relay', reads: false } as const satisfies Changing

export const sensitive = <Row extends Access>(access: Row): Row => ({ ...access, isSensitive: true })
export const empowering = <Row extends Access>(access: Row): Row => ({ ...access, empowers: true })
export const enrolling = <Row extends Access>(access: Row): Row => ({ ...access, enrols: true })

/** Whether a key with these scopes may call the operation. People of the venture and of the bank have none, and may read everything. */
export function maySee({ scopes: needed = [] }: Access, given: readonly Scope[] | undefined): boolean {
  return given === undefined || (typeof needed !== 'string' && needed.some((scope) => given.includes(scope)))
}
