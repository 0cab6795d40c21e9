// All profiles, and what follows from them alone.
import { inst } from './schemes.inst.ts'
import type { Profile } from './schemes.profile.ts'
import { sct } from './schemes.sct.ts'
import { sdd } from './schemes.sdd.ts'

const all = { sct, inst, sdd } as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof all

/** A rail: the name of a participation. */
export type Rail = (typeof all)[ProfileName]['method']

export const profiles: Readonly<Record<ProfileName, Profile>> = all
export const profileNames = Object.keys(all) as readonly ProfileName[]

const names = new Map(profileNames.map((name) => [all[name].method as string, name]))

export const rails = profileNames.map((name) => all[name].method) as readonly Rail[]

/** The rail of a method; undefined for a method whose payments leave the bank by other ways, or not at all. */
export function railOf(method: string): Rail | undefined {
  return rails.find((rail) => rail === method)
}

export function profileNameOf(rail: Rail): ProfileName {
  return names.get(rail) as ProfileName
}

export function profileOf(rail: Rail): Profile {
  return profiles[profileNameOf(rail)]
}

const railsThat = (has: (profile: Profile) => boolean): readonly Rail[] => rails.filter((rail) => has(profileOf(rail)))

/** Rails whose payments leave in packs, at the cut-offs if there are any. */
export const packedRails = railsThat(({ packed }) => packed)
/** Rails whose payments leave at once. */
export const instantRails = railsThat(({ instant }) => instant)
/** Rails for paying. */
export const payingRails = railsThat(({ messages }) => messages.pay !== undefined)
/** Rails for collecting money. */
export const collectingRails = railsThat(({ messages }) => messages.collect !== undefined)

export const isInstant = (rail: Rail): boolean => profileOf(rail).instant

/** The first rail of a list, which is never empty. */
function firstOf(found: readonly Rail[], what: string): Rail {
  const [first] = found
  if (first === undefined) throw new Error(`no scheme ${what}`)
  return first
}

/** The rail of an incoming payment, from the local instrument of its message. One that names no other scheme came over the first that pays. */
export function railOfPayment(local_instrument: string | undefined): Rail {
  const named = payingRails.find((rail) => profileOf(rail).payment_type.local_instrument === (local_instrument ?? ''))
  return named ?? plainRail
}

/** The rail of a payment whose message names no scheme. */
export const plainRail = firstOf(
  payingRails.filter((rail) => !isInstant(rail)),
  'pays',
)

/** The rail of an incoming direct debit. */
export const debitRail = firstOf(collectingRails, 'collects')

/** The rail of instant payments. */
export const instantRail = firstOf(instantRails, 'is instant')
