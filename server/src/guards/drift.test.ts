import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles, root } from '../contract.ts'

test('openapi.json, the Postman collection, docs/errors.md, docs/events.md, docs/reserved.md, docs/sign-in.md, docs/simulated-bank.md, docs/iso20022 and .env.example match the code (else: npm run contract)', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    assert.equal(await readFile(root + name, 'utf8'), text, `${name} has drifted: run npm run contract`)
  }
})

test('docs/iso20022 contains the schemas of our messages, and no others', async () => {
  const expected = Object.keys(await generatedFiles()).filter((name) => name.startsWith('docs/iso20022/'))
  assert.equal(expected.length, 11)
  assert.deepEqual((await readdir(`${root}docs/iso20022`)).map((name) => `docs/iso20022/${name}`).sort(), expected.sort())
})
