// Bugs in how the forms of the console read amounts.
import type { Bug } from './planted.bug.ts'

const ui = '../../console/src/ui'
const reading = `${ui}/amount.reading.test.ts`
const journey = '../../trust/console/console.amounts.test.ts'
const anyText = {
  file: reading,
  name: 'of 50,000 texts none becomes an amount that it does not mean, and none that means two is taken for one',
}
const anyAuthor = {
  file: reading,
  name: 'of 50,000 people who mean an amount each is understood, asked or refused, and nobody gets another amount',
}

export const amountBugs: readonly Bug[] = [
  {
    name: 'amounts-comma-is-thousands',
    about: '1,500 is taken for one thousand five hundred, whoever means one and a half',
    file: `${ui}/amount.reading.ts`,
    find: "if (isExactPossible) return { kind: 'question', meanings: [whole, exact] }",
    replace: '',
    caughtBy: [{ file: reading, name: 'what could mean two amounts is asked' }, anyText, anyAuthor],
  },
  {
    name: 'amounts-marks-anywhere',
    about: '1,50 is asked as if it could be 150, because a comma may stand anywhere',
    file: `${ui}/amount.reading.ts`,
    find: '/^\\d{3}$/',
    replace: '/^\\d{2,3}$/',
    caughtBy: [{ file: reading, name: 'a point and a comma are both understood before decimals' }, anyText],
  },
  {
    name: 'amounts-commas-are-dropped',
    about: '1,50 is ordered as 150, because commas are left out before anything else',
    file: `${ui}/amount.reading.ts`,
    find: 'inLatinDigits(withPlainMarks(typed.trim()))',
    replace: "inLatinDigits(withPlainMarks(typed.trim()).replaceAll(',', ''))",
    caughtBy: [{ file: reading, name: 'a point and a comma are both understood before decimals' }, anyText, anyAuthor],
  },
  {
    name: 'amounts-too-precise-is-cut',
    about: 'decimals that the currency does not have are taken',
    file: `${ui}/amount.reading.ts`,
    find: "decimalsOf(fraction ?? '') > decimals",
    replace: 'decimals > 4',
    caughtBy: [{ file: reading, name: 'what cannot be meant is refused with a sentence' }, anyText],
  },
  {
    name: 'amounts-foreign-thousands',
    about: 'whoever writes a comma before decimals gets a thousand for one decimal too many, without being asked',
    file: `${ui}/amount.reading.ts`,
    find: 'groupMarkOf(locale) === markOf(text)',
    replace: 'locale.length > 0',
    caughtBy: [
      {
        file: reading,
        name: 'a mark that the person does not write between thousands is asked about, even if only thousands are possible',
      },
    ],
  },
  {
    name: 'amounts-minus-not-seen',
    about: 'the minus of the keyboard is not told from other characters',
    file: `${ui}/amount.reading.ts`,
    find: "[/[\\p{Pd}+−±]/u, 'Write it without a sign.'],",
    replace: "[/[+−±]/u, 'Write it without a sign.'],",
    caughtBy: [{ file: reading, name: 'what cannot be meant is refused with a sentence' }],
  },
  {
    name: 'amounts-unread-digits',
    about: 'a form is prefilled in digits that it does not read, so that it cannot be sent',
    file: `${ui}/amount.notation.ts`,
    find: "own in digitSystems ? own : 'latn'",
    replace: 'own',
    caughtBy: [{ file: reading, name: 'in every language, what a form shows is read as the same amount, or asked' }],
  },
  {
    name: 'amounts-limit-forgotten',
    about: 'a limit that was not understood is left out, so that there is none',
    file: `${ui}/amount-input.tsx`,
    find: 'amount === undefined ? notRead : exactOf(amount)',
    replace: "amount === undefined ? '' : exactOf(amount)",
    caughtBy: [{ file: journey, name: 'a limit that is not understood yet is not sent' }],
  },
]
