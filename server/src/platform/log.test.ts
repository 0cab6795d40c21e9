// Log lines of a separate process on its standard output.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const log = new URL('log.ts', import.meta.url)

/** The output of a process that runs `code` with a log. */
function output(code: string): unknown[] {
  const program = `import { createLog } from ${JSON.stringify(log.href)}; const log = createLog('info'); ${code}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).msg)
}

test('every line is written, also if the process exits or fails in the same moment', () => {
  assert.deepEqual(output(`log.info('one'); log.warn('two'); log.info('three')`), ['one', 'two', 'three'])
  // A process that exits writes the remaining lines while it may still be writing earlier ones.
  const atExit = output(`log.info('one'); log.error('two'); log.info('three'); process.exit(1)`)
  assert.deepEqual(atExit.toSorted(), ['one', 'three', 'two'])
  assert.deepEqual(output(`log.info('one'); throw new Error('it fails')`), ['one'])
  assert.deepEqual(output(`for (let n = 0; n < 5000; n++) log.info(String(n)); setImmediate(() => process.exit())`).length, 5_000)
})
