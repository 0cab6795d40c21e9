// Which addresses strangers may make us call. A URL is checked when it is stored, and the addresses of its host name are checked again on
// every connection, because the owner of the name may change them.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

const maxLength = 2_048

/** The URL, or what is wrong with it as the end of a sentence, as far as that can be told without a DNS lookup. */
export function readTarget(text: string, { allowPrivate }: { allowPrivate: boolean }): URL | string {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`
  // This also normalises every notation of an IPv4 address (decimal, octal, hexadecimal, short, full-width).
  const url = URL.parse(text)
  if (url === null) return 'is not a URL'
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return allowPrivate ? 'does not begin with https:// or http://' : 'does not begin with https://'
  if (url.username !== '' || url.password !== '') return 'contains a user name or a password'
  if (url.href.includes('#')) return 'contains a fragment'
  if (url.port === '0') return 'names the port 0'
  if (allowPrivate) return url
  const host = hostOf(url)
  if (isIP(host) === 0) return isPrivateName(host) ? 'names a host that is not public' : url
  return isPublic(host) ? url : 'names an address that is not public'
}

/** The host name, without the brackets around an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Names that are by convention local to a machine or network, whatever a resolver says about them. */
function isPrivateName(name: string): boolean {
  const bare = name.replace(/\.+$/, '')
  return !bare.includes('.') || /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/.test(bare)
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Looks public, but inside Azure it is the platform's own host, which serves secrets of the machine. */
const azureHost = '168.63.129.16'

/** True for an address that is reachable from anywhere on the internet; false for text that is not an address. */
export function isPublic(address: string): boolean {
  // The library also accepts short and octal notations, which the operating system may read differently.
  if (isIP(address) === 0) return false
  const ip = ipaddr.parse(address)
  if (ip instanceof ipaddr.IPv4) return ip.range() === 'unicast' && address !== azureHost
  // In an IPv6-only network, every IPv4 host resolves to such an address.
  if (ip.match(nat64)) return isPublic(ip.toByteArray().slice(12).join('.'))
  // The library calls every unknown range unicast, but only this block is allocated.
  return ip.range() === 'unicast' && ip.match(globalUnicast)
}

/** A sender that may call private addresses also needs the names of its own network. */
export function resolverFor({ allowPrivate }: { allowPrivate: boolean }): Resolve {
  return allowPrivate ? resolveBySystem : resolveByDns()
}

/** Includes the hosts file and the search domains, like any program on this machine. */
async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/**
 * Uses DNS only. The system's resolver would occupy one of the process's four threads for the whole lookup, and the name servers of
 * strangers may be slow.
 */
export function resolveByDns(resolver = new Resolver({ timeout: 2_000, tries: 2 })): Resolve {
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason
    return addresses
  }
}
