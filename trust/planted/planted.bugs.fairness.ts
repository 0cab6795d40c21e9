// Bugs that let one venture, or a stranger on a payment page, hurt others.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const turns = 'platform/turns.test.ts'
const jobs = 'platform/jobs.test.ts'
const broad = 'transfers/orders/transfers.broad.test.ts'
const pages = 'payments/checkout/payments.pages.test.ts'

export const fairnessBugs: readonly Bug[] = [
  {
    name: 'lists-first-come',
    about: 'a venture with many waiting lists is served until it has none left',
    file: 'platform/turns.ts',
    find: '      this.#waiting.delete(next)\n      const [first, ...others] = places',
    replace: '      if (places.length === 1) this.#waiting.delete(next)\n      const [first, ...others] = places',
    caughtBy: [{ file: turns, name: 'ventures are served round robin, and the callers of one in their order' }],
  },
  {
    name: 'lists-of-one-take-all-connections',
    about: 'the slow lists of one venture use every connection for lists',
    file: 'platform/turns.ts',
    find: 'return this.#free > 0 && (this.#running.get(venture_id) ?? 0) < this.#options.mostOfOne',
    replace: 'return this.#free > 0',
    caughtBy: [{ file: turns, name: 'one venture leaves a place to others, even if nobody else is waiting' }],
  },
  {
    name: 'lists-wait-without-bound',
    about: 'any number of lists of one venture may wait',
    file: 'platform/turns.ts',
    find: 'if (places.length >= this.#options.mostWaiting)',
    replace: 'if (places.length >= Number.POSITIVE_INFINITY)',
    caughtBy: [{ file: turns, name: 'a venture with too many waiting callers is refused, and no other' }],
  },
  {
    name: 'lists-on-the-connections-of-others',
    about: 'lists have no time limit of their own, because they use the connections of all other requests',
    file: 'platform/database/database.ts',
    find: 'this.#query(query, performance.now(), this.#listConnections)',
    replace: 'this.#query(query, performance.now(), this.connections)',
    caughtBy: [
      { file: 'platform/database/database.test.ts', name: 'lists run on connections of their own, and their statements have less time' },
    ],
  },
  {
    name: 'pieces-skip-nothing',
    about: 'a list that is read in pieces forgets after the first one how many results it must skip',
    file: 'platform/http/pieces.ts',
    find: 'skip: Math.max(0, wanted.skip - piece.found)',
    replace: 'skip: 0',
    caughtBy: [
      { file: 'transfers/orders/transfers.list.test.ts', name: 'a list that is read in pieces has the same results as any other' },
    ],
  },
  {
    name: 'broad-list-without-end',
    about: 'a list that is too broad goes on forever',
    file: 'platform/http/pieces.ts',
    find: 'listing.isAlwaysCompleted !== true && performance.now() > end_ms',
    replace: 'listing.isAlwaysCompleted !== true && end_ms < 0',
    caughtBy: [{ file: broad, name: 'a list that would take too long is refused, with a remedy' }],
  },
  {
    name: 'account-list-too-broad',
    about: "an account's own list is refused as too broad",
    file: 'transfers/orders/transfers.list.ts',
    find: 'isAlwaysCompleted: true',
    replace: 'isAlwaysCompleted: false',
    caughtBy: [{ file: broad, name: "an account's own list is completed, however long it takes" }],
  },
  {
    name: 'jobs-first-come',
    about: 'a thousand jobs of one venture are done before the first of another',
    file: 'platform/jobs.ts',
    find: 'where turn <= ${mostOfOne} order by turn, due_at limit ${free}',
    replace: 'where ${mostOfOne}::int is not null order by due_at limit ${free}',
    caughtBy: [{ file: jobs, name: '1,490 jobs of one venture do not delay those of another' }],
  },
  {
    name: 'jobs-of-one-take-all-places',
    about: 'hanging jobs of one venture leave no place for others',
    file: 'platform/jobs.ts',
    find: 'where turn <= ${mostOfOne} order by turn',
    replace: 'where ${mostOfOne}::int is not null order by turn',
    caughtBy: [{ file: jobs, name: 'hanging jobs of one venture leave a place to the jobs of others' }],
  },
  {
    name: 'pay-page-without-limit',
    about: 'one address may send the pages of a link any number of requests',
    file: 'payments/checkout/payments.pages.routes.ts',
    find: 'return wait_s === undefined ? undefined :',
    replace: 'return wait_s !== -1 ? undefined :',
    caughtBy: [{ file: pages, name: 'one address that sends a link too many requests gets a page that says so, in its language' }],
  },
  {
    name: 'forwarded-address-believed',
    about: 'anybody may invent the address that the limit counts',
    file: 'platform/address.ts',
    find: 'forwarded.length > 0 && isTrusted(address, trusted)',
    replace: 'forwarded.length > 0',
    caughtBy: [
      {
        file: 'platform/address.test.ts',
        name: 'without a trusted proxy, the address is that of the connection, whatever the headers say',
      },
    ],
  },
  {
    name: 'unpaid-start-uses-up-a-link',
    about: 'whoever starts a payment without paying closes the link for others',
    file: 'payments/links/payments.links.start.ts',
    find: 'const closed = await closedBy(link, (most) => countPaid(tx, link, most))',
    replace: 'const closed = await closedBy(link, (most) => countUses(tx, link, most))',
    caughtBy: [{ file: pages, name: 'somebody who starts a payment and does not pay keeps nobody else from paying' }],
  },
  {
    name: 'unpaid-start-closes-the-page',
    about: 'the page of a link says that it is used up while somebody has started to pay',
    file: 'payments/links/payments.links.start.ts',
    find: "venture.status === 'ACTIVE' ? await closedBy(link, (most) => countPaid(database, link, most))",
    replace: "venture.status === 'ACTIVE' ? await closedBy(link, (most) => countUses(database, link, most))",
    caughtBy: [{ file: pages, name: 'a payment takes a use while it is paid or pending, and gives it back otherwise' }],
  },
  {
    name: 'link-paid-too-often',
    about: 'a payer for whom a link has no place left starts another payment all the same',
    file: 'payments/links/payments.links.start.ts',
    find: 'if (isFull) return shareUse(tx, link, payer)',
    replace: 'if (isFull && link.max_uses === 0) return shareUse(tx, link, payer)',
    caughtBy: [{ file: pages, name: 'of many payers at once, only as many start a payment as the link has uses' }],
  },
  {
    name: 'paid-payment-shared',
    about: 'a payer continues a payment that somebody else has just paid, and takes it over',
    file: 'payments/links/payments.links.start.ts',
    find: "if (payment?.status !== 'PENDING') return",
    replace: 'if (payment === undefined) return',
    caughtBy: [{ file: pages, name: 'a payment that is paid at the moment when another payer comes stays what it is' }],
  },
]
