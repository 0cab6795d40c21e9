import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** A process in which a rejection with this code is handled by nobody. */
function reject(code: string) {
  const program = `
    import { surviveLostConnections } from ${JSON.stringify(new URL('database.unseen.ts', import.meta.url).href)}
    surviveLostConnections()
    setTimeout(() => console.log('still there'), 100)
    void Promise.reject(Object.assign(new Error('it failed'), { code: '${code}' }))`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
}

test('a lost statement that nobody waits for is said, and does not end the process', () => {
  const { status, stdout, stderr } = reject('EPIPE')
  assert.deepEqual([status, stdout], [0, 'still there\n'], stderr)
  assert.match(stderr, /a statement that nobody waited for was lost with its connection/)
})

test('any other rejection that nobody handles ends the process', () => {
  const { status, stdout, stderr } = reject('23505')
  assert.notEqual(status, 0)
  assert.equal(stdout, '')
  assert.match(stderr, /it failed/)
})
