// Bugs in requests with many orders.
import type { Bug } from './planted.bug.ts'

const tests = 'transfers/orders/transfers.bulk.test.ts'
const json = 'platform/http/json.test.ts'
const bulk = 'transfers/orders/transfers.bulk.ts'
const batches = 'transfers/writing/transfers.schedule.bulk.ts'
const parser = 'platform/http/json.ts'
const inPlace = 'each order gets its result in its place: the transfer, or the problem that a single create would get'
const together = 'with atomic true, one refused order refuses all, and says which and why'
const asWhole = 'a body that is parsed in pieces is what it is as a whole'
const badContent = 'a request with bad content is refused as a whole, with a clear error'
const sameKey = 'an Idempotency-Key covers the whole request: a repetition gets the same bytes, and another body is refused'

export const bulkBugs: readonly Bug[] = [
  {
    name: 'bulk-half-carried-out',
    about: 'an atomic request carries out the orders that were not refused',
    file: bulk,
    find: 'if (atomic && results.some((result) => result instanceof Refusal)) refuseAll(results, request)',
    replace: 'if (atomic && results.every((result) => result instanceof Refusal)) refuseAll(results, request)',
    caughtBy: [{ file: tests, name: together }],
  },
  {
    name: 'bulk-atomic-only-if-asked',
    about: 'orders stand alone unless the request says that they go together',
    file: 'transfers/orders/transfers.orders.schemas.ts',
    find: '    default: true,\n    description:\n',
    replace: '    default: false,\n    description:\n',
    caughtBy: [{ file: tests, name: 'with atomic left out, one refused order refuses all, and says which and why' }],
  },
  {
    name: 'bulk-results-shifted',
    about: 'an order with wrong fields shifts the results of the orders behind it',
    file: bulk,
    find: 'order instanceof Refusal ? order : (next.next().value as Transfer | Refusal)',
    replace: '(next.next().value as Transfer | Refusal | undefined) ?? (order as Refusal)',
    caughtBy: [{ file: tests, name: inPlace }],
  },
  {
    name: 'bulk-characters-unchecked',
    about: 'orders in a bulk may have marks that change the direction of text',
    file: bulk,
    find: '    checkCharacters(order)\n',
    replace: '    if (typeof order !== "object") checkCharacters(order)\n',
    caughtBy: [{ file: tests, name: inPlace }],
  },
  {
    name: 'bulk-second-reference-wins',
    about: 'of two orders with the same reference the second gets it',
    file: 'transfers/writing/transfers.lock.ts',
    find: 'order by unique_reference, transfer_id\n',
    replace: 'order by unique_reference, transfer_id desc\n',
    caughtBy: [
      {
        file: tests,
        name: 'of two orders with the same reference the second is refused, and a refused order leaves its reference to the next',
      },
    ],
  },
  {
    name: 'bulk-audited-as-one',
    about: 'the transfers of a request of a person are not audited one by one',
    file: 'audit/audit.log.ts',
    find: '  ofEach: true,\n',
    replace: '  ofEach: false,\n',
    caughtBy: [
      {
        file: tests,
        name: 'people of the venture send many orders if their role allows it, and each transfer is audited like a single one',
      },
    ],
  },
  {
    name: 'bulk-alone-with-four-eyes',
    about: 'somebody of the bank orders in a bulk what needs two people',
    file: 'transfers/orders/transfers.bulk.routes.ts',
    find: "actor.kind === 'operator' && !approvals.fourEyes",
    replace: "actor.kind === 'operator'",
    caughtBy: [
      { file: tests, name: 'with four eyes, people of the bank order one payment at a time, and without them as many as they like' },
    ],
  },
  {
    name: 'bulk-tells-nobody',
    about: 'the processing is not told of managed transfers that were created in a bulk',
    file: batches,
    find: 'if (managed.length > 0) onManaged(managed)',
    replace: 'if (managed.length < 0) onManaged(managed)',
    caughtBy: [{ file: tests, name: 'whoever watches managed transfers is told of those in a request with many orders' }],
  },
  {
    name: 'bulk-refused-for-its-neighbours',
    about: 'if one of several bulks is refused, so are those that share its transaction',
    file: 'transfers/writing/transfers.schedule.bulk.ts',
    find: 'throw outcomes.length === 1 ? first.outcome : new SomeAlone(',
    replace: 'throw outcomes.length > 0 ? first.outcome : new SomeAlone(',
    caughtBy: [{ file: tests, name: 'of requests that wait, one that is refused is not carried out, and the others are' }],
  },
  {
    name: 'bulk-results-of-others',
    about: 'bulks that share a transaction get the results of the first of them',
    file: 'transfers/writing/transfers.schedule.bulk.ts',
    find: 'return conclude([...next.take(commands.length)])',
    replace: 'return conclude((results as Result[]).slice(0, commands.length))',
    caughtBy: [{ file: tests, name: 'requests that wait share a transaction, and each gets the results of its own orders' }],
  },
  {
    name: 'bulks-take-all-connections',
    about: 'bulks of any number of ventures have connections while they wait for locks',
    file: 'transfers/writing/transfers.schedule.bulk.ts',
    find: 'places: 2, mostOfOne: 1',
    replace: 'places: 20, mostOfOne: 1',
    caughtBy: [
      { file: tests, name: 'no more than two ventures have transactions of many orders at a time, so that others have connections' },
    ],
  },
  {
    name: 'bulk-refused-before-the-others',
    about: 'commands that are to be carried out alone come before the others of their batch',
    file: 'platform/batches.ts',
    find: 'return [batch.filter((each, place) => !isAlone(each, place)), ...batch.filter(isAlone).map((each) => [each])]',
    replace: 'return [...batch.filter(isAlone).map((each) => [each]), batch.filter((each, place) => !isAlone(each, place))]',
    caughtBy: [
      { file: 'platform/batches.test.ts', name: 'commands that have to be carried out alone are, after the others of their batch' },
    ],
  },
  {
    name: 'bulks-without-end',
    about: 'bulks share a transaction, however many orders they have',
    file: 'transfers/writing/transfers.schedule.bulk.ts',
    find: 'weigh: ({ orders }) => orders',
    replace: 'weigh: ({ orders }) => Math.min(1, orders)',
    caughtBy: [{ file: tests, name: 'requests share a transaction up to as many orders as one of them may have' }],
  },
  {
    name: 'bulk-counts-as-one',
    about: 'the rate limit counts a thousand orders as one request',
    file: 'transfers/orders/transfers.bulk.routes.ts',
    find: 'countMore(request, orders - 1)',
    replace: 'countMore(request, orders - orders)',
    caughtBy: [{ file: tests, name: 'a request counts towards the rate limit as many times as it has orders' }],
  },
  {
    name: 'bulk-keeps-its-turn',
    about: 'a refused bulk does not end its turn',
    file: bulk,
    find: '  } finally {\n    bulks.leave(request.venture_id)\n',
    replace: '    bulks.leave(request.venture_id)\n  } finally {\n',
    caughtBy: [{ file: tests, name: 'requests with many orders take turns, and whoever cannot get one is told to try again' }],
  },
  {
    name: 'bulk-any-body-for-a-key',
    about: 'another bulk with the same key gets the answer of the first',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: 'hashOfBytes(request.body)',
    replace: "''",
    caughtBy: [{ file: tests, name: sameKey }],
  },
  {
    name: 'bulk-too-many-orders',
    about: 'a bulk may have as many orders as fit into its body',
    file: parser,
    find: '  if (found.items > limits.most) limits.tooMany()\n  const { cuts }',
    replace: '  const { cuts }',
    caughtBy: [{ file: json, name: 'too many pieces, and one that is too large, are refused by whoever set the limits' }],
  },
  {
    name: 'bulk-order-of-any-size',
    about: 'an order in a bulk may be larger than a single one',
    file: parser,
    find: 'if (Buffer.byteLength(piece) > limits.largest_bytes)',
    replace: 'if (piece.length > limits.largest_bytes)',
    caughtBy: [{ file: json, name: 'too many pieces, and one that is too large, are refused by whoever set the limits' }],
  },
  {
    name: 'bulk-pieces-confused',
    about: 'a list that was sent is taken for the number of a piece',
    file: parser,
    find: 'const cutDepth = 2\n',
    replace: 'const cutDepth = 3\n',
    caughtBy: [{ file: json, name: asWhole }],
  },
  {
    name: 'bulk-parsed-at-once',
    about: 'nobody else has a turn while a large body is parsed',
    file: 'platform/pace.ts',
    find: '    await nextTurn()\n',
    replace: '',
    caughtBy: [{ file: json, name: 'others have their turn while a large body is parsed' }],
  },
  {
    name: 'bulk-body-of-any-size',
    about: 'a bulk may be larger than 2 MiB',
    file: bulk,
    find: 'bulkLimit_bytes = 2 * 2 ** 20',
    replace: 'bulkLimit_bytes = 3 * 2 ** 20',
    caughtBy: [{ file: tests, name: badContent }],
  },
  {
    name: 'bulk-kept-answer-unverified',
    about: 'verify does not notice that a kept answer names a transfer that does not exist',
    file: 'verify/verify.invariants.ts',
    find: "where kept.operation = 'createTransfers' and result #>> '{transfer,id}' is not null and made.id is null",
    replace: "where kept.operation = 'createTransfers' and result #>> '{transfer,id}' is null and made.id is not null",
    caughtBy: [{ file: 'verify/verify.test.ts', name: 'broken and found: idempotency keys have their effect' }],
  },
]
