// Checks which Node the service needs, and that an older one gets a clear error.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
const check = fileURLToPath(new URL('server/node-version.js', root))

/** Runs a script behind the version check, as if on another version. */
function start(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const flags = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, `--import=${check}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', "console.log('started')"], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('a Node that is too old prints in one sentence which one is needed, and starts nothing', () => {
  for (const version of ['18.20.8', '20.20.2', '22.18.0', '24.1.9']) {
    assert.deepEqual(start(version), {
      status: 1,
      stdout: '',
      stderr: `Vostro needs Node.js 24.2 or newer, but this is Node.js ${version}.\n`,
    })
  }
})

test('a Node that is new enough prints nothing', () => {
  for (const version of ['24.2.0', '24.10.1', '25.0.0', '26.10.0', '100.0.0', process.versions.node]) {
    assert.deepEqual(start(version), { status: 0, stdout: 'started\n', stderr: '' })
  }
})

test('the public scripts check the version first, and the README names the same one', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  for (const name of ['start', 'migrate', 'verify', 'test']) assert.match(scripts[name], /^node server\/node-version\.js && /, name)
  assert.match(await readFile(new URL('README.md', root), 'utf8'), /20 or newer on Linux, 24\.2 or newer elsewhere/)
})

test('our own packages declare the versions of the README, so npm does not warn because of them', async () => {
  for (const file of ['package.json', 'server/package.json']) {
    assert.deepEqual(JSON.parse(await readFile(new URL(file, root), 'utf8')).engines, { node: '>=20' }, file)
  }
})
