// The address of a request. Only a proxy that the operator trusts may name another address than its own.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The value of TRUSTED_PROXIES: addresses and networks, such as `10.0.0.7, 192.168.0.0/16, fd00::/8`. */
export function parseNetworks(text: string): string[] {
  const networks = text.split(',').map((item) => item.trim())
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong !== undefined)
    throw new Error(`must list IP addresses or networks, such as 10.0.0.7 or 192.168.0.0/16, separated by commas, not "${wrong}"`)
  return networks
}

/** Refuses a network whose address has bits set beyond its prefix, because that is a typing error. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return false
  const network = bits === 32 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return network.toString() === ipaddr.parse(address).toString()
}

/**
 * The peer of the connection. If the peer is a trusted proxy, the last address in X-Forwarded-For that is not a trusted proxy: each proxy
 * appends the address of its own peer, and the sender may have invented everything before that.
 */
export function addressOf({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>, trusted: readonly string[]): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  let address = socket.remoteAddress ?? ''
  while (forwarded.length > 0 && isTrusted(address, trusted)) {
    const next = forwarded.pop()?.trim() ?? ''
    if (isIP(next) === 0) break
    address = next
  }
  return isIP(address) === 0 ? address : networkOf(ipaddr.process(address))
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const peer = ipaddr.process(address)
  return trusted.some((network) => {
    const [from = '', prefix] = network.split('/')
    const start = ipaddr.parse(from)
    return start.kind() === peer.kind() && peer.match(start, prefix === undefined ? start.toByteArray().length * 8 : Number(prefix))
  })
}

/** An IPv4 address, or the /64 network of an IPv6 address, because the owner of one such address has the whole network. */
function networkOf(address: Address): string {
  return address instanceof ipaddr.IPv4
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
}
