// Repeats requests with idempotency keys until they are answered, while the service is killed.

import { setTimeout as sleep } from 'node:timers/promises'
import { person } from '../../../server/src/testing/testing.people.ts'
import type { Context, Experiment } from '../experiment.ts'
import { describe } from '../load/caller.ts'
import type { Random } from '../load/random.ts'
import type { Account } from '../load/world.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

/** What is created, and the column that identifies the request. For most of them, only the key prevents duplicates. */
type Creation = { path: string; table: string; column: string; body(name: string, account: Account): object }

const shop = { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }

const creations: readonly Creation[] = [
  {
    path: '/beneficiaries',
    table: 'beneficiaries',
    column: 'name',
    body: (name, { client_id }) => ({ client_id, name, beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }),
  },
  {
    path: '/accounts',
    table: 'accounts',
    column: 'account_name',
    body: (name, { client_id }) => ({ client_id, account_name: name, account_type: 'CURRENT', currency: 'EUR' }),
  },
  {
    path: '/clients/person',
    table: 'clients',
    column: 'external_client_code',
    body: (name) => ({ ...person, email: `${name}@example.com`, external_client_code: name }),
  },
  {
    path: '/payment-links',
    table: 'payment_links',
    column: 'description',
    body: (name) => ({ amount: '5.00', currency: 'EUR', description: name }),
  },
  {
    path: '/payments',
    table: 'payments',
    column: 'order_ref',
    body: (name) => ({ amount: '5.00', currency: 'EUR', order_ref: name, ...shop }),
  },
]

type Request = { name: string; creation: Creation; body: object; id: string | undefined }

const clients = 16
/** How long a client repeats a request before it gives up. */
const asking_ms = 60_000

export const repeatedAfterKill: Experiment = {
  name: 'repeated-after-kill',
  about: 'kill -9 of the service under requests with idempotency keys; each is repeated until it is answered, and has one effect',
  readyWithin_ms: 2_000,
  run: (context) =>
    withSetup(context, { hosting: 'embedded', ventures: 1, accounts: 2 }, async (setup) => {
      const { bank } = setup
      const sent: Request[] = []
      const stopping = new AbortController()
      const running = Promise.all(
        Array.from({ length: clients }, (_, number) => sendUntil(stopping.signal, context, setup, { number, sent })),
      )
      running.catch(() => {})
      try {
        while (context.another()) {
          await context.pause(300, 900)
          context.results.faults++
          const killed = performance.now()
          await bank.killService()
          await bank.start()
          context.results.ready_ms.push(await bank.untilReady(killed))
          context.say(`fault ${context.results.faults}`)
        }
        await context.pause(200, 400)
      } finally {
        stopping.abort()
        await running
      }
      await bank.untilReady()
      await compare(context, setup, sent)
    }),
}

async function sendUntil(
  stopped: AbortSignal,
  context: Context,
  setup: Setup,
  { number, sent }: { number: number; sent: Request[] },
): Promise<void> {
  const random = context.random.fork(`client ${number}`)
  for (let count = 0; !stopped.aborted; count++) {
    const creation = random.pick(creations)
    const name = `once-${number}-${count}`
    const request: Request = { name, creation, body: creation.body(name, random.pick(setup.world.accounts)), id: undefined }
    sent.push(request)
    await repeat(context, setup, request, random)
    // Clients may also repeat requests that were answered.
    if (random.chance(0.2)) await repeat(context, setup, request, random)
  }
}

/** Sends the request until it gets a response that settles it. */
async function repeat({ results }: Context, { bank, world }: Setup, request: Request, random: Random): Promise<void> {
  const { creation, name, body } = request
  const [venture] = world.ventures
  const question = {
    method: 'POST',
    path: `/api/v1${creation.path}`,
    key: venture?.api_key ?? '',
    body,
    headers: { 'idempotency-key': name },
  }
  const deadline = performance.now() + asking_ms
  let unknown = false
  while (performance.now() < deadline) {
    const reply = await bank.caller.send(question)
    if (reply.kind === 'answer' && reply.status < 300) {
      if (request.id !== undefined && reply.body.id !== request.id) results.doubled.push(`${creation.path} answered with another resource`)
      if (request.id !== undefined && !reply.replayed) results.doubled.push(`${creation.path} was carried out once more`)
      request.id = reply.body.id
      results.acknowledged++
      if (unknown && reply.replayed) results.foundDone++
      if (unknown && !reply.replayed) results.foundNotDone++
      return
    }
    const again = reply.kind === 'answer' && (reply.status === 503 || reply.code === 'idempotency_key_in_use')
    if (again || reply.kind === 'unsent') results.refused++
    else if (reply.kind === 'lost') {
      if (!unknown) results.unknown++
      unknown = true
    } else {
      results.broken.push(`${creation.path} was answered with ${describe(reply)}`)
      if (unknown) results.foundNotDone++
      return
    }
    await sleep(random.integer(5, 60))
  }
  if (unknown) results.foundNotDone++
  results.broken.push(`${creation.path} got no answer in ${asking_ms / 1000} s`)
}

/** Every request that was answered has made exactly the row that its answer named. */
async function compare({ results }: Context, { bank }: Setup, sent: readonly Request[]): Promise<void> {
  for (const creation of creations) {
    const { rows } = await bank.asOwner((owner) =>
      owner.query<{ id: string; name: string }>(
        `select id, ${creation.column} as name from ${creation.table} where ${creation.column} like 'once-%'`,
      ),
    )
    const made = Map.groupBy(rows, ({ name }) => name)
    for (const { name, id } of sent.filter((request) => request.creation === creation)) {
      const ids = (made.get(name) ?? []).map((row) => row.id)
      if (ids.length > 1) results.doubled.push(`${creation.path}: ${ids.length} for one key`)
      if (id !== undefined && !ids.includes(id)) results.lost.push(`${creation.path}, which was acknowledged`)
    }
  }
}
