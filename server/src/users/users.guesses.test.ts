// Which passwords are easy to guess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGuessable } from './users.guesses.ts'

const weak = {
  'common passwords': ['correcthorsebatterystaple', 'passwordpassword', 'ingodwetrust'],
  'with digits, signs and capitals': [
    'P@ssw0rd12345',
    'Passwort123456!',
    'Welcome2Vostro!',
    'LIVERPOOL!!2026',
    '1L0v3y0u!!!!',
    'B@53b@llB@53b@ll',
  ],
  repeated: ['trustno1trustno1', 'kX!7kX!7kX!7', 'Summer2026Summer', 'abababababababab', 'Winter_Winter_Winter_Winter'],
  'neighbouring keys and characters': [
    'qwertzuiop12345',
    'asdfghjkl;123456',
    'abcdefghijkl',
    '!@#$%^&*()12',
    '9876543210987',
    'azertyuiop1789',
  ],
  years: ['dragon19871988', 'DragonMonkey2026'],
  'parts of the email': ['Ada.Lovelace.1815', 'lovelace!lovelace!'],
}

for (const [what, passwords] of Object.entries(weak))
  test(`${what}: guessed soon`, () => {
    for (const password of passwords) assert.equal(isGuessable(password, ['ada', 'lovelace']), true, password)
  })

test('several unrelated words and random characters are not guessed soon, however long they are', () => {
  const words = ['seven otters swim north', 'correct horse battery staple', 'blue dragon monkey horse', 'neun Reiher fliegen']
  for (const password of [
    ...words,
    'Xk9#mQ2$vL5p',
    'ptybnX_tvgb2yQ',
    'grüne Wälder am Fluss',
    'тихие реки текут',
    'seven otters swim north '.repeat(5),
  ])
    assert.equal(isGuessable(password, ['ada']), false, password)
})

test('what is known of the person counts as common, for that person alone', () => {
  assert.equal(isGuessable('Zweigelt.1815', ['zweigelt']), true)
  assert.equal(isGuessable('Zweigelt.1815', []), false)
})
