// The bank's exchange rates. A rate applies to one pair of currencies in one direction; the inverse is never derived. Rates are added and
// never changed. If several are valid, the one that was added last applies, no matter when it was requested.

import { type Approval, type ApprovalHandler, type Approvals, actOrRequest } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { parseRate } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import type { NewRate, Rate } from './rates.schemas.ts'
import { insertRate, selectRates, selectValidRates } from './rates.sql.ts'

export type { Rate }

const setAction = 'set-rate'

/** What an order needs to know about a rate. */
export type Quote = Pick<Rate, 'from_currency' | 'to_currency' | 'rate' | 'margin'>

export type Pair = Pick<Rate, 'from_currency' | 'to_currency'>

/** The rates of these pairs that are valid at the given time, at most one for each. */
export function findRates(reader: Reader, pairs: readonly Pair[], now: Date): Promise<Quote[]> {
  return reader.rows(selectValidRates(pairs, now.toISOString()))
}

/** The rates that are valid now, and those that will be. */
export function listRates(database: Database): Promise<Rate[]> {
  return database.rows(selectRates(now().toISOString()))
}

/** With four-eyes approval, a second person must approve the rate. */
export function proposeRate(approvals: Approvals, input: NewRate, by: By): Promise<Rate | Approval> {
  const id = uuidv7()
  const wanted = { venture_id: bankId, action: setAction, resource_id: id, payload: input }
  return actOrRequest(approvals, wanted, by, (allowed) => setRate(approvals.database, id, input, allowed))
}

/** Adds a rate, with the authority of two people or without four-eyes approval. */
export async function setRate(database: Database, id: string, input: NewRate, by: By): Promise<Rate> {
  const at = now().toISOString()
  const { from_currency, to_currency, margin, valid_from = at, valid_until } = input
  if (from_currency === to_currency) refuseField('to_currency', 'must be another currency than from_currency')
  const parsed = parseRate(input.rate) ?? refuseField('rate', 'must be greater than zero')
  if (valid_until != null && Date.parse(valid_until) <= Date.parse(valid_from)) refuseField('valid_until', 'must be after valid_from')
  if (valid_until != null && valid_until <= at) refuseField('valid_until', 'must be in the future')
  // A rate that does not exist yet has no changes, so the sequence is 0.
  if (!by.approved) refuse('approval_required', { sequence: 0 })
  const { kind: actor, id: actor_id } = by.actor
  const rate: Rate = {
    id,
    from_currency,
    to_currency,
    rate: parsed,
    margin,
    valid_from,
    valid_until: valid_until ?? null,
    actor,
    actor_id,
    created_at: at,
  }
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await insertRate(tx, rate)
      return rate
    }),
  )
}

/** It takes two people to set rates. */
export function rateApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: setAction,
      operations: ['setRate'],
      carryOut: ({ resource_id, payload }, by) => setRate(database, resource_id, payload as NewRate, { ...by, approved: true }),
    },
  ]
}
