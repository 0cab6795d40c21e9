// The worker that sends payments out of the bank, in steps that can each be repeated. Several instances may run it.
import { Rounds } from '../platform/rounds.ts'
import { WakeQueue } from '../platform/wake-queue.ts'
import { instantRails } from '../schemes/schemes.ts'
import { type Changed, findStandings, type StandingNow } from '../transfers/transfers.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { collectPayments } from './packs/rails.collect.ts'
import { commitPacks } from './packs/rails.commit.ts'
import { isInstantToSend, sendInstant } from './packs/rails.instant.ts'
import { questionOverdue } from './packs/rails.overdue.ts'
import { packPayments } from './packs/rails.pack.ts'
import { most, type Packing, readRails } from './packs/rails.packing.ts'
import { selectInstant } from './packs/rails.packs.sql.ts'
import { resendPayments } from './packs/rails.resend.ts'
import { sealPacks } from './packs/rails.seal.ts'
import { deliverSealed, deliverTogether } from './rails.delivery.ts'

/** The steps of a payment on its way out, in order. Each returns how much it has done. */
export const steps = {
  instant: sendWaiting,
  collect: collectPayments,
  pack: packPayments,
  commit: commitPacks,
  seal: sealPacks,
  question: questionOverdue,
  resend: resendPayments,
  deliver: deliverSealed,
} satisfies Record<string, (packing: Packing) => Promise<number>>

type Options = Packing & { every_ms?: number }

export class Sending {
  readonly #packing: Packing
  readonly #rounds: Rounds
  /** Instant payments that are ready to be sent. */
  readonly #wakeQueue: WakeQueue<StandingNow>

  constructor({ every_ms = 1_000, ...packing }: Options) {
    this.#packing = packing
    this.#rounds = new Rounds({ every_ms, first: 'at once', work: () => this.#round() })
    this.#wakeQueue = new WakeQueue({ most, work: (standings) => this.#sendWoken(standings) })
  }

  /** Without an exchange nothing is collected: payments wait. */
  start(): void {
    if (this.#packing.exchange === undefined) return
    this.#wakeQueue.start()
    this.#packing.transfers.watchers.add(this.#wake)
    this.#rounds.start()
  }

  /** Sends nothing more and waits for running work. */
  async stop(): Promise<void> {
    this.#packing.transfers.watchers.delete(this.#wake)
    await Promise.all([this.#rounds.stop(), this.#wakeQueue.stop()])
  }

  /** Does all work that is due. For tests, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#pass()) > 0);
  }

  readonly #wake = (changed: readonly Changed[]): void => {
    const ready = changed.flatMap(({ standing }) => (standing !== undefined && isInstantToSend(standing.transfer) ? standing : []))
    this.#wakeQueue.wake(ready.map((standing) => [standing.transfer.id, standing]))
  }

  async #sendWoken(standings: readonly StandingNow[]): Promise<void> {
    await sendAtOnce(this.#packing, standings).catch((error: unknown) =>
      this.#packing.log.warn({ err: error }, 'instant payments could not be sent'),
    )
  }

  async #round(): Promise<void> {
    await this.#pass()
  }

  /** A step that fails does not delay the others: the next round repeats it. */
  async #pass(): Promise<number> {
    if (this.#packing.exchange === undefined) return 0
    let done = 0
    for (const [name, step] of Object.entries(steps)) {
      if (this.#rounds.isStopping) break
      done += await this.#guarded(name, () => step(this.#packing))
    }
    return done
  }

  async #guarded(step: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      this.#packing.log.warn({ err: error, step }, 'payments could not be taken out of the bank')
      return 0
    }
  }
}

async function sendAtOnce(packing: Packing, standings: readonly StandingNow[]): Promise<number> {
  const { messages, ended } = await sendInstant(packing, standings)
  await deliverTogether(packing, messages)
  return messages.length + ended
}

/** Instant payments that this instance was not notified of. */
async function sendWaiting(packing: Packing): Promise<number> {
  const { database, transfers } = packing
  const [book, now] = [await readRails(packing), packing.now()]
  const rails = instantRails.filter((rail) => book.isActive(rail, now))
  const ventures = rails.length === 0 ? [] : await listManagedIds(database)
  let [done, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const keys = await selectInstant(database, { ventures, rails, after, limit: most })
    if (keys.length > 0) done += await sendAtOnce(packing, await findStandings(transfers, keys))
    if (keys.length < most) return done
    after = keys.at(-1)?.id ?? after
  }
}
