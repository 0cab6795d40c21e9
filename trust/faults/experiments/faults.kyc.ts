// A verifier's events arrive twice and in any order; the client's status must follow from their original order.
import { signedHeaders } from '../../../server/src/platform/standard-webhooks.ts'
import type { Bank } from '../bank.ts'
import type { Context, Experiment } from '../experiment.ts'
import type { Random } from '../load/random.ts'
import type { Venture } from '../load/world.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

type KycEvent = { type: string; sequence: number; created_at: string; data: object }

const types = ['created', 'started', 'review', 'approved', 'declined', 'aborted', 'resubmission_requested'].map(
  (name) => `verification.${name}`,
)

export const kycReordered: Experiment = {
  name: 'kyc-reordered',
  about: 'events of a verifier twice, in any order and at once, sometimes with a crash in between, against a twin who gets them in order',
  run: (context) =>
    withSetup(context, { hosting: 'embedded', ventures: 1, accounts: 1 }, async (setup) => {
      const [venture] = setup.world.ventures
      if (venture === undefined) throw new Error('there is no venture')
      while (context.another()) {
        const events = inventEvents(context.random)
        const [orderly, jumbled] = [await registerSomebody(setup, venture), await registerSomebody(setup, venture)]
        for (const event of events) await deliver(context, setup.bank, orderly, event)
        await deliverJumbled(context, setup, jumbled, events)
        await compareTwins(context, setup, venture, { orderly, jumbled, count: events.length })
        context.results.faults++
        context.say(`fault ${context.results.faults}`)
      }
    }),
}

function inventEvents(random: Random): KycEvent[] {
  const numbered = random.chance(0.5)
  return Array.from({ length: random.integer(2, 8) }, (_, index) => ({
    type: random.chance(0.05) ? 'watchlist.hit' : random.pick(types),
    // Ordered either by number, with meaningless times, or by time alone.
    ...(numbered ? { sequence: index } : {}),
    created_at: new Date(1_700_000_000_000 + (numbered ? random.integer(0, 5_000) : index * 1_000)).toISOString(),
    data: random.chance(0.5) ? { risk_level: random.pick(['Low', 'Medium', 'High']) } : {},
  })) as KycEvent[]
}

const registerSomebody = async ({ world }: Setup, venture: Venture) => (await world.registerPerson(venture, { kyc_level: 'FULL_KYC' })).id

async function deliverJumbled(context: Context, { bank }: Setup, client_id: string, events: readonly KycEvent[]): Promise<void> {
  const crash = context.random.chance(0.2)
  const twice = context.random.shuffled([...events, ...events])
  const delivering = Promise.all(twice.map((event) => deliver(context, bank, client_id, event)))
  if (crash) {
    await context.pause(0, 5)
    await bank.killService()
    await bank.start()
  }
  await delivering
}

/** Sends an event until it is accepted, like a verifier. */
async function deliver(context: Context, bank: Bank, client_id: string, { type, ...rest }: KycEvent): Promise<void> {
  const { results } = context
  const id = `${client_id}-${rest.sequence ?? rest.created_at}`
  const body = JSON.stringify({ id, type, client_id, ...rest })
  let uncertain = false
  for (;;) {
    const began = Date.now()
    const headers = signedHeaders([bank.kycSecret], { id, body })
    const reply = await bank.caller.send({ method: 'POST', path: '/api/v1/kyc/webhook', key: bank.kycKey, body, headers })
    if (reply.kind === 'answer' && reply.status === 200) {
      results.acknowledged++
      if (reply.body.verdict !== 'APPLIED') results.broken.push(`an event of a client was ${reply.body.verdict}`)
      if (uncertain) Date.parse(reply.body.received_at) < began ? results.foundDone++ : results.foundNotDone++
      return
    }
    const unknown: boolean = reply.kind === 'lost' || (reply.kind === 'answer' && reply.code === 'outcome_unknown')
    if (unknown && !uncertain) results.unknown++
    if (!unknown) results.refused++
    uncertain ||= unknown
    await context.pause(10, 50)
  }
}

type Twins = { orderly: string; jumbled: string; count: number }

async function compareTwins(
  { results }: Context,
  { bank }: Setup,
  { api_key }: Venture,
  { orderly, jumbled, count }: Twins,
): Promise<void> {
  const [expected, found] = await Promise.all(
    [orderly, jumbled].map(async (id) => {
      const client = await bank.caller.must({ method: 'GET', path: `/api/v1/clients/${id}`, key: api_key })
      const { kyc_status, risk_level, is_blacklisted } = client
      return JSON.stringify({ kyc_status, risk_level, is_blacklisted })
    }),
  )
  if (expected !== found) results.broken.push(`events in order lead to ${expected}, in disorder to ${found}`)
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ kept: number }>('select count(*)::int as kept from kyc_events where client_id = any($1) group by client_id', [
      [orderly, jumbled],
    ]),
  )
  for (const { kept } of rows) {
    if (kept < count) results.lost.push(`${count - kept} events of a verifier`)
    if (kept > count) results.doubled.push(`${kept - count} events of a verifier`)
  }
  if (rows.length !== 2) results.lost.push('all events of a client')
}
