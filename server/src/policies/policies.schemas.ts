// The schemas of policies.
import { type Static, Type } from 'typebox'
import {
  ActorShown,
  Body,
  Choice,
  CountryCode,
  Decimal,
  described,
  Formed,
  Id,
  Nullable,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'

/** The longest time that a rule may look back, in days. */
export const longest_days = 31

/** A share of an amount: at least 0 and less than 1, with up to ten decimals. */
export const Share = Formed('^0(\\.\\d{1,10})?$', 'must be a share in a string, at least "0" and less than "1", such as "0.015"')

/** A score of the screening, with up to four decimals. */
const Score = Formed('^(0\\.[5-9]\\d{0,3}|1)$', 'must be a score in a string, from "0.5" to "1", such as "0.85"')

const Days = Type.Integer({ minimum: 1, maximum: longest_days, description: 'How many days the rule looks back, including today.' })

/**
 * What a person has to look at, apart from names that resemble an entry of a list. Amounts are in the currency of the account, and rules
 * over several days cover all accounts of the client in that currency. policies.rules.ts says when each kind fires.
 */
export const Rule = Type.Union(
  [
    Body('AmountRule', {
      kind: Type.Literal('amount', { description: 'Fires for a payment above an amount.' }),
      above: described(Decimal, 'The amount in the currency of the account. A payment of exactly this amount does not count.'),
    }),
    Body('SumRule', {
      kind: Type.Literal('sum', { description: 'Fires if the payments of several days add up to more than an amount.' }),
      above: described(Decimal, 'The sum in the currency of the account. Exactly this sum does not count.'),
      days: Days,
    }),
    Body('CountRule', {
      kind: Type.Literal('count', { description: 'Fires if there are too many payments within several days.' }),
      above: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The number of payments. Exactly this number does not count.' }),
      days: Days,
    }),
    Body('NewPayeeRule', {
      kind: Type.Literal('new_payee', {
        description: 'Fires for a payment above an amount to an account that the client has not paid before.',
      }),
      above: described(Decimal, 'The amount in the currency of the account. A payment of exactly this amount does not count.'),
    }),
    Body('ExpectedVolumeRule', {
      kind: Type.Literal('expected_volume', {
        description: 'Fires if the client moves more money in a month than the onboarding details say.',
      }),
    }),
    Body('CountryRule', {
      kind: Type.Literal('country', { description: 'Fires if the other party, its account or its bank is in one of these countries.' }),
      countries: Type.Array(CountryCode, { minItems: 1, maxItems: 250, description: 'ISO 3166-1 alpha-3 codes.' }),
    }),
    Body('JustBelowRule', {
      kind: Type.Literal('just_below', { description: 'Fires for several payments that are each a little below a threshold.' }),
      threshold: described(Decimal, 'The amount, in the currency of the account, that a payer may want to stay below.'),
      share: described(Share, 'How far below the threshold still counts, as a share of it: with `0.1`, from 90 % on.'),
      count: Type.Integer({ minimum: 2, maximum: 1_000, description: 'The number of such payments at which the rule fires.' }),
      days: Days,
    }),
  ],
  { description: 'A rule of transaction monitoring.' },
)
export type Rule = Static<typeof Rule>

const fields = {
  card_fee: Type.String({ ...Share, description: "The bank's share of card payouts." }),
  payout_delay_days: Type.Integer({ minimum: 0, maximum: 365, description: 'The days between a card payment and its payout.' }),
  rate_hold_s: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'For how many seconds an exchange rate is guaranteed for a transfer.',
  }),
  sign_above: Nullable(
    Type.String({
      ...Decimal,
      description: 'The debit amount, in its own currency, above which a transfer needs a signature; null for never.',
    }),
  ),
  review_above: Nullable(
    Type.String({ ...Decimal, description: 'The debit amount above which a person of the bank reviews a payment; null for never.' }),
  ),
  signer: Choice(['any', 'other', 'user'], {
    description: 'Who may sign: anyone, anyone except the key or person that ordered, or a person (not a key) who did not order.',
  }),
  screen_threshold: Type.String({
    ...Score,
    description: 'From this score on, a person reviews a name that resembles a list entry.',
  }),
  block_threshold: Type.String({ ...Score, description: 'From this score on, a freeze of the payment is proposed.' }),
  lists: Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      description: 'The names of the watch lists to use; null for all active lists.',
    }),
  ),
  screen_peps: Type.Boolean({ description: 'Whether politically exposed persons count as hits.' }),
  payee_check: Choice(['off', 'warn', 'require'], { description: 'Whether the name of the payee is verified before a payment.' }),
  funds_wait_h: Type.Integer({ minimum: 0, maximum: 720, description: 'For how many hours a transfer waits for funds.' }),
  instant_timeout: Choice(['hold', 'restore'], {
    description:
      'What happens to the money of an unanswered instant payment. restore: ten seconds after the order, the account is as it was. hold: it is kept until there is an answer.',
  }),
  instant_screening: Choice(['clients', 'transactions'], {
    description:
      'What is compared during an instant payment in euro. clients: nothing, because all clients are compared every day. transactions: the lists outside Art. 5d.',
  }),
  rules: Type.Array(Rule, { maxItems: 50, description: 'Rules for further payments that a person reviews.' }),
}

export const Policy = Resource('Policy', {
  venture_id: described(Id, 'The venture.'),
  version: Type.Integer({ description: 'The version of the policy; 0 until the bank has changed something for this venture.' }),
  ...fields,
  // The rules were checked when they came in, and checking them again for each response would cost time.
  rules: Type.Array(Type.Unsafe<Rule>({ type: 'object', additionalProperties: true }), {
    description: 'Rules for further payments that a person reviews.',
  }),
  actor: Nullable(ActorShown),
  actor_id: Nullable(
    Type.String({ format: 'uuid', description: 'The person who created this version; null for the admin key and for version 0.' }),
  ),
  created_at: Nullable(described(Timestamp, 'When this version was created, in UTC; null for version 0.')),
})
export type Policy = Static<typeof Policy>

export const PolicyUpdate = Body('PolicyUpdate', Type.Partial(Type.Object(fields)).properties)
export type PolicyUpdate = Static<typeof PolicyUpdate>
