// The phases of an attack: first requests that must be refused and store nothing, in batches and one by one, then everything.

import { isAccepted } from './fuzz.checks.ts'
import type { Run } from './fuzz.run.ts'
import { changedIn, type Storage } from './fuzz.storage.ts'
import { corpusOf } from './requests/fuzz.corpus.ts'
import type { Request } from './requests/fuzz.request.ts'
import type { Fuzzer } from './requests/fuzz.requests.ts'
import type { Target } from './requests/fuzz.targets.ts'

export type Attack = {
  run: Run
  storage: Storage
  fuzzer: Fuzzer
  lanes: number
  /** Tables that the service writes independently of requests. */
  except: readonly string[]
  /**
   * How often refused requests must be seen to store something before it counts: more than once where the service works in the background
   * and may have written it.
   */
  repeats: number
  /** Lets the work end that earlier requests have left to the background. */
  rest?: () => Promise<void>
  /** Ends the attack before its time. */
  enough?: AbortSignal
}

/** Every attack of the table on every route. After each route, nothing may have been stored. */
export async function sendCorpus(attack: Attack, targets: readonly Target[]): Promise<void> {
  for (const target of targets) if (!attack.enough?.aborted) await sendWithoutTrace(attack, corpusOf(target, attack.fuzzer.composer))
}

/** Random requests that are wrong by construction, in batches, with a check of the storage after each batch. */
export async function sendRefused(attack: Attack, numbers: Iterable<number>, batch: number): Promise<void> {
  const left = [...numbers]
  while (left.length > 0 && !attack.enough?.aborted) {
    await sendWithoutTrace(
      attack,
      left.splice(0, batch).flatMap((number) => attack.fuzzer.refused(number) ?? []),
    )
  }
}

async function sendWithoutTrace(attack: Attack, requests: readonly Request[]): Promise<void> {
  const { run, lanes, repeats } = attack
  for (let count = 0; count < repeats; count++) {
    if (count > 0) await attack.rest?.()
    const left = requests.values()
    const changed = await changedBy(attack, () => run.sendAll(() => left.next().value, lanes))
    if (changed.length === 0) return
    if (count === repeats - 1) await findCulprit(attack, requests, changed)
  }
}

/** The tables that were written meanwhile. */
async function changedBy({ storage, except }: Attack, act: () => Promise<unknown>): Promise<string[]> {
  const before = await storage.print({ except })
  await act()
  return changedIn(before, await storage.print({ except }))
}

/** Sends each request again, alone. If none of them reproduces the write, the batch as a whole is the finding. */
async function findCulprit(attack: Attack, requests: readonly Request[], changed: readonly string[]): Promise<void> {
  const { run } = attack
  for (const request of requests) {
    const what = await changedBy(attack, () => run.send(request))
    if (what.length > 0) return run.report({ kind: 'stored', request, answer: await run.send(request), what: `in ${what.join(', ')}` })
  }
  const [request] = requests
  if (request === undefined) return
  const what = `in ${changed.join(', ')}, by this request or one of the ${requests.length} sent with it`
  run.report({ kind: 'stored', request, answer: await run.send(request), what })
}

/** Any requests, one after the other: a refused one has stored nothing, even if it was the database that refused it. */
export async function sendOneByOne(attack: Attack, numbers: Iterable<number>): Promise<void> {
  for (const number of numbers) if (!attack.enough?.aborted) await sendAlone(attack, attack.fuzzer.any(number))
}

async function sendAlone(attack: Attack, request: Request): Promise<void> {
  const { run, repeats } = attack
  for (let count = 0; count < repeats; count++) {
    if (count > 0) await attack.rest?.()
    const before = await attack.storage.print({ except: attack.except })
    const answer = await run.send(request)
    if (isAccepted(answer) || isDisclosing(request)) return
    const changed = changedIn(before, await attack.storage.print({ except: attack.except }))
    if (changed.length === 0) return
    if (count === repeats - 1) run.report({ kind: 'stored', request, answer, what: `in ${changed.join(', ')}` })
  }
}

/** A refusal that follows a query to the gateway records what the gateway reported; that is not the caller's doing. */
const disclosing = ['POST /api/v1/payments/:payment_id/cancel', 'POST /api/v1/payments/:payment_id/refund']

function isDisclosing({ target }: Request): boolean {
  return disclosing.includes(target.id)
}

/** All kinds of requests, concurrently. */
export async function sendAny({ run, fuzzer, lanes, enough }: Attack, numbers: Iterable<number>): Promise<void> {
  const left = numbers[Symbol.iterator]()
  await run.sendAll(() => {
    const { value, done } = left.next()
    return done || enough?.aborted ? undefined : fuzzer.any(value)
  }, lanes)
}

export function* upTo(first: number, last: number): Generator<number> {
  for (let number = first; number < last; number++) yield number
}
