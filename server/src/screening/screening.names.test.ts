import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readName } from './screening.names.ts'
import { legalForms, omitted, particles, titles } from './screening.words.ts'

const wordsOf = (name: string) => readName(name).words.join(' ')

test('a name is read as words of lower-case Latin letters without marks', () => {
  assert.equal(wordsOf('José-María  NÚÑEZ'), 'jose maria nunez')
  assert.equal(wordsOf('Straße Ærø Łódź Þór Đặng İpek ıĞDIR'), 'strasse aero lodz thor dang ipek igdir')
  assert.equal(wordsOf("O'Brien O’Brien Oʻbrien"), 'obrien obrien obrien')
  assert.equal(wordsOf('ＦＵＬＬ Ｗｉｄｔｈ ﬁnance'), 'full width finance')
  assert.equal(wordsOf('Petrel 8'), 'petrel 8')
})

test('Cyrillic is transliterated, also inside a Latin word', () => {
  assert.equal(wordsOf('Иван Щербаков'), 'ivan shcherbakov')
  assert.equal(wordsOf('Ёлкин Чайка Подъячев Объедков'), 'elkin chaika podyachev obedkov')
  assert.equal(wordsOf('Володимир Ґалаґан Їжак'), 'volodimir galagan izhak')
  assert.equal(wordsOf('Ђорђе Љубичић'), 'djordje ljubichic')
  // The second letter is the Cyrillic а.
  assert.equal(wordsOf('Ivаn Petrov'), 'ivan petrov')
})

test('titles, legal forms and particles are left out, also legal forms with full stops', () => {
  assert.equal(wordsOf('Dr. Ludwig van der Berg'), 'ludwig berg')
  assert.equal(wordsOf('Sheikh Omar bin Said al-Tamimi'), 'omar said tamimi')
  assert.equal(wordsOf('The Moonfruit Company of Tuva Ltd.'), 'moonfruit tuva')
  for (const form of ['S.A.', 'G.m.b.H.', 'S. p. A.', 'd.o.o.', 'Sp. z o.o.', 'A/S', 'L.L.C.', 'ООО'])
    assert.equal(wordsOf(`Moonfruit ${form}`), 'moonfruit', form)
  assert.equal(wordsOf('J. R. Ewing'), 'j r ewing')
})

test('a name that consists of such words only is compared as it stands', () => {
  assert.deepEqual(readName('The Company'), { words: ['the', 'company'], reading: 'whole' })
})

test('a name in another script cannot be read, and its title or legal form does not hide that', () => {
  for (const name of ['محمد', '李明', 'Ελένη', 'Dr. 李明', '李明 Ltd.', '株式会社 S.A.', '---', '', '  '])
    assert.deepEqual(readName(name), { words: [], reading: 'none' }, name)
  assert.deepEqual(readName('李明 Moonfruit'), { words: ['moonfruit'], reading: 'part' })
})

test('words are always letters a to z and digits, and reading them again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
      const { words, reading } = readName(name)
      for (const word of words) assert.match(word, /^[a-z0-9]+$/)
      assert.equal(reading === 'none', words.length === 0)
      assert.deepEqual(readName(words.join(' ').toUpperCase()).words, words)
    }),
  )
})

test('the words that are left out are written as words are read, and stand in one table only', () => {
  for (const word of omitted) assert.deepEqual(readName(word).words, [word])
  assert.ok(titles.length > 20 && legalForms.length > 50 && particles.length > 30)
  const all = [...titles, ...legalForms, ...particles]
  assert.deepEqual(
    all.filter((word, at) => all.indexOf(word) !== at),
    [],
  )
})
