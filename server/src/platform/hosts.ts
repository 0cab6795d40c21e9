// The hosts in a database URL. Several hosts, separated by commas, are the servers of one replicated PostgreSQL, of which only the primary
// is used. Neither the driver nor `URL` can parse such a list, so it is split into one URL for each host.

const shape = 'must look like postgres://user:password@host/database; separate several hosts with commas: …@host1:5432,host2:5432/database'

/** A name, an IPv4 address, or an IPv6 address in brackets, and a port if it is not 5432. */
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(:[1-9]\d{0,4})?$/i

/**
 * One URL for each host, in the given order. Throws an Error that completes the sentence "The setting NAME …" and repeats no part of the
 * text, which contains a password.
 */
export function hostUrls(url: string): string[] {
  // The login ends at the last @ before the database, because a password may contain commas.
  const [, login = '', list = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  const hosts = list.split(',')
  const urls = hosts.map((host) => `${login}${host}${rest}`)
  if (hosts.length > 1) requireDistinctHosts(hosts)
  if (!urls.every((each) => URL.canParse(each)) || login === '') throw new Error(shape)
  requireParameters(new URL(urls[0] ?? '').searchParams, hosts.length)
  return urls
}

function requireDistinctHosts(hosts: readonly string[]): void {
  const named = hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:5432`).toLowerCase())
  hosts.forEach((host, index) => {
    if (!hostAndPort.test(host))
      throw new Error(`must have the form host or host:port for each of its hosts, but host ${index + 1} of ${hosts.length} does not`)
    const first = named.indexOf(named[index] ?? '')
    if (first !== index) throw new Error(`must name each host once, but host ${index + 1} repeats host ${first + 1}`)
  })
}

function requireParameters(parameters: URLSearchParams, hosts: number): void {
  const isElsewhere = hosts > 1 && (parameters.has('host') || parameters.has('port'))
  if (isElsewhere || parameters.get('host')?.includes(',')) {
    throw new Error('must name several hosts before the database, as in …@host1:5432,host2:5432/database, and not as parameters')
  }
  const wanted = parameters.get('target_session_attrs') ?? 'primary'
  if (wanted !== 'primary' && wanted !== 'read-write')
    throw new Error('must not ask for another target_session_attrs than primary or read-write, because only the primary is used')
}

/** The URLs of all hosts, beginning with the last known primary. */
export class Hosts {
  #urls: readonly string[]

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  get count(): number {
    return this.#urls.length
  }

  get urls(): readonly string[] {
    return this.#urls
  }

  /** Remembers that the primary was found here. */
  prefer(url: string): void {
    if (this.#urls[0] !== url) this.#urls = [url, ...this.#urls.filter((other) => other !== url)]
  }
}
