import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../values/refusals.ts'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

function refused(body: string | Uint8Array, detail: RegExp): void {
  const shown = Buffer.from(body).toString('latin1').slice(0, 60)
  assert.throws(
    () => parseJson(typeof body === 'string' ? Buffer.from(body) : body),
    (error) => error instanceof Refusal && error.code === 'malformed_body' && detail.test(error.message),
    shown,
  )
}

/** Input that could confuse the scanner: quotes, backslashes, brackets, colons, and whole pieces of JSON inside strings. */
const trickyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'a', 'u0061', '\n', '\u0000', '\u2028', 'é', '😀') }),
  fc.string({ unit: 'binary' }),
  fc.json({ maxDepth: 2 }),
)
const leaf = fc.oneof(
  trickyText,
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number || 0),
  fc.constantFrom(null, true, false),
)

/** Any JSON value nested no deeper than the limit of 20. */
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 20, depthSize: 'large', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(trickyText, tie('value'), { maxKeys: 3 }),
  ),
}))

const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n  ')

test('any JSON up to 20 levels deep is parsed like JSON.parse does', () => {
  let deepest = 0
  fc.assert(
    fc.property(anyJson, spaces, (value, space) => {
      const text = JSON.stringify(value, null, space)
      deepest = Math.max(deepest, depthOf(value))
      assert.deepEqual(parse(text), JSON.parse(text))
      assert.equal(JSON.stringify(parse(text)), JSON.stringify(value))
    }),
    { numRuns: 500 },
  )
  assert.ok(deepest >= 5, `nothing deeper than ${deepest} was tried`)
})

test('20 levels are accepted, 21 and 10,000 are not, whatever they consist of', () => {
  const nests = [
    (levels: number) => '['.repeat(levels) + ']'.repeat(levels),
    (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    (levels: number) => `${'[{"a":'.repeat(levels / 2)}${levels % 2 === 0 ? '1' : '[]'}${'}]'.repeat(levels / 2)}`,
    // Closed brackets, and brackets in a string, do not count.
    (levels: number) => `[[],{},"[[[[[[{{{{{{",${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}]`,
  ]
  for (const nest of nests) {
    assert.deepEqual(parse(nest(20)), JSON.parse(nest(20)))
    refused(nest(21), /deeper than 20 levels/)
    refused(nest(10_000), /deeper than 20 levels/)
  }
  refused('['.repeat(65_536), /deeper than 20 levels/)
})

test('a duplicate name in one object is refused at any depth, however its characters are escaped', () => {
  const escaped = (text: string) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
  fc.assert(
    fc.property(anyJson, trickyText, fc.array(fc.boolean(), { maxLength: 5 }), fc.boolean(), spaces, (value, name, path, spelt, space) => {
      const inner = JSON.stringify(value, null, space)
      fc.pre(depthOf(value) + path.length < 20)
      const again = spelt ? `"${escaped(name)}"` : JSON.stringify(name)
      const twice = `{${JSON.stringify(name)}:${inner},"other than ${'x'.repeat(name.length)}" : 0,${again}\n: 1}`
      refused(
        path.reduce((text, inArray) => (inArray ? `[1,${text}]` : `{"before":"x","in":${text}}`), twice),
        /twice/,
      )
    }),
    { numRuns: 300 },
  )
  refused('{"a":1,"\\u0061":2}', /has the field "a" twice in one object/)
  refused('{"__proto__":1,"__proto__":2}', /has the field "__proto__" twice in one object/)
})

test('the same name in different objects, and the same text as name and as value, are accepted', () => {
  for (const text of ['{"a":{"a":{"a":"a"}}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":[{"a":1},"a","a"],"b":"a:"}', '["a","a"]']) {
    assert.deepEqual(parse(text), JSON.parse(text))
  }
  assert.deepEqual(parse('{"a":1,"A":2,"á":3,"a\\u0301":4}'), { a: 1, A: 2, á: 3, 'a\u0301': 4 })
})

test('a text that is cut off anywhere is refused', () => {
  fc.assert(
    fc.property(
      anyJson.filter((value) => typeof value === 'object' || typeof value === 'string'),
      fc.nat(),
      (value, at) => {
        const bytes = Buffer.from(JSON.stringify(value))
        refused(bytes.subarray(0, at % bytes.length), /not valid JSON|not valid UTF-8/)
      },
    ),
    { numRuns: 300 },
  )
})

test('for any bytes the result is that of JSON.parse or a refusal as malformed', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'a', '"a"', '"a":', 'null', ' ', '\\u', '\\"')
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.array(pieces, { maxLength: 20 }).map((texts) => Buffer.from(texts.join(''))),
  )
  fc.assert(
    fc.property(bodies, (bytes) => {
      let parsed: unknown
      try {
        parsed = parseJson(bytes)
      } catch (error) {
        assert.ok(error instanceof Refusal && error.code === 'malformed_body')
        return
      }
      assert.deepEqual(parsed, JSON.parse(Buffer.from(bytes).toString()))
    }),
    { numRuns: 2_000 },
  )
})

test('anything other than JSON in UTF-8 is refused', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '}',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    "{'a':1}",
    '{a:1}',
    'NaN',
    '01',
    '1 2',
    '{} {}',
    '{}x',
    '[1}',
    '{"a":1]',
  ]) {
    refused(text, /not valid JSON/)
  }
  for (const text of ['"abc', '"abc\\"', '"abc\\', '{"abc', '{"a":"b', '"\n"', '"\\x"', '"\\u12"', '/* */1'])
    refused(text, /not valid JSON/)
  refused('\uFEFF{}', /not valid JSON/)
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22],
    [0xff, 0xfe, 0x31, 0x00],
  ]) {
    refused(Uint8Array.from(bytes), /not valid UTF-8/)
  }
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
