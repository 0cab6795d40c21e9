// Whatever depends on the method of a transfer is in its record in transfers.methods.ts, so that a new rail is complete once that record
// is. A method named elsewhere would be a rule that a new rail does not get.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { transferMethods } from '../transfers/life/transfers.status.ts'
import { folderOf, outsideTheOrder, source, sourceFiles } from './source/order.ts'

/** The files that may name a method. The records have the names as keys. */
const allowed: Readonly<Record<string, string>> = {
  'transfers/life/transfers.status.ts': 'The list of methods.',
  'transfers/life/transfers.design.ts': 'The tables of the specification, which tests compare the records with.',
  'platform/http/examples.ts': 'Examples of orders.',
  'transfers/life/transfers.methods.ts': 'Over which rail the house pays out.',
  'iso20022/definitions/iso20022.shared.ts': 'SEPA is also the name of a scheme in messages.',
  'iso20022/iso20022.testing.ts': 'SEPA and INST are also codes in messages.',
  'rails/inbox/rails.inbound.ts': 'INST is also a code in messages.',
  'rails/packs/rails.payments.ts': 'Which rail carries what.',
  'rails/rails.returns.ts': 'SEPA is also a code in messages.',
  'rails/packs/rails.contents.ts': 'SEPA and INST are also codes in messages.',
  'transfers/deciding/transfers.choose.ts': 'Chooses a method for an order that names none.',
  'sandbox/bank/sandbox.bank.payments.ts': 'The rails of the simulated bank, which is another bank.',
  'sandbox/bank/sandbox.bank.requests.ts': 'Messages of the simulated bank, which is another bank.',
  'sandbox/bank/sandbox.bank.rules.ts': 'What the simulated bank does, which is another bank.',
  'sandbox/bank/sandbox.bank.schemas.ts': 'Over which rails the simulated bank pays us.',
  'sandbox/bank/sandbox.bank.testing.ts': 'Messages to the simulated bank.',
  'sandbox/demo/sandbox.demo.plan.ts': 'What the customers of the demo bank order.',
  'sandbox/demo/sandbox.demo.run.ts': 'What they order within the bank does not leave it.',
}

function namedIn(code: string): string[] {
  return code.match(new RegExp(`(['"\`])(?:${transferMethods.join('|')})\\1`, 'g')) ?? []
}

test('no code but the records decides by the name of a method', async () => {
  const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts') && !outsideTheOrder.has(folderOf(file)))
  const naming = new Set<string>()
  for (const file of files) if (namedIn(await readFile(join(source, file), 'utf8')).length > 0) naming.add(file)
  assert.deepEqual([...naming].sort(), Object.keys(allowed).sort())
})

test('the guard finds a method that is named in code', () => {
  for (const code of ["if (method === 'SEPA')", "case 'SDD_INTERNAL':", 'const slow = ["SWIFT"]', '{ method: `CARD` }'])
    assert.equal(namedIn(code).length, 1, code)
  for (const code of ["'CARD_REVERSAL'", '// SEPA only', 'methods[method].internal']) assert.deepEqual(namedIn(code), [], code)
})
