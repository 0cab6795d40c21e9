// A verifier's events arrive twice and in any order; the client must end up where they lead in their own order.
import { signedHeaders } from '../../../server/src/platform/standard-webhooks.ts'
import type { Bank } from '../bank.ts'
import type { Random } from '../load/random.ts'
import type { Venture } from '../load/world.ts'
import { onScene } from '../play.ts'
import type { Scene } from '../scene.ts'
import type { Experiment, Stage } from '../stage.ts'

type KycEvent = { type: string; sequence: number; created_at: string; data: object }

const types = ['created', 'started', 'review', 'approved', 'declined', 'aborted', 'resubmission_requested'].map(
  (name) => `verification.${name}`,
)

export const kycReordered: Experiment = {
  name: 'kyc-reordered',
  about: 'events of a verifier twice, in any order and at once, sometimes with a crash in between, against a twin who gets them in order',
  run: (stage) =>
    onScene(stage, { hosting: 'embedded', ventures: 1, accounts: 1 }, async (scene) => {
      const [venture] = scene.world.ventures
      if (venture === undefined) throw new Error('there is no venture')
      while (stage.another()) {
        const events = inventEvents(stage.random)
        const [orderly, jumbled] = [await registerSomebody(scene, venture), await registerSomebody(scene, venture)]
        for (const event of events) await deliver(stage, scene.bank, orderly, event)
        await deliverJumbled(stage, scene, jumbled, events)
        await compareTwins(stage, scene, venture, { orderly, jumbled, count: events.length })
        stage.tally.faults++
        stage.say(`fault ${stage.tally.faults}`)
      }
    }),
}

function inventEvents(random: Random): KycEvent[] {
  const numbered = random.chance(0.5)
  return Array.from({ length: random.integer(2, 8) }, (_, index) => ({
    type: random.chance(0.05) ? 'watchlist.hit' : random.pick(types),
    // Either by number, with times that say nothing, or by time alone.
    ...(numbered ? { sequence: index } : {}),
    created_at: new Date(1_700_000_000_000 + (numbered ? random.integer(0, 5_000) : index * 1_000)).toISOString(),
    data: random.chance(0.5) ? { risk_level: random.pick(['Low', 'Medium', 'High']) } : {},
  })) as KycEvent[]
}

const registerSomebody = async ({ world }: Scene, venture: Venture) => (await world.registerPerson(venture, { kyc_level: 'FULL_KYC' })).id

async function deliverJumbled(stage: Stage, { bank }: Scene, client_id: string, events: readonly KycEvent[]): Promise<void> {
  const crash = stage.random.chance(0.2)
  const twice = stage.random.shuffled([...events, ...events])
  const delivering = Promise.all(twice.map((event) => deliver(stage, bank, client_id, event)))
  if (crash) {
    await stage.pause(0, 5)
    await bank.killService()
    await bank.start()
  }
  await delivering
}

/** Sends an event until it is taken, as a verifier does. */
async function deliver(stage: Stage, bank: Bank, client_id: string, { type, ...rest }: KycEvent): Promise<void> {
  const { tally } = stage
  const id = `${client_id}-${rest.sequence ?? rest.created_at}`
  const body = JSON.stringify({ id, type, client_id, ...rest })
  let uncertain = false
  for (;;) {
    const began = Date.now()
    const headers = signedHeaders([bank.kycSecret], { id, body })
    const reply = await bank.caller.send({ method: 'POST', path: '/api/v1/kyc/webhook', key: bank.kycKey, body, headers })
    if (reply.kind === 'answer' && reply.status === 200) {
      tally.acknowledged++
      if (reply.body.verdict !== 'APPLIED') tally.broken.push(`an event of a client was ${reply.body.verdict}`)
      if (uncertain) Date.parse(reply.body.received_at) < began ? tally.foundDone++ : tally.foundNotDone++
      return
    }
    const unknown: boolean = reply.kind === 'lost' || (reply.kind === 'answer' && reply.code === 'outcome_unknown')
    if (unknown && !uncertain) tally.unknown++
    if (!unknown) tally.refused++
    uncertain ||= unknown
    await stage.pause(10, 50)
  }
}

type Twins = { orderly: string; jumbled: string; count: number }

async function compareTwins({ tally }: Stage, { bank }: Scene, { api_key }: Venture, { orderly, jumbled, count }: Twins): Promise<void> {
  const [expected, found] = await Promise.all(
    [orderly, jumbled].map(async (id) => {
      const client = await bank.caller.must({ method: 'GET', path: `/api/v1/clients/${id}`, key: api_key })
      const { kyc_status, risk_level, is_blacklisted } = client
      return JSON.stringify({ kyc_status, risk_level, is_blacklisted })
    }),
  )
  if (expected !== found) tally.broken.push(`events in order lead to ${expected}, in disorder to ${found}`)
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ kept: number }>('select count(*)::int as kept from kyc_events where client_id = any($1) group by client_id', [
      [orderly, jumbled],
    ]),
  )
  for (const { kept } of rows) {
    if (kept < count) tally.lost.push(`${count - kept} events of a verifier`)
    if (kept > count) tally.doubled.push(`${kept - count} events of a verifier`)
  }
  if (rows.length !== 2) tally.lost.push('all events of a client')
}
