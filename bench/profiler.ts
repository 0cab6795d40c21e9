// Samples the service's CPU use by module.
import { Session } from 'node:inspector/promises'

type Frame = { functionName: string; url: string }
export type Spent = { what: string; share: number }
export type Profile = { parts: Spent[]; functions: Spent[] }

/** Starts sampling this process; the returned function stops and returns the totals. */
export async function sampleSelf(): Promise<() => Promise<Profile>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
    const parts = new Map<string, number>()
    const functions = new Map<string, number>()
    let busy = 0
    for (const [index, id] of (profile.samples ?? []).entries()) {
      const frame = frames.get(id)
      if (frame === undefined || frame.functionName === '(idle)') continue
      const spent = profile.timeDeltas?.[index] ?? 0
      busy += spent
      add(parts, partOf(frame), spent)
      add(functions, `${frame.functionName || '(anonymous)'}  ${placeOf(frame)}`, spent)
    }
    return { parts: largest(parts, busy), functions: largest(functions, busy) }
  }
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

function largest(sums: Map<string, number>, whole: number): Spent[] {
  return [...sums]
    .map(([what, spent]) => ({ what, share: spent / whole }))
    .sort((a, b) => b.share - a.share)
    .slice(0, 30)
}

/** A package, a file of ours, or a part of Node. */
function partOf(frame: Frame): string {
  const { functionName, url } = frame
  if (url === '') return functionName.startsWith('(') ? functionName : 'node, native code'
  return placeOf(frame)
}

function placeOf({ url }: Frame): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return inPackage ?? url.replace(/^.*\/(server\/src|bench)\//, '$1/').replace(/^server\/src\//, '')
}
