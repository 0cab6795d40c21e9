// Measures the time from `npm start` to ready with an existing database, including npm's own start-up.
//   npm run bench:start
//   npm run bench:start -- --times 10

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '../server/src/testing/testing.folders.ts'
import { median } from './figures.ts'
import { flagsOf } from './flags.ts'

const values = flagsOf('npm run bench:start -- [--times N]', { times: { type: 'string', default: '7' } })
const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = makeDataFolder('bench')

async function start_ms(): Promise<number> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    // biome-ignore lint/style/noProcessEnv: npm needs its environment
    env: { ...process.env, DATA_DIR: join(dataDir, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    if (said.includes('Vostro is ready on')) break
  }
  const took = performance.now() - began
  child.kill('SIGTERM')
  await ended
  return took
}

try {
  console.log(`the first, which makes the database: ${(await start_ms()).toFixed(0)} ms`)
  const warm: number[] = []
  for (let time = 0; time < Number(values.times); time++) {
    warm.push(await start_ms())
    console.log(`warm: ${warm.at(-1)?.toFixed(0)} ms`)
  }
  console.log(`median of the warm starts: ${median(warm).toFixed(0)} ms`)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
