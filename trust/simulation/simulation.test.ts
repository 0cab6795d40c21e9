// A few seeds of the simulation, and proof that it notices wrong decisions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, type Situation } from '../../server/src/processing/processing.planner.ts'
import type { Batch } from '../../server/src/transfers/deciding/transfers.batch.ts'
import { decide } from '../../server/src/transfers/deciding/transfers.decide.ts'
import type { TransferRow } from '../../server/src/transfers/life/transfers.columns.ts'
import { fromNumeric } from '../../server/src/values/money.ts'
import { type Simulation, SimulationFailure, simulate, Tally } from './simulation.ts'

type Decide = NonNullable<Simulation['decide']>

// Everything below happens within the first sixteen seeds; "npm run simulate" plays as many as there is time for.
test('model and service agree for random seeds', () => {
  const tally = new Tally()
  assert.doesNotThrow(() => {
    for (let seed = 1; seed <= 80; seed++) simulate({ seed, steps: 300, tally })
  })
  for (const outcome of [
    'create done',
    'move done',
    'annotate done',
    'move insufficient_funds',
    'move transfer_terminal',
    'close done',
    'create client_blocked',
    'move client_blocked',
    'move not_cleared',
    'create reserved_to_bank',
    'move reserved_to_bank',
    'create approval_required',
    'move approval_required',
    'create rate_missing',
    'create exchange_not_today',
    'move venture_disabled',
  ])
    assert.ok(tally.outcomes.has(outcome), outcome)
  for (const word of ['event account.overdrawn', 'completed in debt', 'repaid']) assert.ok(tally.seen.has(word), word)
  for (const word of [
    'case hit',
    'case rule',
    'case amount',
    'planned AM04',
    'planned client_blocked',
    'answered COMPLETED',
    'answered REJECTED',
  ])
    assert.ok(tally.seen.has(word), word)
  for (const who of ['a decision', 'money', 'its sending day', 'the lists', 'the other bank'])
    assert.ok(tally.seen.has(`waits for ${who}`), who)
  assert.ok(tally.seen.size >= 30, `only ${tally.seen.size} kinds, methods, flows and ends were seen`)
})

test('a seed replays: the same commands have the same outcomes', () => {
  const [first, second] = [new Tally(), new Tally()]
  for (const tally of [first, second]) simulate({ seed: 7, steps: 200, tally })
  assert.deepEqual(first, second)
})

type Changed = Pick<Simulation, 'decide' | 'advance'>

/** The failure that a changed decision, or a changed plan, causes within some seeds. */
function failureOf(changed: Changed): SimulationFailure {
  for (let seed = 1; seed <= 200; seed++) {
    try {
      simulate({ seed, steps: 300, tally: new Tally(), ...changed })
    } catch (error) {
      assert.ok(error instanceof SimulationFailure)
      return error
    }
  }
  throw new Error('nobody noticed')
}

/** Decides, and then changes the transfer that has just moved. */
function thenSpoil(spoil: (batch: Batch, row: TransferRow) => void): Decide {
  return (batch, bank, command) => {
    const transfer = decide(batch, bank, command)
    const row = batch.transfer(command.venture_id, transfer.id)
    if (row !== undefined) spoil(batch, row)
    return transfer
  }
}

const planted: Record<string, { decide: Decide; found: RegExp }> = {
  'a hold that is not counted': {
    decide: thenSpoil((batch, row) => {
      const account = batch.account(row.venture_id, row.account_id)
      if (row.status === 'RESERVED' && account !== undefined) account.reserved = 0n
    }),
    found: /reserved is the sum of the holds/,
  },
  'a hold that outlives its transfer': {
    decide: thenSpoil((_, row) => {
      if (row.status === 'CANCELLED') row.hold = 1n
    }),
    found: /holds what the model says/,
  },
  'money from nowhere': {
    decide: thenSpoil((batch, row) => {
      const account = batch.account(row.venture_id, row.account_id)
      if (row.status === 'COMPLETED' && account !== undefined) account.current += 10_000n
    }),
    found: /current is the sum of the entries|tells the balance after it/,
  },
  'an entry that is lost': {
    decide: thenSpoil((batch, row) => {
      if (row.status === 'RECEIVED') batch.newEntries.pop()
    }),
    found: /sums to zero|entries are what the model says/,
  },
  'a change that nobody announced': {
    decide: thenSpoil((_, row) => {
      if (row.sequence === 3) Object.assign(row, { purpose: 'overwritten' })
    }),
    found: /what deciding changed is written/,
  },
  'an event of a child that does not name its parent': {
    decide: thenSpoil((batch) => {
      for (const event of batch.newEvents) Object.assign(event, { object: { ...event.object, parent_transaction_id: null } })
    }),
    found: /events lead to the balances/,
  },
  'a debt that nobody owes': {
    decide: thenSpoil((batch, row) => {
      const account = batch.account(row.venture_id, row.account_id)
      if (row.status === 'RESERVED' && account !== undefined) account.debt += 1n
    }),
    found: /debt is what is missing/,
  },
  'a forced debit that asks for funds': {
    decide: (batch, bank, command) => decide(batch, bank, command.kind === 'update' ? { ...command, forced: false } : command),
    found: /a refusal has its reason: insufficient_funds/,
  },
  'an account that is overdrawn and does not say so': {
    decide(batch, bank, command) {
      const transfer = decide(batch, bank, command)
      for (const event of batch.newEvents) if (event.type === 'account.overdrawn') Object.assign(event, { type: 'account.updated' })
      return transfer
    },
    found: /falls into debt says so/,
  },
  'a refusal that leaves something behind': {
    decide(batch, bank, command) {
      try {
        return decide(batch, bank, command)
      } catch (error) {
        const row = command.kind === 'update' ? batch.transfer(command.venture_id, command.transfer_id) : undefined
        if (row !== undefined) Object.assign(row, { status_reason: 'tried' })
        throw error
      }
    },
    found: /a refused command changes nothing/,
  },
  'a blocked client who pays': {
    decide(batch, bank, command) {
      const { venture_id } = command
      const transfer = command.kind === 'update' ? batch.transfer(venture_id, command.transfer_id) : undefined
      const account_id = command.kind === 'create' ? command.order.account_id : transfer?.account_id
      const client = batch.client(venture_id, batch.account(venture_id, account_id ?? '')?.client_id ?? '')
      if (client !== undefined) Object.assign(client, { blocked: false, is_blacklisted: false, kyc_status: 'VALIDATED' })
      return decide(batch, bank, command)
    },
    found: /a client who is barred/,
  },
  'a venture that plays the bank': {
    decide: (batch, bank, command) =>
      decide(batch, bank, command.kind === 'payout' ? command : { ...command, approved: true, actor: { kind: 'connector', id: null } }),
    found: /what is reserved is refused|knows who/,
  },
  "a rate that is not the bank's": {
    decide(batch, bank, command) {
      const transfer = decide(batch, bank, command)
      const quoted = command.kind === 'create' && batch.transfer(command.venture_id, transfer.id)?.rate_until !== null
      return quoted ? { ...transfer, exchange_rate: '1' } : transfer
    },
    found: /has the bank's rate/,
  },
  'a transfer that was returned and does not say so': {
    decide(batch, bank, command) {
      const transfer = decide(batch, bank, command)
      for (const event of batch.newEvents) if (event.type === 'transfer.returned') Object.assign(event, { type: 'transfer.updated' })
      return transfer
    },
    found: /returned in full says so/,
  },
}

type Advance = NonNullable<Simulation['advance']>

/** Plans for a situation that is not the real one. */
const misled = (change: (situation: Situation) => Partial<Situation>): Advance => {
  return (situation) => advance({ ...situation, ...change(situation) })
}

const misplanned: Record<string, { advance: Advance; found: RegExp }> = {
  'forgets the fee': {
    advance: misled(({ transfer, needed }) => ({ needed: needed - fromNumeric((transfer as TransferRow).fx_fee_amount ?? '0') })),
    found: /what is planned is carried out: insufficient_funds/,
  },
  'waits for money for ever': {
    advance: misled(() => ({ funds_wait_h: 24 * 365 * 9 })),
    found: /waits for somebody: TO_RESERVE|every transfer ends/,
  },
  'never starts': {
    advance: (situation) => (/^(CREATED|SIGNED)$/.test(situation.transfer.status) ? { kind: 'wait' } : advance(situation)),
    found: /waits for somebody: (CREATED|SIGNED)/,
  },
  'does not see that the client is blocked': {
    advance: misled(({ circumstances }) => ({ circumstances: { ...circumstances, client_blocked: false } })),
    found: /what is planned is carried out: client_blocked/,
  },
  'does not see that the account is frozen': {
    advance: misled(({ circumstances }) => ({ circumstances: { ...circumstances, account_frozen: false } })),
    found: /what is planned is carried out: account_frozen/,
  },
  'does not see that an account is closed': {
    advance: misled(({ circumstances }) => ({ circumstances: { ...circumstances, account_closed: false, receiver_closed: false } })),
    found: /what is planned is carried out: account_closed|waits for somebody/,
  },
  'processes what a disabled venture has ordered': {
    advance: misled(() => ({ venture_active: true })),
    found: /what is planned is carried out: venture_disabled/,
  },
  'never lets go on what a block has stopped': {
    advance: (situation) => (situation.transfer.status === 'ON_HOLD' ? { kind: 'wait' } : advance(situation)),
    found: /waits for somebody: ON_HOLD/,
  },
  'reviews without a case': {
    advance: (situation) => {
      const plan = advance(situation)
      if (plan.kind !== 'walk') return plan
      const { opens: _, ...walk } = plan
      return walk
    },
    found: /waits for somebody: REVIEW|waits and goes on only with its case|what is planned is carried out: decided_by_case/,
  },
  'stops at what was cancelled': {
    advance: (situation) => (situation.transfer.status === 'TO_CANCEL' ? { kind: 'wait' } : advance(situation)),
    found: /waits for somebody: TO_CANCEL/,
  },
}

const changes = {
  ...Object.fromEntries(Object.entries(planted).map(([bug, { decide, found }]) => [bug, { changed: { decide }, found }])),
  ...Object.fromEntries(
    Object.entries(misplanned).map(([what, { advance, found }]) => [`a planner that ${what}`, { changed: { advance }, found }]),
  ),
} satisfies Record<string, { changed: Changed; found: RegExp }>

for (const [bug, { changed, found }] of Object.entries(changes)) {
  test(`the simulation notices ${bug}, and replays it`, () => {
    const failure = failureOf(changed)
    assert.match(failure.message, found)
    const again = () => simulate({ seed: failure.seed, steps: 300, tally: new Tally(), ...changed })
    assert.throws(again, { name: 'SimulationFailure', step: failure.step, command: failure.command })
  })
}
