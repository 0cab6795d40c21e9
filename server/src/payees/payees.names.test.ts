// When a name matches the holder of an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames } from './payees.names.ts'

const names: Record<ReturnType<typeof compareNames>, readonly (readonly [given: string, registered: string])[]> = {
  MATCH: [
    ['Ada Lovelace', 'Ada Lovelace'],
    ['LOVELACE, ADA', 'Ada Lovelace'],
    ['Dr. Ada Lovelace', 'Ada Lovelace'],
    ['Jose Muller', 'José Müller'],
    ["Sinead O'Connor", 'Sinéad OConnor'],
    ['Иван Петров', 'Ivan Petrov'],
    ['Acme', 'Acme GmbH'],
    ['Acme S.A.', 'ACME SA'],
    ['山田 太郎', '山田 太郎'],
    ['Mueller Jaeger', 'Müller Jäger'],
    ['Mueller Jager', 'Müller Jäger'],
    ['MUELLER', 'mu\u0308ller'],
    ['Soeren Kierkegaard', 'Søren Kierkegård'],
    ['Håkan Bråten', 'Haakan Braten'],
    ['Müller Mueller Muller', 'Muller Müller Mueller'],
    ['Grossmann', 'Großmann'],
  ],
  CLOSE_MATCH: [
    ['Ada Lovelase', 'Ada Lovelace'],
    ['Jon Smith', 'John Smith'],
    ['Smyth John', 'John Smith'],
    ['A Lovelace', 'Ada Lovelace'],
    ['Ada King Lovelace', 'Ada Lovelace'],
    ['Ada Lovelace', 'Ada King Lovelace'],
    ['Annamaria Rossi', 'Anna Maria Rossi'],
    ['Maria Silva', 'Maria da Silva'],
    ['Annamueller Rossi', 'Anna Müller Rossi'],
    ['Jo Mueler', 'Jo Müller'],
  ],
  NO_MATCH: [
    ['Charles Babbage', 'Ada Lovelace'],
    ['Ada Byron', 'Ada Lovelace'],
    ['Ben Miller', 'Al Miller'],
    ['Lovelace', 'Ada Lovelace'],
    ['A L', 'Ada Lovelace'],
    ['Charles Babbage', 'Charlotte Babbage'],
    ['Bob', 'Ada'],
    ['Jo Samul', 'Joe Samuel Boe'],
  ],
  UNREADABLE: [
    ['山田 太郎', 'Ada Lovelace'],
    ['Ada 山田', 'Ada Yamada'],
    ['…', 'Ada Lovelace'],
  ],
}

for (const [result, pairs] of Object.entries(names))
  test(`${result}`, () => {
    for (const [given, registered] of pairs) {
      assert.equal(compareNames(given, registered), result, `${given} / ${registered}`)
      assert.equal(compareNames(registered, given), result, `${registered} / ${given}`)
    }
  })
