import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boolean, exampleOf, httpUrl, integer, list, readSettings, type Settings, secret, text } from './config.ts'
import { StartupError } from './startup-error.ts'

const settings = {
  NAME: { default: 'nobody', meaning: 'a name', parse: text },
  COUNT: { default: '5', meaning: 'a count', parse: integer(1, 10) },
} satisfies Settings

test('spaces around a value are trimmed, and a missing or empty setting is not set', () => {
  assert.deepEqual(readSettings(settings, { NAME: ' Ada ', COUNT: '7', OTHER: 'x' }), { NAME: 'Ada', COUNT: 7 })
  assert.deepEqual(readSettings(settings, { NAME: '', COUNT: ' \t' }), {})
  assert.deepEqual(readSettings(settings, {}), {})
})

test('a bad value is refused with one sentence that names the setting', () => {
  assert.throws(
    () => readSettings(settings, { COUNT: '11' }),
    new StartupError('The setting COUNT must be a whole number from 1 to 10, not "11".'),
  )
})

test('the example contains the meaning and the default of each setting', () => {
  assert.equal(exampleOf(settings), '# a name\n# default: nobody\n#NAME=\n\n# a count\n# default: 5\n#COUNT=\n')
})

test('parsers return the value or an error that names what is expected', () => {
  const good: [parse: (text: string) => unknown, text: string, value: unknown][] = [
    [text, 'a b', 'a b'],
    [integer(0, 10), '0', 0],
    [integer(0, 10), '10', 10],
    [boolean, 'true', true],
    [boolean, 'false', false],
    [httpUrl, 'https://bank.example/path//', 'https://bank.example/path'],
    [secret, 'x'.repeat(32), 'x'.repeat(32)],
    [list, 'one', ['one']],
    [list, 'one , two', ['one', 'two']],
  ]
  for (const [parse, given, value] of good) assert.deepEqual(parse(given), value)
  const bad: [parse: (text: string) => unknown, text: string, message: string][] = [
    [integer(0, 10), '-1', 'must be a whole number from 0 to 10, not "-1"'],
    [integer(0, 10), '1.0', 'must be a whole number from 0 to 10, not "1.0"'],
    [boolean, 'yes', 'must be true or false, not "yes"'],
    [httpUrl, 'ftp://bank.example', 'must be an http or https URL, not "ftp://bank.example"'],
    [secret, 'x'.repeat(31), 'must have at least 32 characters, without spaces'],
    [secret, `${'x'.repeat(32)} `, 'must have at least 32 characters, without spaces'],
    [list, 'one,', 'must be one value, or two separated by a comma'],
    [list, 'one,two,three', 'must be one value, or two separated by a comma'],
  ]
  for (const [parse, given, message] of bad) assert.throws(() => parse(given), { message })
})
