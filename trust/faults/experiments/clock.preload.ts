// Preloaded into the service by an experiment (node --import): shifts the process's clock by the offset in a file.
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const RealDate = Date
let offset_ms = 0

function look(): void {
  try {
    offset_ms = Number(readFileSync(file, 'utf8'))
  } catch {
    // The file is being written; the next read gets the offset.
  }
}

look()
setInterval(look, 20).unref()

const now = () => RealDate.now() + offset_ms

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
