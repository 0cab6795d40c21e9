// The service is killed during automatic processing. Every transfer must end, and no move may be made
// twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { listed } from '../../../server/src/platform/database/sql.ts'
import { terminalStatuses } from '../../../server/src/transfers/life/transfers.status.ts'
import type { Bank } from '../bank.ts'
import type { Context, Experiment } from '../experiment.ts'
import { describe } from '../load/caller.ts'
import type { Random } from '../load/random.ts'
import { type Account, cents, type Venture, type World } from '../load/world.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

type Kind = 'internal' | 'sepa' | 'instant'

/** `cancels`: the venture tries to cancel it. */
type Ordered = { kind: Kind; reference: string; from: Account; to: Account | undefined; amount: bigint; cancels: boolean }

/** What the venture was told about an order. `cancelled`: its cancellation was acknowledged. */
type Fate = { order: Ordered; told: 'acknowledged' | 'refused' | 'nothing'; cancelled: boolean }

const scan = 'READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'
/** The second way is that of an instant payment whose answer waited for a service that was down. */
const walks: Record<Kind, readonly string[]> = {
  internal: [`CREATED RESERVED ${scan} COMPLETED`],
  sepa: [`CREATED RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED`],
  instant: [
    `CREATED RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR COMPLETED`,
    `CREATED RESERVED ${scan} READY_TO_CLEAR SENT_TO_CLEAR SOME_PROBLEMS COMPLETED`,
  ],
}

/** Fewer orders and kills say little. */
const fewest = 100
const fewestKills = 3
/** A service that has taken nothing further for so long will not. */
const patience_ms = 60_000

export const processingKilled: Experiment = {
  name: 'processing-killed',
  about: 'kill -9 of the service, again and again, while transfers of a MANAGED venture run by themselves',
  readyWithin_ms: 2_000,
  run: (context) =>
    withSetup(context, { hosting: 'embedded', ventures: 0 }, async (setup) => {
      const { results } = context
      const venture = await openManaged(setup)
      const load = startOrders(context, setup, venture)
      const interrupted = new Set<string>()
      try {
        while (context.another() || results.faults < fewestKills) {
          await context.pause(50, 700)
          // A slow machine would otherwise spend its time on restarts. If nothing is acknowledged, the test's time-out ends it.
          const least = Math.min(fewest, ((results.faults + 1) * fewest) / fewestKills)
          while (results.acknowledged < least) await context.pause(50, 50)
          results.faults++
          const killed = performance.now()
          await setup.bank.killService()
          for (const status of await statusesUnderWay(setup.bank, venture)) interrupted.add(status)
          await setup.bank.start()
          results.ready_ms.push(await setup.bank.untilReady(killed))
          context.say(`fault ${results.faults}`)
        }
      } finally {
        await load.stop()
      }
      results.notes.push(`transfers were interrupted in ${[...interrupted].sort().join(', ')}`)
      if (interrupted.size === 0) results.broken.push('no transfer was under way when the service was killed')
      await untilEnded(context, setup.bank, venture)
      await check(context, setup, { venture, fates: load.fates })
    }),
}

/** A MANAGED venture with funded accounts that are beneficiaries of each other, and an external payee per client. */
export async function openManaged({ bank, world }: Setup): Promise<Managed> {
  const venture: Venture = { ...(await register(bank)), accounts: [] }
  const outside = new Map<Account, string>()
  for (let number = 0; number < 4; number++) {
    const account = await openAccount(bank, world, venture)
    const payee = { client_id: account.client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
    outside.set(account, (await world.post(venture, '/beneficiaries', payee)).id)
  }
  for (const from of venture.accounts) for (const to of venture.accounts) if (from !== to) await world.addBeneficiary(from, to)
  return { ...venture, outside }
}

export type Managed = Venture & { outside: ReadonlyMap<Account, string> }

async function register({ caller, adminKey }: Bank): Promise<{ id: string; api_key: string }> {
  const body = { name: 'Managed', control: 'MANAGED' }
  const { id, api_key } = await caller.must({ method: 'POST', path: '/api/v1/ventures', key: adminKey, body })
  return { id, api_key }
}

async function openAccount(bank: Bank, world: World, venture: Venture): Promise<Account> {
  const { id: client_id } = await world.registerPerson(venture, {})
  // The bank has verified the client.
  await bank.asOwner((owner) => owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client_id]))
  const details = { client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' }
  const { id, account_number } = await world.post(venture, '/accounts', details)
  await world.post(venture, `/accounts/${id}/activate`)
  const opening = 10_000_000n
  const deposit = await world.post(venture, `/sandbox/accounts/${id}/deposits`, { amount: cents(opening) })
  // The service completes it. Until then a payment would wait for the money.
  while (!(await isCompleted(bank, deposit.id))) await sleep(20)
  const account: Account = { venture, id, client_id, account_number, opening, beneficiaries: new Map() }
  venture.accounts.push(account)
  return account
}

async function isCompleted(bank: Bank, transfer_id: string): Promise<boolean> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ status: string }>('select status from transfers where id = $1', [transfer_id]),
  )
  return rows[0]?.status === 'COMPLETED'
}

/** Concurrent clients that create orders and sometimes try to cancel them. */
function startOrders(context: Context, { bank }: Setup, venture: Managed) {
  const stopping = new AbortController()
  const fates: Fate[] = []
  const client = async (number: number) => {
    const random = context.random.fork(`client ${number}`)
    for (let count = 0; !stopping.signal.aborted; count++) {
      fates.push(await place(context, bank, { venture, order: chooseOrder(venture, random, `managed-${number}-${count}`) }))
      await sleep(random.integer(0, 30))
    }
  }
  const running = Promise.all(Array.from({ length: 12 }, (_, number) => client(number)))
  // stop() reports an error of the load; until then its rejection must not count as unhandled.
  running.catch(() => {})
  return {
    fates,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The simulated bank settles every amount with these cents. */
function chooseOrder({ accounts }: Managed, random: Random, reference: string): Ordered {
  const kind = random.pick(['internal', 'sepa', 'instant'] as const)
  const from = random.pick(accounts)
  const to = kind === 'internal' ? random.pick(accounts.filter((account) => account !== from)) : undefined
  return { kind, reference, from, to, amount: BigInt(random.integer(0, 4) * 100 + random.integer(20, 99)), cancels: random.chance(0.15) }
}

async function place({ results }: Context, { caller }: Bank, { venture, order }: { venture: Managed; order: Ordered }): Promise<Fate> {
  const { kind, reference: unique_reference, from, to, amount } = order
  const beneficiary_id = to === undefined ? venture.outside.get(from) : from.beneficiaries.get(to)
  const method = kind === 'sepa' ? 'SEPA' : kind === 'instant' ? 'INST' : 'INTERNAL'
  const body = { account_id: from.id, beneficiary_id, unique_reference, debit_amount: cents(amount), method }
  const created = await caller.send({ method: 'POST', path: '/api/v1/transfers', key: venture.api_key, body })
  if (created.kind === 'answer' && created.status >= 400 && created.status !== 503)
    results.broken.push(`an order was answered with ${describe(created)}`)
  const isUnknown = created.kind === 'lost' || (created.kind === 'answer' && created.code === 'outcome_unknown')
  const isKnown = created.kind === 'answer' && created.status === 201
  const fate: Fate = { order, told: isKnown ? 'acknowledged' : isUnknown ? 'nothing' : 'refused', cancelled: false }
  results[fate.told === 'nothing' ? 'unknown' : fate.told]++
  if (!isKnown || !order.cancels) return fate
  const path = `/api/v1/transfers/${created.body.id}`
  const cancelled = await caller.send({ method: 'PUT', path, key: venture.api_key, body: { status: 'CANCELLED' } })
  fate.cancelled = cancelled.kind === 'answer' && cancelled.status === 200
  return fate
}

const isOpen = `status not in (${listed(terminalStatuses).text})`

async function statusesUnderWay(bank: Bank, { id }: Venture): Promise<string[]> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ status: string }>(`select distinct status from transfers where venture_id = $1 and ${isOpen}`, [id]),
  )
  return rows.map(({ status }) => status)
}

/** Waits until every transfer has ended, while there is progress. */
async function untilEnded({ results }: Context, bank: Bank, { id }: Venture): Promise<void> {
  let [last, since] = ['', performance.now()]
  for (;;) {
    const { rows } = await bank.asOwner((owner) =>
      owner.query<{ status: string; count: string }>(
        `select status, count(*) from transfers where venture_id = $1 and ${isOpen} group by status order by status`,
        [id],
      ),
    )
    if (rows.length === 0) return
    const now = rows.map(({ status, count }) => `${count} ${status}`).join(', ')
    if (now !== last) [last, since] = [now, performance.now()]
    if (performance.now() - since > patience_ms) return void results.broken.push(`transfers have not ended: ${now}`)
    await sleep(100)
  }
}

type Kept = { id: string; unique_reference: string; status: string; amount: string; moves: string[]; ends: string; mirrors: string }

async function check(
  { results }: Context,
  { bank }: Setup,
  { venture, fates }: { venture: Managed; fates: readonly Fate[] },
): Promise<void> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<Kept>(
      `select id, unique_reference, status, debit_amount::text as amount,
         array(select to_status from transfer_moves move where move.venture_id = transfer.venture_id and move.transfer_id = transfer.id
           order by move.id) as moves,
         (select count(*) from events where events.venture_id = transfer.venture_id and resource_id = transfer.id
           and type in ('transfer.completed', 'transfer.failed')) as ends,
         (select count(*) from transfers mirror where mirror.venture_id = transfer.venture_id
           and mirror.parent_transaction_id = transfer.id) as mirrors
       from transfers transfer where venture_id = $1 and unique_reference like 'managed-%'`,
      [venture.id],
    ),
  )
  const kept = Map.groupBy(rows, ({ unique_reference }) => unique_reference)
  const balances = new Map(venture.accounts.map((account) => [account, account.opening]))
  const change = (account: Account | undefined, amount: bigint) => {
    if (account !== undefined) balances.set(account, (balances.get(account) ?? 0n) + amount)
  }
  for (const fate of fates) {
    const { order, told } = fate
    const [transfer, ...others] = kept.get(order.reference) ?? []
    if (others.length > 0) results.doubled.push(`${others.length + 1} transfers with one reference`)
    if (told === 'nothing') results[transfer === undefined ? 'foundNotDone' : 'foundDone']++
    if (transfer === undefined) {
      if (told === 'acknowledged') results.lost.push(`a ${order.kind} transfer that was acknowledged`)
      continue
    }
    if (told === 'refused') results.doubled.push(`a ${order.kind} transfer that was refused is there`)
    checkTransfer(results, fate, transfer)
    if (transfer.status !== 'COMPLETED') continue
    change(order.from, -order.amount)
    change(order.to, order.amount)
  }
  await checkBalances(results, bank, balances)
}

function checkTransfer(results: Context['results'], { order, cancelled }: Fate, { status, amount, moves, ends, mirrors }: Kept): void {
  const { kind, cancels } = order
  const made = moves.join(' ')
  // While the lists are not loaded after a crash, a transfer waits before its screening, and can be cancelled there, too.
  const isCancelled =
    cancels && made.endsWith(' CANCELLED') && walks[kind].some((walk) => walk.startsWith(`${moves.slice(0, -1).join(' ')} `))
  if (Number(amount) !== Number(cents(order.amount))) results.broken.push(`a ${kind} transfer has another amount than was ordered`)
  if (!walks[kind].includes(made) && !isCancelled) results.doubled.push(`a ${kind} transfer has made the moves ${made}`)
  if (cancelled && status !== 'CANCELLED') results.lost.push(`the cancellation of a ${kind} transfer: it is ${status}`)
  if (Number(ends) !== 1) results.doubled.push(`a ${kind} transfer has ${ends} events of its end`)
  const due = kind === 'internal' && status === 'COMPLETED' ? 1 : 0
  if (Number(mirrors) !== due) results.doubled.push(`an ${kind} transfer has ${mirrors} records of its receiver`)
}

export async function checkBalances(results: Context['results'], bank: Bank, balances: ReadonlyMap<Account, bigint>): Promise<void> {
  const ids = [...balances.keys()].map(({ id }) => id)
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ id: string; current: string; reserved: string }>(
      'select id, current_balance::text as current, reserved_balance::text as reserved from accounts where id = any($1)',
      [ids],
    ),
  )
  for (const [{ id }, expected] of balances) {
    const { current, reserved } = rows.find((row) => row.id === id) ?? { current: 'nothing', reserved: 'nothing' }
    if (Number(current) !== Number(cents(expected)) || Number(reserved) !== 0)
      results.broken.push(`an account has ${current} and holds ${reserved}, where its transfers add up to ${cents(expected)}`)
  }
}
