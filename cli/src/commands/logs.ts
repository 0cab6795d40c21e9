import { randomUUID } from 'node:crypto'
import type { ListRequestsQuery, LoggedRequest, Pages } from '@vostro/sdk'
import { reasonOf } from '../failures.ts'
import { cell } from '../output.ts'
import { countOf, type Filters, filterOptions, filtersOf } from '../resources.ts'
import type { Call, Command } from '../table.ts'
import { patiently, pause } from '../waiting.ts'

const filters: Filters<ListRequestsQuery> = {
  status: 'Only requests with this HTTP status, such as 404, or class, such as 4xx.',
  code: 'Only requests refused with this code.',
  method: 'Only requests with this HTTP method.',
  route: 'Only requests for this path, such as /api/v1/transfers/{transfer_id}.',
  request_id: 'Only requests with this X-Request-Id.',
  key_prefix: 'Only requests with the key that has this 12-character prefix.',
  date_from: 'Only requests from this day or time on.',
  date_to: 'Only requests until this day or time.',
}

/** Identifies this command's requests. */
const prefix = 'vostro-logs-'

/** The polling interval. */
const every_ms = 1_000
/** The number of remembered rows, so that none is shown twice. */
const mostSeen = 10_000
/** How far back to look for the newest requests among those of commands like this one. */
const mostRead = 10_000

export const logCommands: readonly Command[] = [
  {
    words: ['logs', 'tail'],
    summary: 'Show the newest API requests. With --follow, wait for more.',
    options: {
      ...filterOptions(filters),
      limit: { describe: 'How many to start with (default 20).', value: 'NUMBER' },
      follow: { describe: 'Continue until Ctrl-C.' },
      'all-ventures': { describe: 'Requests of all ventures and of the bank. Needs the admin key.' },
    },
    run: tail,
  },
]

type Lister = (query: ListRequestsQuery) => Pages<LoggedRequest>

const isOther = ({ request_id }: LoggedRequest): boolean => !request_id.startsWith(prefix)

async function tail(call: Call): Promise<void> {
  const { out } = call
  const limit = countOf(call.text('limit') ?? '20', '--limit')
  // Requests for the log are in the log themselves; they are left out.
  const list = listerOf(call, `${prefix}${randomUUID()}`)
  const query = filtersOf(call, filters) as ListRequestsQuery
  const shown = (await newestOthers(list, query, limit)).reverse()
  for (const request of shown) out.item(request, lineOf(request))
  if (!call.flag('follow')) {
    if (shown.length === 0) out.note(`No matching requests.${hintFor(call)}`)
    return
  }
  const stopped = call.stopped()
  const seen = new Set(shown.map(({ id }) => id))
  let isAway = false
  const onLost = (error: Error) => {
    isAway = true
    out.note(`The service does not answer, trying again: ${reasonOf(error)}`)
  }
  // Rows older than the newest one at the start are not new.
  const [last] = (await patiently(() => list({ limit: 1 }).page(), { signal: stopped, onLost }))?.items ?? []
  const since = shown.at(-1)?.id ?? last?.id ?? ''
  while (!stopped.aborted) {
    const isKnown = ({ id }: LoggedRequest) => seen.has(id) || id <= since
    const found = await patiently(() => newest(list, query, isKnown), { signal: stopped, onLost })
    if (isAway && found !== undefined) out.note('Connected again.')
    isAway = false
    for (const request of found ?? []) {
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

/** A venture's log contains only requests by its own keys and people. */
function hintFor(call: Call): string {
  if (call.settings.venture === undefined || call.flag('all-ventures')) return ''
  return ' Requests of the bank for a venture are in the log of the bank: --all-ventures.'
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

/** Newest first. Commands like this one may have filled several pages of the log. */
async function newestOthers(list: Lister, query: ListRequestsQuery, limit: number): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = []
  let read = 0
  for await (const items of list({ ...query, limit: 100 }).pages()) {
    found.push(...items.filter(isOther))
    read += items.length
    if (found.length >= limit || read >= Math.max(limit, mostRead)) break
  }
  return found.slice(0, limit)
}

/** New rows, oldest first. Some rows arrive late, so the whole newest page is read. */
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
