// Bugs in events from verifiers and to receivers: signatures, order, addresses, deliveries.
import type { Bug } from './planted.bug.ts'

const kyc = 'kyc/kyc.test.ts'
const webhooks = 'webhooks/webhooks.test.ts'
const signatures = 'platform/standard-webhooks.test.ts'
const outgoing = 'platform/outgoing/outgoing.test.ts'
const events = 'events/events.test.ts'

export const kycAndWebhookBugs: readonly Bug[] = [
  {
    name: 'signature-prefix-accepted',
    about: 'the beginning of a signature is as good as the whole',
    file: 'platform/standard-webhooks.ts',
    find: 'return left.length === right.length && timingSafeEqual(left, right)',
    replace: 'return left.length <= right.length && timingSafeEqual(left, right.subarray(0, left.length))',
    caughtBy: [{ file: signatures, name: 'a changed byte, another id, another time, a truncated or wrong signature are not accepted' }],
  },
  {
    name: 'signature-prefix-accepted-from-sumsub',
    about: 'the beginning of a digest is as good as the whole',
    file: 'kyc/sumsub/kyc.sumsub.ts',
    find: `  if (hash === undefined || digest.length !== hash.digits || !/^[0-9a-f]+$/i.test(digest)) return false
  const given = Buffer.from(digest, 'hex')
  // Every secret is tried, so that the time taken does not tell which one fits.
  let fits = false
  for (const secret of secrets) {
    if (timingSafeEqual(given, createHmac(hash.name, secret).update(bytes).digest())) fits = true`,
    replace: `  if (hash === undefined || !/^[0-9a-f]+$/i.test(digest)) return false
  const given = Buffer.from(digest, 'hex')
  let fits = false
  for (const secret of secrets) {
    const whole = createHmac(hash.name, secret).update(bytes).digest()
    if (given.length <= whole.length && timingSafeEqual(given, whole.subarray(0, given.length))) fits = true`,
    caughtBy: [
      { file: 'kyc/sumsub/kyc.sumsub.test.ts', name: 'a digest that is missing, wrong, truncated, longer or not of digits is refused' },
    ],
  },
  {
    name: 'stale-signature-accepted',
    about: 'a signed event that somebody kept can be sent again years later',
    file: 'platform/standard-webhooks.ts',
    find: ' || Math.abs(now / 1000 - time) > window_s',
    replace: '',
    caughtBy: [
      { file: signatures, name: 'times more than five minutes away, or not written as seconds, are not accepted' },
      { file: kyc, name: 'what is not signed as it should be is refused before it is read, and nothing is recorded' },
    ],
  },
  {
    name: 'kyc-event-applied-twice',
    about: 'an event that was recorded before is applied again',
    file: 'kyc/kyc.ts',
    find: '    if (inserted === 0) return (await findKycEvent(tx, received_by, id)) as KycEvent\n',
    replace: '    if (inserted < 0) return (await findKycEvent(tx, received_by, id)) as KycEvent\n',
    caughtBy: [
      { file: kyc, name: 'an event is recorded once, with its bytes, and a duplicate is answered alike' },
      { file: kyc, name: 'a watchlist hit that is told again does not blacklist a client who was cleared since' },
    ],
  },
  {
    name: 'kyc-events-out-of-order',
    about: 'events count in the order of their arrival',
    file: 'kyc/kyc.status.ts',
    find: 'return events.toSorted(',
    replace: 'return [...events] ?? events.toSorted(',
    caughtBy: [{ file: 'kyc/kyc.status.test.ts', name: 'any permutation of the same events comes to the same conclusion' }],
  },
  {
    name: 'unverified-client-gets-an-account',
    about: 'an account is activated while its client is still being verified',
    file: 'accounts/accounts.ts',
    find: "kyc_status === 'VALIDATED') return",
    replace: "kyc_status !== 'DECLINED') return",
    caughtBy: [{ file: 'accounts/accounts.test.ts', name: 'activation and reactivation require compliance' }],
  },
  {
    name: 'late-commit-missed',
    about: 'who follows events is shown one before an earlier one has committed, and then never sees that one',
    file: 'events/events.list.ts',
    find: ' and xid < pg_snapshot_xmin(pg_current_snapshot())',
    replace: '',
    caughtBy: [{ file: events, name: 'a follower misses no event that commits late, and gets no later event before it' }],
  },
  {
    name: 'late-commit-missed-by-couriers',
    about: 'a courier passes an event that has not committed yet, and it is never delivered',
    file: 'webhooks/webhooks.pending.ts',
    find: '\n        and event.xid < pg_snapshot_xmin(pg_current_snapshot())',
    replace: '',
    caughtBy: [{ file: events, name: 'a webhook misses no event that commits late' }],
  },
  {
    name: 'private-address-called',
    about: 'a name that resolves to an address of our own network is called',
    file: 'platform/outgoing/outgoing.ts',
    find: 'if (this.#allowPrivate || addresses.every(isPublic)) return addresses',
    replace: 'if (addresses.length > 0) return addresses',
    caughtBy: [
      { file: outgoing, name: 'a name is not connected to if any of its addresses is not public' },
      { file: outgoing, name: 'a name that turns private after it was checked is not connected to' },
    ],
  },
  {
    name: 'private-address-mixed-in',
    about: 'one public address of a name is enough for all of them to be called',
    file: 'platform/outgoing/outgoing.ts',
    find: 'if (this.#allowPrivate || addresses.every(isPublic)) return addresses',
    replace: 'if (this.#allowPrivate || addresses.some(isPublic)) return addresses',
    caughtBy: [{ file: outgoing, name: 'a name is not connected to if any of its addresses is not public' }],
  },
  {
    name: 'webhook-marked-before-it-is-sent',
    about: 'the place of an endpoint is moved before its events are sent, so that a crash in between loses them',
    file: 'webhooks/webhooks.courier.ts',
    find: '  const results = await sendChains(',
    replace: `  await database.transaction(async (tx) => writeProgress(tx, lease, { ...newEvents.end, run: 'unchanged', waking: progress.waking }))
  const results = await sendChains(`,
    caughtBy: [{ file: webhooks, name: 'a round that has lost its lease records nothing' }],
  },
  {
    name: 'webhook-counts-any-answer',
    about: 'a receiver that answers with an error counts as one that has the event',
    file: 'webhooks/webhooks.courier.ts',
    find: 'const delivered = status >= 200 && status < 300',
    replace: 'const delivered = status >= 200',
    caughtBy: [
      {
        file: webhooks,
        name: 'after ten attempts a delivery has failed, and it can be redelivered alone or with all failed ones since a time',
      },
    ],
  },
  {
    name: 'webhook-overtakes',
    about: 'a later event of a resource is sent although the one before it failed',
    file: 'webhooks/webhooks.courier.ts',
    find: 'broken = attempt === undefined || attempt.failure !== null',
    replace: 'broken = attempt === undefined',
    caughtBy: [{ file: webhooks, name: 'events of a resource arrive in order, and a failed one delays only its own resource' }],
  },
  {
    name: 'webhook-signed-with-the-old-secret',
    about: 'the secret that was rotated away signs for ever',
    file: 'webhooks/webhooks.courier.ts',
    find: 'previous_secret !== null && at.toISOString() < String(previous_secret_until) ?',
    replace: 'previous_secret !== null && previous_secret_until !== null ?',
    caughtBy: [{ file: webhooks, name: 'after a rotation, deliveries have both signatures for a day and then only the new one' }],
  },
]
