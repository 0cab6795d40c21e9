// One of several instances, as a separate process. It follows the main process, and ends with it.
import { flushCompileCache } from 'node:module'
import type { FromInstance, ToInstance } from './instances.messages.ts'
import { createLog } from './platform/log.ts'
import type { Siblings, Snapshot } from './platform/metrics.ts'
import { StartupError } from './platform/startup-error.ts'
import { type Instance, startInstance } from './service.ts'

// Ctrl-C in a terminal reaches every process. The main process lets this one finish its requests first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const tell = (message: FromInstance) => void process.send?.(message)

let asked = 0
const questions = new Map<number, (snapshots: readonly Snapshot[]) => void>()
let measureSelf: (() => Promise<Snapshot>) | undefined

const siblings: Siblings = {
  answer(own) {
    measureSelf = own
  },
  ask: () =>
    new Promise((resolve) => {
      const number = ++asked
      questions.set(number, resolve)
      tell({ kind: 'measure-all', number })
    }),
}

let instance: Promise<Instance> | undefined

async function begin({ start, first }: Extract<ToInstance, { kind: 'start' }>): Promise<void> {
  try {
    instance = startInstance(start, { log: createLog(start.config.logLevel), first, siblings })
    const { url, setUpUrl, adminKeyMay, hasBankAdmin } = await instance
    tell({ kind: 'started', told: { url, setUpUrl, adminKeyMay, hasBankAdmin } })
    flushCompileCache()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    tell({ kind: 'refused', reason: error.message })
  }
}

async function measure(number: number): Promise<void> {
  const snapshot = (await measureSelf?.()) ?? { metrics: [], recent: 0 }
  tell({ kind: 'snapshot', number, snapshot })
}

async function end(how: 'leave' | 'stop'): Promise<void> {
  await (await instance?.catch(() => undefined))?.[how]()
  process.exit(0)
}

process.on('message', (message: ToInstance) => {
  switch (message.kind) {
    case 'start':
      return void begin(message)
    case 'build-console':
      return void instance?.then(({ buildConsole }) => buildConsole())
    case 'measure':
      return void measure(message.number)
    case 'measured':
      questions.get(message.number)?.(message.snapshots)
      return void questions.delete(message.number)
    case 'leave':
    case 'stop':
      return void end(message.kind)
  }
})
