// The request log.
import { randomUUID } from 'node:crypto'
import type { ListRequestsQuery, LoggedRequest, Pages } from '@vostro/sdk'
import { Refused } from '../failures.ts'
import { cell } from '../output.ts'
import { countOf, type Filters, filterOptions, filtersOf } from '../resources.ts'
import type { Call, Command } from '../table.ts'
import { pause, until } from '../waiting.ts'

const filters: Filters<ListRequestsQuery> = {
  status: 'Only requests with this HTTP status, such as 404, or of a class, such as 4xx.',
  code: 'Only requests that were refused with this code.',
  method: 'Only requests with this HTTP method.',
  route: 'Only requests for this path of the contract, such as /api/v1/transfers/{transfer_id}.',
  request_id: 'Only requests with this X-Request-Id.',
  key_prefix: 'Only requests with the key that begins with these 12 characters.',
  date_from: 'Only requests from this day or time on.',
  date_to: 'Only requests until this day or time.',
}

/** By it the requests of this command are known. */
const prefix = 'vostro-logs-'

/** Between two looks at the log. */
const every_ms = 1_000
/** How many rows are remembered, so that none is shown twice. */
const mostSeen = 10_000
/** So long a request takes at most until it is in the log. */
const delay_ms = 5_000

export const logCommands: readonly Command[] = [
  {
    words: ['logs', 'tail'],
    summary: 'Show the newest requests to the API, and with --follow those to come.',
    options: {
      ...filterOptions(filters),
      limit: { describe: 'How many to begin with, 20 unless given.', value: 'NUMBER' },
      follow: { describe: 'Go on until Ctrl-C.' },
      'all-ventures': { describe: 'Of all ventures, and of the bank. Needs the admin key.' },
    },
    run: tail,
  },
]

type Lister = (query: ListRequestsQuery) => Pages<LoggedRequest>

async function tail(call: Call): Promise<void> {
  const { out } = call
  const limit = Math.min(100, countOf(call.text('limit') ?? '20', '--limit'))
  // Looking at the log is itself in the log, and nobody wants to see it there.
  const own = `${prefix}${randomUUID()}`
  const list = listerOf(call, own)
  const query = filtersOf(call, filters) as ListRequestsQuery
  const isOther = ({ request_id }: LoggedRequest) => !request_id.startsWith(prefix)
  const shown = (await list({ ...query, limit }).page()).items.filter(isOther).reverse()
  if (shown.length === 0 && !(await isOn(list, own)))
    throw new Refused('The request log is off: start the service with REQUEST_LOG=on to keep the requests of the last seven days.')
  for (const request of shown) out.item(request, lineOf(request))
  if (!call.flag('follow')) {
    if (shown.length === 0) out.note('No request of the log fits.')
    return
  }
  const stopped = call.stopped()
  const seen = new Set(shown.map(({ id }) => id))
  // What is older than the newest one when this began is not news.
  const since = (await list({ limit: 1 }).page()).items[0]?.id ?? ''
  while (!stopped.aborted) {
    for (const request of await newest(list, query, (one) => seen.has(one.id) || one.id <= (shown.at(-1)?.id ?? since))) {
      seen.add(request.id)
      if (isOther(request)) out.item(request, lineOf(request))
    }
    for (const id of seen) {
      if (seen.size <= mostSeen) break
      seen.delete(id)
    }
    await pause(every_ms, stopped)
  }
}

function listerOf(call: Call, own: string): Lister {
  const options = { headers: { 'x-request-id': own } }
  if (!call.flag('all-ventures')) {
    const vostro = call.vostro()
    return (query) => vostro.requests.list(query, options)
  }
  const bank = call.bank()
  return (query) => bank.operator.requests.listOfAllVentures(query, options)
}

/** An empty list says nothing; but our own request must appear. */
async function isOn(list: Lister, own: string): Promise<boolean> {
  const start_ms = performance.now()
  const found = await until(async () => (await list({ request_id: own, limit: 1 }).page()).items.length > 0, {
    willDo: (is) => is || performance.now() - start_ms > delay_ms,
    every_ms: 200,
  })
  return found
}

/** Those that are new, oldest first. Some rows arrive a little late, so the newest page is read as a whole. */
async function newest(list: Lister, query: ListRequestsQuery, isKnown: (request: LoggedRequest) => boolean): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = []
  for await (const items of list({ ...query, limit: 100 }).pages()) {
    const news = items.filter((item) => !isKnown(item))
    found.push(...news)
    if (news.length < items.length || items.length === 0) break
  }
  return found.reverse()
}

function lineOf({ at, method, route, status, code, duration_ms, key_prefix, request_id }: LoggedRequest): string {
  const parts = [
    at,
    status,
    method.padEnd(6),
    route ?? '(no operation)',
    code ?? '',
    `${duration_ms.toFixed(1)} ms`,
    key_prefix ?? '',
    request_id,
  ]
  return parts
    .filter((part) => part !== '')
    .map(cell)
    .join('  ')
}
