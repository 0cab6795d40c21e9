// Bugs in events from verifiers and to receivers: signatures, order, addresses, deliveries.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const kyc = 'kyc/kyc.test.ts'
const webhooks = 'webhooks/webhooks.test.ts'
const signatures = 'platform/standard-webhooks.test.ts'
const outgoing = 'platform/outgoing/outgoing.test.ts'
const events = 'events/events.test.ts'

export const kycAndWebhookBugs: readonly Bug[] = [
  {
    name: 'signature-prefix-accepted',
    about: 'a prefix of a signature is accepted',
    file: 'platform/standard-webhooks.ts',
    find: 'return left.length === right.length && timingSafeEqual(left, right)',
    replace: 'return left.length <= right.length && timingSafeEqual(left, right.subarray(0, left.length))',
    caughtBy: [{ file: signatures, name: 'a changed byte, another id, another time, a truncated or wrong signature are not accepted' }],
  },
  {
    name: 'signature-prefix-accepted-from-sumsub',
    about: 'a prefix of a digest is accepted',
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
      { file: 'kyc/sumsub/kyc.sumsub.test.ts', name: 'a digest that is missing, wrong, truncated, too long or not hexadecimal is refused' },
    ],
  },
  {
    name: 'stale-signature-accepted',
    about: 'a signed event can be replayed years later',
    file: 'platform/standard-webhooks.ts',
    find: ' || Math.abs(now / 1000 - time) > window_s',
    replace: '',
    caughtBy: [
      { file: signatures, name: 'times more than five minutes away, or not written as seconds, are not accepted' },
      { file: kyc, name: 'an event without a valid signature is refused before it is parsed, and nothing is recorded' },
    ],
  },
  {
    name: 'kyc-event-applied-twice',
    about: 'an event that was recorded before is applied again',
    file: 'kyc/kyc.ts',
    find: 'if ((await insertKycEvent(tx, row)) === 0) {',
    replace: 'if ((await insertKycEvent(tx, row)) < 0) {',
    caughtBy: [
      { file: kyc, name: 'an event is recorded once, with its bytes, and a duplicate gets the same response' },
      { file: kyc, name: 'a repeated watchlist hit does not blacklist a client who has been cleared since' },
    ],
  },
  {
    name: 'watchlist-hit-is-nobodys',
    about: 'one person at the bank clears a watchlist hit of a managed venture',
    file: 'kyc/kyc.ts',
    find: 'const blacklisted_by_bank = managed || current.blacklisted_by_bank',
    replace: 'const { blacklisted_by_bank } = current',
    caughtBy: [
      { file: kyc, name: 'a watchlist hit in a managed venture stops the client as the bank does, and one person does not clear it' },
      { file: kyc, name: 'a watchlist hit that was waiting for its application stops the client of a managed venture, too' },
    ],
  },
  {
    name: 'watchlist-hit-holds-nothing',
    about: 'a watchlist hit leaves the unsent transfers of the client where they are',
    file: 'kyc/kyc.ts',
    find: '    if (managed && !client.blacklisted_by_bank) await enqueueHold(tx, subject)\n',
    replace: '',
    caughtBy: [
      { file: kyc, name: 'a watchlist hit in a managed venture stops the client as the bank does, and one person does not clear it' },
    ],
  },
  {
    name: 'kyc-event-of-two-clients',
    about: 'an event that names the application of one client and the id of another is applied to the first',
    file: 'kyc/kyc.ts',
    find: 'const subject = disagree ? undefined : (applicant ?? named)',
    replace: 'const subject = applicant ?? named',
    caughtBy: [{ file: kyc, name: 'an event whose application and client do not belong together matches nobody' }],
  },
  {
    name: 'kyc-event-waits-for-another-client',
    about: 'an event that waited for its application is applied to a client that it does not name',
    file: 'kyc/kyc.sql.ts',
    find: 'and (subject_id is null or subject_id =',
    replace: 'and (true or subject_id =',
    caughtBy: [{ file: kyc, name: 'an event that waited for its application is not counted for a client that it does not name' }],
  },
  {
    name: 'kyc-event-from-the-future',
    about: 'an event may claim any time in the future and then outweighs every later decision',
    file: 'kyc/kyc.ts',
    find: 'if (Date.parse(created_at) > now().getTime() + clockTolerance_ms)',
    replace: 'if (Number.isNaN(Date.parse(created_at)))',
    caughtBy: [{ file: kyc, name: 'an event from the future is refused and not recorded; a clock that is a little fast is tolerated' }],
  },
  {
    name: 'kyc-conflict-unnoticed',
    about: 'another event with a recorded id gets the response of the recorded one',
    file: 'kyc/kyc.ts',
    find: 'const conflicts = !isDeepStrictEqual(contentOf(row), contentOf(before))',
    replace: 'const conflicts = false',
    caughtBy: [{ file: kyc, name: 'another event with a recorded id is refused, kept for the operator, and changes nothing' }],
  },
  {
    name: 'webhook-url-as-sent',
    about: 'a webhook url is stored as sent, so that one url has many forms',
    file: 'webhooks/webhooks.ts',
    find: 'const { href } = new URL(text)',
    replace: 'const href = text',
    caughtBy: [
      { file: 'webhooks/webhooks.test.ts', name: 'a url is stored as it is called, and the same url in another form changes nothing' },
    ],
  },
  {
    name: 'kyc-events-out-of-order',
    about: 'events are applied in the order of arrival instead of their own order',
    file: 'kyc/kyc.status.ts',
    find: 'return events.toSorted(',
    replace: 'return [...events] ?? events.toSorted(',
    caughtBy: [{ file: 'kyc/kyc.status.test.ts', name: 'any permutation of the same events leads to the same conclusion' }],
  },
  {
    name: 'unverified-client-gets-an-account',
    about: 'an account is activated while its client is still being verified',
    file: 'accounts/accounts.ts',
    find: "kyc_status === 'VALIDATED') return",
    replace: "kyc_status !== 'DECLINED') return",
    caughtBy: [{ file: 'accounts/accounts.test.ts', name: 'the first activation requires compliance, and a reactivation does not' }],
  },
  {
    name: 'late-commit-missed',
    about: 'a follower gets an event before an earlier one has committed, and then never sees the earlier one',
    file: 'events/events.list.ts',
    find: ' and ${ended}',
    replace: '',
    caughtBy: [{ file: events, name: 'a follower misses no event that commits late, and gets no later event before it' }],
  },
  {
    name: 'late-commit-missed-from-now-on',
    about: 'a follower that begins now begins at the newest event, after one that has not committed yet, and never sees it',
    file: 'events/events.list.ts',
    find: 'every(wanted)} and ${ended}',
    replace: "every(wanted)} and ${since === 'now' ? fragment`true` : ended}",
    caughtBy: [
      { file: events, name: 'a follower that begins now misses no event that commits late, though the newest in the list is after it' },
    ],
  },
  {
    name: 'late-commit-missed-by-couriers',
    about: 'a courier moves past an event that has not committed yet, and it is never delivered',
    file: 'webhooks/webhooks.pending.ts',
    find: '\n        and (event.era, event.xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))',
    replace: '',
    caughtBy: [{ file: events, name: 'a webhook misses no event that commits late' }],
  },
  {
    name: 'private-address-called',
    about: 'a host name that resolves to a private address is called',
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
    about: 'if one address of a host name is public, its private ones are called too',
    file: 'platform/outgoing/outgoing.ts',
    find: 'if (this.#allowPrivate || addresses.every(isPublic)) return addresses',
    replace: 'if (this.#allowPrivate || addresses.some(isPublic)) return addresses',
    caughtBy: [{ file: outgoing, name: 'a name is not connected to if any of its addresses is not public' }],
  },
  {
    name: 'webhook-marked-before-it-is-sent',
    about: 'the position of an endpoint advances before its events are sent, so a crash in between loses them',
    file: 'webhooks/webhooks.courier.ts',
    find: '  const results = await sendChains(',
    replace: `  await database.transaction(async (tx) => writeProgress(tx, lease, { ...newEvents.end, run: 'unchanged', waking: progress.waking }))
  const results = await sendChains(`,
    caughtBy: [{ file: webhooks, name: 'a round that has lost its lease records nothing' }],
  },
  {
    name: 'webhook-counts-any-answer',
    about: 'a delivery that the receiver answered with an error counts as delivered',
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
    about: 'a later event of a resource is sent although the previous one failed',
    file: 'webhooks/webhooks.courier.ts',
    find: 'broken = attempt === undefined || attempt.failure !== null',
    replace: 'broken = attempt === undefined',
    caughtBy: [{ file: webhooks, name: 'events of a resource arrive in order, and a failed one delays only its own resource' }],
  },
  {
    name: 'webhook-signed-with-the-old-secret',
    about: 'the previous secret of an endpoint signs forever after a rotation',
    file: 'webhooks/webhooks.courier.ts',
    find: 'previous_secret !== null && at.toISOString() < String(previous_secret_until) ?',
    replace: 'previous_secret !== null && previous_secret_until !== null ?',
    caughtBy: [{ file: webhooks, name: 'after a rotation, deliveries have both signatures for a day and then only the new one' }],
  },
]
