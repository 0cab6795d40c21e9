import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles, root } from '../contract.ts'

test('openapi.json, docs/errors.md, docs/events.md, docs/reserved.md and .env.example match the code (else: npm run contract)', async () => {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    assert.equal(await readFile(root + name, 'utf8'), text, `${name} has drifted: run npm run contract`)
  }
})
