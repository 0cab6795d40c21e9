import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockSentence, shortBlock } from './blocks.ts'

test('each block has words that fit into a box, and a sentence', () => {
  for (const code of ['screening_required', 'reserved_to_bank', 'decided_by_case', 'signer_not_allowed', 'something_new']) {
    assert.ok(shortBlock(code).length <= 20, shortBlock(code))
    assert.match(blockSentence(code), /^[A-Z].*\.$/)
  }
})
