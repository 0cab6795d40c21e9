import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Refusal } from '../values/refusals.ts'
import { Batches, type CarryOut, SomeAlone } from './batches.ts'

const patient = { wait_ms: 60_000 }

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

test('commands that arrive together share a batch; those that arrive while it runs share the next', async () => {
  const carried: number[][] = []
  const gate = Promise.withResolvers<void>()
  const batches = new Batches<number, number>(async (commands) => {
    carried.push(commands)
    await gate.promise
    return commands.map((command) => command * 10)
  }, patient)
  const first = [1, 2, 3].map((command) => batches.submit(command))
  while (carried.length === 0) await sleep(1)
  const second = [4, 5].map((command) => batches.submit(command))
  gate.resolve()
  assert.deepEqual(await Promise.all([...first, ...second]), [10, 20, 30, 40, 50])
  assert.deepEqual(carried, [
    [1, 2, 3],
    [4, 5],
  ])
})

test('commands that are kept apart run side by side, each in a batch with those of its kind', async () => {
  const carried: string[][] = []
  const gate = Promise.withResolvers<void>()
  const batches = new Batches<string, string>(
    async (commands) => {
      carried.push(commands)
      if (commands.includes('a1')) await gate.promise
      return commands
    },
    { ...patient, apart: ([kind = '']) => kind },
  )
  const slow = batches.submit('a1')
  assert.deepEqual(await Promise.all([batches.submit('b1'), batches.submit('b2')]), ['b1', 'b2'])
  const waiting = batches.submit('a2')
  assert.equal(await batches.submit('b3'), 'b3')
  assert.ok(!carried.flat().includes('a2'), 'commands of one kind take turns')
  gate.resolve()
  assert.deepEqual(await Promise.all([slow, waiting]), ['a1', 'a2'])
  assert.deepEqual(carried, [['a1'], ['b1', 'b2'], ['b3'], ['a2']])
})

/** Batches that are sent at once and end when the test says so. `carried`: the commands of each batch; `end`: lets it end. */
function overlapping() {
  const carried: string[][] = []
  const end: (() => void)[] = []
  const carryOut: CarryOut<string, string> = async (commands, _, onSent) => {
    carried.push(commands)
    const { promise, resolve } = Promise.withResolvers<void>()
    end.push(resolve)
    onSent?.()
    await promise
    return commands
  }
  return { carried, end, batches: new Batches<string, string>(carryOut, { ...patient, overlaps: true }) }
}

/** Lets everything begin that can begin now. */
const begun = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a batch begins while two are committed, and a fourth one does not', async () => {
  const { carried, end, batches } = overlapping()
  const answers: Promise<string>[] = []
  for (const command of ['a', 'b', 'c', 'd']) {
    answers.push(batches.submit(command))
    await begun()
  }
  assert.deepEqual(carried, [['a'], ['b'], ['c']])
  end[0]?.()
  await begun()
  assert.deepEqual(carried, [['a'], ['b'], ['c'], ['d']])
  for (const place of [3, 1, 2]) end[place]?.()
  assert.deepEqual(await Promise.all(answers), ['a', 'b', 'c', 'd'])
})

/** Two batches: the first, with two commands, has ended, and the second has not. */
async function oneOfTwo() {
  const { carried, end, batches } = overlapping()
  const first = [batches.submit('a1'), batches.submit('a2')]
  await begun()
  const second = batches.submit('b')
  await begun()
  end[0]?.()
  await Promise.all(first)
  return { carried, end, batches, second }
}

test('while another one is committed, a batch begins when as many wait as the last one had', async () => {
  const { carried, end, batches, second } = await oneOfTwo()
  const third = [batches.submit('a3')]
  await begun()
  assert.equal(carried.length, 2, 'one waits, and the last batch had two')
  third.push(batches.submit('a4'))
  await begun()
  assert.deepEqual(carried.at(-1), ['a3', 'a4'])
  end[1]?.()
  end[2]?.()
  assert.deepEqual(await Promise.all([second, ...third]), ['b', 'a3', 'a4'])
})

test('twenty commands are enough for a batch, however many the last one had', async () => {
  const { carried, end, batches } = overlapping()
  const submit = (count: number) => Array.from({ length: count }, (_, n) => batches.submit(String(n)))
  const first = submit(40)
  await begun()
  const second = batches.submit('b')
  await begun()
  end[0]?.()
  await Promise.all(first)
  const third = submit(19)
  await begun()
  assert.equal(carried.length, 2)
  third.push(batches.submit('19'))
  await begun()
  assert.deepEqual(
    carried.at(-1),
    Array.from({ length: 20 }, (_, n) => String(n)),
  )
  end[1]?.()
  end[2]?.()
  await Promise.all([second, ...third])
})

test('a smaller batch begins when all others have ended', async () => {
  const { carried, end, batches, second } = await oneOfTwo()
  const third = batches.submit('a3')
  await begun()
  assert.equal(carried.length, 2)
  end[1]?.()
  await second
  await begun()
  assert.deepEqual(carried.at(-1), ['a3'])
  end[2]?.()
  assert.equal(await third, 'a3')
})

test('a batch that does not end holds up no smaller one behind it', async () => {
  const { carried, end, batches, second } = await oneOfTwo()
  await sleep(300)
  const third = batches.submit('a3')
  await begun()
  assert.deepEqual(carried.at(-1), ['a3'])
  end[2]?.()
  assert.equal(await third, 'a3')
  end[1]?.()
  assert.equal(await second, 'b')
})

test('a batch that fails is run again in parts, and others go on beside them', async () => {
  const carried: string[][] = []
  const parts = Promise.withResolvers<void>()
  const carryOut: CarryOut<string, string> = async (commands, _, onSent) => {
    carried.push(commands)
    if (commands.length === 3) throw new Error('refused before it was sent')
    onSent?.()
    if (commands.includes('a')) await parts.promise
    if (commands.includes('bad')) throw new Error('refused by the COMMIT')
    return commands
  }
  const batches = new Batches<string, string>(carryOut, { ...patient, overlaps: true })
  const first = ['a', 'b', 'bad'].map((command) => outcome(batches.submit(command)))
  await begun()
  assert.equal(await batches.submit('c'), 'c', 'a part says that it was sent, too')
  parts.resolve()
  const [a, b, bad] = await Promise.all(first)
  assert.deepEqual([a, b], [{ value: 'a' }, { value: 'b' }])
  assert.ok(bad !== undefined && 'error' in bad)
  assert.equal(await batches.submit('d'), 'd')
  assert.deepEqual(carried, [['a', 'b', 'bad'], ['a', 'b'], ['c'], ['bad'], ['d']])
})

test('batches take turns unless they are to overlap', async () => {
  const asked: unknown[] = []
  const carryOut: CarryOut<string, string> = async (commands, _, onSent) => {
    asked.push(onSent)
    return commands
  }
  await new Batches<string, string>(carryOut, patient).submit('a')
  assert.deepEqual(asked, [undefined])
})

/** Batches that gather and take this long. */
function gathering<Command>(took_ms: number, options: { size?: number } = {}) {
  const carried: Command[][] = []
  const carryOut = async (commands: Command[]) => {
    carried.push(commands)
    await sleep(took_ms)
    return commands
  }
  return { carried, batches: new Batches<Command, Command>(carryOut, { ...patient, ...options, gathers: true }) }
}

test('a batch that gathers waits for those whom the last one has answered, until all are there', async () => {
  const { carried, batches } = gathering<string>(200)
  const again = async (name: string) => {
    await batches.submit(`${name}1`)
    // After the event loop turn in which the batch ended. Timers fire in the order in which they are due.
    await sleep(5)
    await batches.submit(`${name}2`)
  }
  const first = [again('a'), again('b')]
  while (carried.length === 0) await sleep(1)
  await Promise.all([...first, batches.submit('c1')])
  assert.deepEqual(carried, [
    ['a1', 'b1'],
    ['c1', 'a2', 'b2'],
  ])
})

test('a batch that gathers does not wait for ever, and a first command not at all', async () => {
  const { carried, batches } = gathering<string>(20)
  const first = [batches.submit('a'), batches.submit('b')]
  while (carried.length === 0) await sleep(1)
  await Promise.all([...first, batches.submit('c')])
  assert.deepEqual(carried, [['a', 'b'], ['c']])
  await sleep(100)
  const later = batches.submit('d')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  assert.deepEqual(carried.at(-1), ['d'], 'it is carried out at once')
  await later
})

test('a batch that is full waits for nobody', async () => {
  const { carried, batches } = gathering<number>(100, { size: 4 })
  const all = Array.from({ length: 8 }, (_, index) => batches.submit(index))
  await Promise.all(all.slice(0, 4))
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(carried, [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ])
  await Promise.all(all)
})

test('a batch never exceeds its maximum size', async () => {
  const sizes: number[] = []
  const batches = new Batches<number, number>(
    async (commands) => {
      sizes.push(commands.length)
      return commands
    },
    { size: 4, ...patient },
  )
  await Promise.all(Array.from({ length: 10 }, (_, index) => batches.submit(index)))
  assert.deepEqual(sizes, [4, 4, 2])
})

test('commands that count as several fill a batch sooner, and one that counts as more than a batch has one to itself', async () => {
  const carried: number[][] = []
  const batches = new Batches<number, number>(
    async (commands) => {
      carried.push(commands)
      return commands
    },
    { size: 4, weigh: (command) => command, ...patient },
  )
  await Promise.all([1, 3, 0, 1, 9, 2, 2].map((command) => batches.submit(command)))
  assert.deepEqual(carried, [[1, 3, 0], [1], [9], [2, 2]])
})

test('commands that have to be carried out alone are, after the others of their batch', async () => {
  const carried: number[][] = []
  const batches = new Batches<number, number>(async (commands) => {
    carried.push(commands)
    const places = commands.flatMap((command, place) => (command % 2 === 0 ? [place] : []))
    if (commands.length > 1 && places.length > 0) throw new SomeAlone(new Set(places))
    return commands
  }, patient)
  const results = await Promise.all([1, 2, 3, 4, 5].map((command) => batches.submit(command)))
  assert.deepEqual(results, [1, 2, 3, 4, 5])
  assert.deepEqual(carried, [[1, 2, 3, 4, 5], [1, 3, 5], [2], [4]])
})

test('a refused command does not affect the others in its batch', async () => {
  const batches = new Batches<number, number>(
    async (commands) => commands.map((command) => (command === 2 ? new Refusal('email_used') : command)),
    patient,
  )
  const [one, two, three] = await Promise.all([1, 2, 3].map((command) => outcome(batches.submit(command))))
  assert.deepEqual([one, three], [{ value: 1 }, { value: 3 }])
  assert.ok(two && 'error' in two && two.error instanceof Refusal && two.error.code === 'email_used')
})

test('an unexpected failure affects only the commands that cause it, and nothing is done twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(30), { minLength: 1 }), fc.array(fc.nat(30)), async (commands, guilty) => {
      const done: number[] = []
      const batches = new Batches<number, number>(async (batch) => {
        // Like a transaction: either the whole batch happens or none of it.
        if (batch.some((command) => guilty.includes(command))) throw new Error('unforeseen')
        done.push(...batch)
        return batch
      }, patient)
      const outcomes = await Promise.all(commands.map((command) => outcome(batches.submit(command))))
      outcomes.forEach((result, index) => {
        assert.equal('error' in result, guilty.includes(commands[index] as number))
      })
      assert.deepEqual(
        done.toSorted((a, b) => a - b),
        commands.filter((command) => !guilty.includes(command)).toSorted((a, b) => a - b),
      )
    }),
  )
})

test('a refusal of the whole batch reaches every caller, and the batch is not retried', async () => {
  let turns = 0
  const batches = new Batches<number, number>(async () => {
    turns++
    throw new Refusal('outcome_unknown')
  }, patient)
  const outcomes = await Promise.all([1, 2, 3].map((command) => outcome(batches.submit(command))))
  assert.ok(outcomes.every((result) => 'error' in result && result.error instanceof Refusal))
  assert.equal(turns, 1)
})

test('a batch reports how long its first command has been waiting, also when it is retried in halves', async () => {
  const gate = Promise.withResolvers<void>()
  const waits: [number, number][] = []
  const batches = new Batches<number, number>(async (commands, since_ms) => {
    waits.push([commands[0] ?? 0, since_ms])
    await gate.promise
    if (commands.includes(3)) throw new Error('unforeseen')
    return commands
  }, patient)
  const first = batches.submit(1)
  while (waits.length === 0) await sleep(1)
  const before = performance.now()
  const second = batches.submit(2)
  const between = performance.now()
  const third = outcome(batches.submit(3))
  gate.resolve()
  await Promise.all([first, second, third])
  assert.deepEqual(
    waits.map(([command]) => command),
    [1, 2, 2, 3],
  )
  const [one, two, twoAgain, three] = waits.map(([, since_ms]) => since_ms) as [number, number, number, number]
  assert.ok(one <= before && before <= two && two <= between && two === twoAgain && between <= three)
})

test('a command that waits too long for a batch is refused, and nothing is done for it', async () => {
  const gate = Promise.withResolvers<void>()
  const done: number[] = []
  let begun = false
  const batches = new Batches<number, number>(
    async (commands) => {
      begun = true
      await gate.promise
      done.push(...commands)
      return commands
    },
    { wait_ms: 20 },
  )
  const first = batches.submit(1)
  while (!begun) await sleep(1)
  const second = await outcome(batches.submit(2))
  assert.ok('error' in second && second.error instanceof Refusal && second.error.code === 'unavailable')
  gate.resolve()
  assert.equal(await first, 1)
  assert.deepEqual(done, [1])
})
