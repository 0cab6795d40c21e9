// The quick start of the README, against the real process with its embedded database and sandboxes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { ServiceProcess, stopProcesses } from '../../server/src/testing/testing.process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = makeDataFolder('quickstart')

after(async () => {
  await stopProcesses()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

test('docs/quickstart.ts takes a payment to its end, twice on one service, in less than 60 lines', async () => {
  const service = new ServiceProcess({ DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent' })
  const base = await service.ready()
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { quickstart: string } }
  const [, flag = '', file = ''] = / node (--\S+) (\S+)$/.exec(scripts.quickstart) ?? []
  const code = readFileSync(join(root, file), 'utf8')
  assert.ok(code.trimEnd().split('\n').length < 60)
  for (const _ of [1, 2]) {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [flag, join(root, file), base], { cwd: folder, env: {} })
    assert.match(stdout, /^Ordered \S+: CREATED\nCompleted, says the webhook \S+\nBalance: 70\.00\n$/)
    assert.equal(stderr, '')
  }
})
