// Loaded into a service by an experiment alone (node --import): shifts what the process takes for the time by what a file says.
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const RealDate = Date
let offset_ms = 0

function look(): void {
  try {
    offset_ms = Number(readFileSync(file, 'utf8'))
  } catch {
    // Somebody is writing it: the next look will tell.
  }
}

look()
setInterval(look, 20).unref()

const now = () => RealDate.now() + offset_ms

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
