// Forwards a venture's events to a local server, like webhooks.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Vostro, type VostroEvent, VostroProblem } from '@vostro/sdk'
import { writePrivately } from '../config.ts'
import { reasonOf, UsageError } from '../failures.ts'
import { Forwarder, type Outcome, type Position, Progress } from '../forwarding.ts'
import type { Output } from '../output.ts'
import { countOf } from '../resources.ts'
import type { Call, Command } from '../table.ts'
import { patiently, pause } from '../waiting.ts'
import { triggers } from './trigger.ts'

export const listenCommands: readonly Command[] = [
  {
    words: ['listen'],
    summary: 'Forward events to an address, signed, as they happen.',
    details:
      'Prints Ready once the service has responded. Events that occur while the command is stopped are forwarded on the next start, from the position\n' +
      'stored in the config folder. Events of one resource arrive in order: one that is not accepted is retried, and later ones wait.\n' +
      'Resent events (vostro events resend, vostro webhooks redeliver) are forwarded again.',
    options: {
      'forward-to': { describe: 'The address, such as localhost:3000/hooks?x=y.', value: 'ADDRESS' },
      types: { describe: 'Only events of these types, separated by commas.', value: 'TYPES' },
      since: {
        describe: 'Start after the event with this id, with all events (start) or with new ones (now), instead of the stored position.',
        value: 'ID',
      },
      secret: { describe: 'The signing secret. By default, one is created and stored.', value: 'SECRET' },
      attempts: { describe: 'Give up on an event after this many responses other than 2xx (default 10).', value: 'NUMBER' },
    },
    run: listen,
  },
]

/** The polling interval. */
const every_ms = 500

/** `pid`: the forwarding process, while it runs. */
type State = { secret: string; events: Position; resends: Position; pid?: number | undefined }

async function listen(call: Call): Promise<void> {
  const target = targetOf(call.text('forward-to'))
  const types = typesOf(call.text('types'))
  const since = sinceOf(call.text('since'))
  const attempts = countOf(call.text('attempts') ?? '10', '--attempts')
  const { out, settings } = call
  const vostro = call.vostro()
  const stopped = call.stopped()
  const stop = new AbortController()
  const signal = AbortSignal.any([stopped, stop.signal])

  const patience = {
    signal,
    onLost: (error: Error) => out.note(`The service cannot be reached at ${settings.url}, trying again: ${reasonOf(error)}`),
  }
  const venture = await patiently(() => vostro.venture.get({ maxRetries: 0 }), patience)
  if (venture === undefined) return
  const file = stateFile(settings.folder, `${settings.url} ${venture.id} ${target.href}`)
  const secret = secretOf(call.text('secret'))
  const kept = readState(file, out)
  const state = await patiently(() => beginning(vostro, { kept, since, secret }, call), patience)
  if (state === undefined) return
  if (kept?.pid !== undefined && isRunning(kept.pid))
    out.note(`Another \`vostro listen\` (process ${kept.pid}) also forwards to this address, so events arrive twice.`)
  const [events, resends] = [new Progress(state.events), new Progress(state.resends)]
  let failure: unknown
  const save = (pid?: number) =>
    writePrivately(file, `${JSON.stringify({ secret: state.secret, events: events.position, resends: resends.position, pid })}\n`)
  save(process.pid)

  const teller = new Teller(call, target)
  const forwarder = new Forwarder({ target, secret: state.secret, attempts, signal, onOutcome: (outcome) => teller.tell(outcome) })
  const forward = async (event: VostroEvent, progress: Progress, place: string, resent: boolean) => {
    const finish = progress.begin(place)
    if (finish === undefined) return
    const onDone = () => {
      finish()
      try {
        save(process.pid)
      } catch (error) {
        // Without its position, the next run would forward everything again.
        failure ??= error
        stop.abort()
      }
    }
    if (types !== undefined && !types.has(event.type)) return onDone()
    await forwarder.take(event, { resent, onDone })
  }

  let isReady = false
  const onConnected = () => {
    if (isReady) out.note('Connected again.')
    else {
      out.item(
        { ready: true, venture_id: venture.id, forward_to: target.href, secret: state.secret },
        `Ready: events of ${venture.name} go to ${target.href}\nThe secret that signs them: ${state.secret}`,
      )
    }
    isReady = true
  }
  const onLost = (error: Error) => teller.lost(error)
  const followEvents = async () => {
    for await (const event of vostro.events.follow({ since: events.since, signal, interval_ms: every_ms, onConnected, onLost }))
      await forward(event, events, event.id, false)
  }
  let lastSeen = Number(resends.since)
  const followResends = async () => {
    while (!signal.aborted) {
      const page = await patiently(() => vostro.events.listResends({ since_number: lastSeen, limit: 100 }).page(), { signal })
      for (const { event_id, number } of page?.items ?? []) {
        const event = await patiently(() => vostro.events.get(event_id), { signal })
        if (event === undefined) return
        lastSeen = number
        await forward(event, resends, String(number), true)
      }
      if (page?.items.length !== 100) await pause(every_ms, signal)
    }
  }
  const both = [followEvents(), followResends()]
  try {
    await Promise.all(both)
  } finally {
    stop.abort()
    await Promise.allSettled(both)
    await forwarder.settled()
  }
  if (failure !== undefined) throw failure
  save()
  out.note('Stopped. The next `vostro listen` to this address continues from here.')
}

export function targetOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('--forward-to is missing. Give an address such as localhost:3000/hooks.')
  // The URL parser accepts a number as an address, such as 0.0.11.184.
  if (/^:?\d+(\/|$)/.test(text)) throw new UsageError(`${text} is not an address. Use one such as localhost:${text.replace(/^:/, '')}.`)
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(full)) throw new UsageError(`${text} is not an address. Use one such as localhost:3000/hooks.`)
  const url = new URL(full)
  if (!/^https?:$/.test(url.protocol)) throw new UsageError(`Events cannot be sent to ${text}. The address must use http or https.`)
  return url
}

function typesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !(type in triggers))
  if (unknown !== undefined) throw new UsageError(`There are no events of the type ${unknown}: \`vostro trigger --list\` lists all types.`)
  return new Set(types)
}

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined || /^(start|now|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)) return text?.toLowerCase()
  throw new UsageError(`--since must be start, now or the id of an event, not ${text}.`)
}

function secretOf(text: string | undefined): string | undefined {
  if (text === undefined || /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) return text
  throw new UsageError('--secret must be whsec_ followed by at least 16 base64 characters.')
}

function stateFile(folder: string, name: string): string {
  return join(folder, 'listen', `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.json`)
}

function readState(file: string, out: Output): State | undefined {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as State
    const isWhole = [state.secret, state.events.since, state.resends.since].every((value) => typeof value === 'string')
    if (isWhole && [state.events.ahead, state.resends.ahead].every(Array.isArray)) return state
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  }
  out.note(`${file}, which stores the position of the last run, cannot be read. Only new events are forwarded, with a new secret.`)
  return undefined
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

type Wanted = { kept: State | undefined; since: string | undefined; secret: string | undefined }

/** The start position: where the last run stopped, or now. */
async function beginning(vostro: Vostro, { kept, since, secret }: Wanted, { out }: Call): Promise<State> {
  const options = { maxRetries: 0 }
  const [lastEvent] = (await vostro.events.list({ since: 'now' }, options).page()).items
  const [newestResend] = (await vostro.events.listResends({ limit: 1 }, options).page()).items
  const now: Omit<State, 'secret'> = {
    events: { since: lastEvent?.id ?? 'start', ahead: [] },
    resends: { since: String(newestResend?.number ?? 0), ahead: [] },
  }
  const chosen = secret ?? kept?.secret ?? `whsec_${randomBytes(24).toString('base64')}`
  if (since !== undefined) return { secret: chosen, ...now, ...(since === 'now' ? {} : { events: { since, ahead: [] } }) }
  if (kept === undefined) return { secret: chosen, ...now }
  const isKnown = (await isKnownPlace(vostro, kept.events.since)) && Number(kept.resends.since) <= Number(now.resends.since)
  if (isKnown) return { ...kept, secret: chosen }
  out.note('The service does not know the last forwarded event; it may have a different database. Only new events are forwarded.')
  return { secret: chosen, ...now }
}

async function isKnownPlace(vostro: Vostro, since: string): Promise<boolean> {
  if (since === 'start') return true
  try {
    await vostro.events.get(since, { maxRetries: 0 })
    return true
  } catch (error) {
    if (error instanceof VostroProblem && error.code === 'event_not_found') return false
    throw error
  }
}

/** Reports the outcome of events, and only once that the target or the service is unreachable. */
class Teller {
  readonly #call: Call
  readonly #target: URL
  #isAway = false

  constructor(call: Call, target: URL) {
    this.#call = call
    this.#target = target
  }

  lost(error: Error): void {
    this.#call.out.note(`The service does not answer, trying again: ${reasonOf(error)}`)
  }

  tell(outcome: Outcome): void {
    const { out } = this.#call
    const { event, resent, attempt, duration_ms } = outcome
    if (outcome.status === undefined) {
      if (!this.#isAway) out.note(`${this.#target.href} cannot be reached, retrying: ${outcome.error}`)
      this.#isAway = true
      return
    }
    this.#isAway = false
    const { status, gaveUp } = outcome
    const { id, type } = event
    const line = `${new Date().toISOString()}  ${status}  ${type}  ${id}  ${duration_ms} ms${resent ? '  (resent)' : ''}${attempt > 1 ? `  (attempt ${attempt})` : ''}`
    out.item({ event_id: id, type, resource_id: event.data.object.id, status, attempt, duration_ms, resent, gave_up: gaveUp }, line)
    if (gaveUp) out.note(`Gave up after ${attempt} attempts. To resend the event: vostro events resend ${id}`)
  }
}
