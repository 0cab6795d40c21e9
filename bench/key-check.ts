// How much of the HTTP side's speed is left when every request's key is looked up in the database?
//   npm run bench:key-check
import { type LoadSpec, load, requireStatus } from './load.ts'
import { onStage } from './stage.ts'

const rounds = 3
const seconds = 5

await onStage(async ({ port, registerVenture }) => {
  const { api_key } = await registerVenture()
  const measure = async (path: string, seconds: number) => {
    const spec: LoadSpec = { port, connections: 64, seconds, method: 'GET', paths: [path], keys: [api_key] }
    const result = await load(spec)
    requireStatus(result, '200')
    return result
  }
  await measure('/fixed', 2)
  await measure('/api/v1/venture', 2)
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const fixed = await measure('/fixed', seconds)
    const checked = await measure('/api/v1/venture', seconds)
    const ratio = checked.perSecond / fixed.perSecond
    ratios.push(ratio)
    const figures = (name: string, { perSecond, p50_ms, p99_ms }: typeof fixed) =>
      `${name} ${perSecond.toFixed(0)}/s (p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms)`
    console.log(
      `round ${round} of ${rounds}: ${figures('no database', fixed)}, ${figures('key checked', checked)}, ratio ${ratio.toFixed(2)}`,
    )
  }
  ratios.sort((a, b) => a - b)
  console.log(`median ratio ${ratios[Math.floor(rounds / 2)]?.toFixed(2)}`)
})
