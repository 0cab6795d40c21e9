import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const file = new URL('stop-signal.ts', import.meta.url).href

/** A process that reports when it is asked to stop, and echoes what it is told until it ends. */
function start(echo_ms: number) {
  const script = `
    import { stopSignal } from '${file}'
    const requested = stopSignal(${echo_ms})
    process.stdin.pipe(process.stdout)
    process.stdout.write('ready;')
    await requested
    process.stdout.write('stopping;')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const says = async (text: string) => {
    while (!said.endsWith(text)) await once(child.stdout, 'data')
  }
  return { child, says, ended: once(child, 'exit') }
}

test('one Ctrl-C that arrives twice ends a process in order, and a signal of another kind ends it at once', async () => {
  const { child, says, ended } = start(600_000)
  await says('ready;')
  child.kill('SIGINT')
  await says('stopping;')
  child.kill('SIGINT')
  child.stdin.write('still here;')
  await says('still here;')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [1, null])
})

test('a second Ctrl-C some time after the first ends a process at once', async () => {
  const { child, says, ended } = start(-1)
  await says('ready;')
  child.kill('SIGINT')
  await says('stopping;')
  child.kill('SIGINT')
  assert.deepEqual(await ended, [1, null])
})
