import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../values/refusals.ts'
import { type PieceLimits, parseJson, parseJsonInPieces } from './json.ts'

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
    // Closed brackets, and brackets inside a string, do not count.
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

const pieces: PieceLimits = {
  most: 1_000,
  largest_bytes: 1_000_000,
  tooMany: () => assert.fail('too many'),
  tooLarge: (index) => assert.fail(`${index} is too large`),
}
const inPieces = (text: string, limits: Partial<PieceLimits> = {}) => parseJsonInPieces(Buffer.from(text), { ...pieces, ...limits })

test('a body that is parsed in pieces is what it is as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, spaces, async (value, space) => {
      const text = JSON.stringify(value, null, space)
      assert.equal(JSON.stringify(await inPieces(text)), JSON.stringify(value))
    }),
    { numRuns: 500 },
  )
  // Lists that were sent are not confused with the numbers of pieces.
  for (const text of [
    '{"a":[[0],[[1]],{"b":[2]}],"c":[3]}',
    '[[[1]],[[0]]]',
    '{"__proto__":[{"__proto__":[1]}]}',
    '[1]',
    '[[0]]',
    '{"a":{"b":[0]}}',
  ])
    assert.equal(JSON.stringify(await inPieces(text)), JSON.stringify(JSON.parse(text)))
})

test('a body that is parsed in pieces is refused for the same reasons, with the same words', async () => {
  const text = '{"a": [{"b": "c\\"}, [1, {"d": [true]}], 5], "e": "\\u0041"}'
  const change = fc.tuple(fc.nat(text.length), fc.nat(3), fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':', '\\', '1', '{}', ' '))
  let refusals = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const changed = changes.reduce((all, [at, length, more]) => all.slice(0, at) + more + all.slice(at + length), text)
      const [whole, cut] = await Promise.allSettled([(async () => parse(changed))(), inPieces(changed)])
      assert.deepEqual(cut, whole, changed)
      if (whole.status === 'rejected') refusals++
    }),
    { numRuns: 500 },
  )
  assert.ok(refusals > 100)
})

test('too many pieces, and one that is too large, are refused by the part that set the limits', async () => {
  const limits = { most: 3, largest_bytes: 9, tooMany: () => assert.fail('too many'), tooLarge: (at: number) => assert.fail(`at ${at}`) }
  assert.deepEqual(await inPieces('{"a":[{},0,[]],"b":1}', limits), { a: [{}, 0, []], b: 1 })
  for (const text of ['{"a":[{},0,[],1]}', '{"a":[0,0],"b":[0,0]}', '{"a":[{}],"b":[{}],"c":[{}],"d":[]}', `[[${'0,'.repeat(9_999)}`])
    await assert.rejects(inPieces(text, limits), /too many/, text.slice(0, 40))
  assert.deepEqual(await inPieces('{"a":[0,"0123456789",["01234"]]}', limits), { a: [0, '0123456789', ['01234']] })
  await assert.rejects(inPieces('{"a":[0,{},["0123456"]]}', limits), /at 1/)
  await assert.rejects(inPieces('{"a":[["äääää"]]}', limits), /at 0/)
})

test('others have their turn while a large body is parsed', async (t) => {
  // Every time the clock is read, a stretch has passed.
  let now_ms = 0
  t.mock.method(performance, 'now', () => (now_ms += 1_000))
  const order: string[] = []
  const parsing = inPieces(`{"a":[${Array(100).fill('{"b":1}').join()}]}`).then(() => order.push('parsed'))
  setImmediate(() => order.push('another'))
  await parsing
  assert.deepEqual(order, ['another', 'parsed'])
})
