import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readings, readName } from './screening.names.ts'
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

test('Greek is read letter by letter, as in passports', () => {
  assert.equal(wordsOf('Γεώργιος Παπαδόπουλος'), 'georgios papadopoulos')
  assert.equal(wordsOf('Ευάγγελος Μπάρκουλης'), 'evangelos barkoulis')
  assert.equal(wordsOf('ΛΑΜΠΡΟΣ ΧΡΥΣΟΣΤΟΜΙΔΗΣ'), 'lampros chrysostomidis')
  assert.equal(wordsOf('Ελευθέριος Αυγερινός Ψάλτης'), 'eleftherios avgerinos psaltis')
  // A word with letters of two scripts may be a disguise.
  assert.equal(readName('Μortimer Grimshade').reading, 'part')
})

test('a Chinese name is read as family name and given name, in simplified and in traditional characters', () => {
  assert.deepEqual(readName('习近平'), { words: ['xi', 'jinping'], reading: 'whole' })
  for (const name of ['習近平', '习 近平', '习　近平']) assert.equal(wordsOf(name), 'xi jinping', name)
  assert.equal(wordsOf('李明'), 'li ming')
  assert.equal(wordsOf('欧阳修'), 'ouyang xiu')
  assert.equal(wordsOf('司馬相如'), 'sima xiangru')
  assert.equal(wordsOf('单雄信 曾国藩'), '', 'two people')
  assert.equal(wordsOf('曾国藩'), 'zeng guofan')
  assert.equal(wordsOf('Dr. 李明'), 'li ming')
})

test('a name in another script, or one whose sounds say nothing, cannot be read, and its title or legal form does not hide that', () => {
  const others = ['محمد', '株式会社 S.A.', '---', '', '  ']
  // A company, a foreigner, a Japanese name, a Korean one, one character.
  const chinese = ['华为技术有限公司', '弗拉基米尔·普京', '安倍晋三', 'あべしんぞう', '김정은', '李']
  for (const name of [...others, ...chinese]) assert.deepEqual(readName(name), { words: [], reading: 'none' }, name)
  assert.deepEqual(readName('华为技术 Moonfruit'), { words: ['moonfruit'], reading: 'part' })
  assert.deepEqual(readName('محمد Moonfruit'), { words: ['moonfruit'], reading: 'part' })
})

const readingsOf = (name: string) => readings(name).map((words) => words.join(' '))

test('what is not seen is left out of words, and a blank that is no space separates them', () => {
  for (const hidden of ['\u200b', '\u00ad', '\u2060', '\ufeff', '\u034f', '\u{e0041}', '\ufe0f'])
    assert.equal(wordsOf(`Mor${hidden}timer Grim${hidden}shade`), 'mortimer grimshade', String(hidden.codePointAt(0)))
  for (const blank of ['\u3164', '\u2800', '\uffa0', '\u115f', '\u2003'])
    assert.equal(wordsOf(`Mortimer${blank}Grimshade`), 'mortimer grimshade', String(blank.codePointAt(0)))
  assert.equal(wordsOf('🅜ortimer 🅖rim🆂hade 🇽'), 'mortimer grimshade x')
})

test('a name is also read as it looks', () => {
  const seen: [string, string][] = [
    ['M0rt1m3r Gr1m5h4d3', 'mortimer grimshade'],
    ['Mort!mer Grim$h@de', 'mortimer grimshade'],
    ['Mor-timer Grim.shade', 'mortimer grimshade'],
    // Latin letters between Greek and Cyrillic ones that look like them.
    ['Μοrtimer Grimshαde', 'mortimer grimshade'],
    ['Хavier Ророv', 'xavier popov'],
    ['G.r.i.m.s.h.a.d.e', 'grimshade'],
  ]
  for (const [name, expected] of seen) assert.ok(readingsOf(name).includes(expected), `${name}: ${readingsOf(name)}`)
  assert.deepEqual(readingsOf('Mortimer\u200bGrimshade'), ['mortimergrimshade', 'mortimer grimshade'])
})

test('most names have one reading', () => {
  for (const name of [
    'Mortimer Grimshade',
    'Omar al-Tamimi',
    "O'Brien & Sons, Ltd.",
    'José Núñez',
    'Иван Щербаков',
    'Petrel 8',
    'S.A. Moonfruit',
  ])
    assert.equal(readings(name).length, 1, `${name}: ${readingsOf(name)}`)
})

test('the first reading is the one of the name as it is written, and none is there twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZé0-.$ \u200b\u3164аРИΜω李'), maxLength: 12 }), (name) => {
      const found = readingsOf(name)
      assert.equal(found[0], wordsOf(name))
      assert.equal(new Set(found).size, found.length)
      for (const words of readings(name)) for (const word of words) assert.match(word, /^[a-z0-9]+$/)
    }),
  )
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
