// Bugs in the screening of names: the score, the index, the importers of lists and the matcher.
import type { Bug } from './planted.bug.ts'

const score = 'screening/screening.score.test.ts'
const names = 'screening/screening.names.test.ts'
const index = 'screening/screening.index.test.ts'
const lists = 'screening/lists/screening.lists.test.ts'
const matcher = 'screening/screening.matcher.test.ts'
const corrected = 'birth dates, countries and kinds correct the score'
const payments = 'processing/processing.screening.test.ts'
const sameAsAll = 'the index finds what comparing every name finds, with the same scores'

export const screeningBugs: readonly Bug[] = [
  {
    name: 'screening-words-weigh-the-same',
    about: 'a word that half of the list contains weighs as much as one that a single name contains',
    file: 'screening/screening.score.ts',
    find: 'return 0.3 + (0.7 * Math.log(1 + names / df)) / Math.log(1 + names)',
    replace: 'return df > names ? 0 : 1',
    caughtBy: [{ file: score, name: 'a word weighs more the fewer names contain it' }],
  },
  {
    name: 'screening-length-ignored',
    about: 'a word and its beginning are as similar as words of the same length',
    file: 'screening/screening.similarity.ts',
    find: '(ratio < 0.9 ? 1 - 0.3 * (1 - ratio) : 1)',
    replace: '(ratio < 0 ? 0 : 1)',
    caughtBy: [
      {
        file: 'screening/screening.similarity.test.ts',
        name: 'words of different lengths are less similar, and so are words whose first sounds differ',
      },
    ],
  },
  {
    name: 'screening-missing-words-free',
    about: 'a listed name counts in full, although words of it are missing in the query',
    file: 'screening/screening.score.ts',
    find: '(1 - 0.35 * (1 - foundListed / all.listed))',
    replace: '(1 - 0 * (1 - foundListed / all.listed))',
    caughtBy: [{ file: score, name: 'the name score is the weighted similarity of the pairs, less what the listed name has besides' }],
  },
  {
    name: 'screening-birth-year-ignored',
    about: 'somebody born in another decade scores as high as the listed person',
    file: 'screening/screening.score.ts',
    find: 'birth_year_differs: -0.1,',
    replace: 'birth_year_differs: -0,',
    caughtBy: [{ file: score, name: corrected }],
  },
  {
    name: 'screening-unknown-country-counts',
    about: 'an entry without countries is taken for one of another country',
    file: 'screening/screening.score.ts',
    find: 'if (query.countries.length > 0 && listed.countries.length > 0)',
    replace: 'if (query.countries.length > 0)',
    caughtBy: [{ file: score, name: corrected }],
  },
  {
    name: 'screening-short-identifiers',
    about: 'a number of four digits identifies somebody',
    file: 'screening/screening.entries.ts',
    find: 'const shortestIdentifier = 5',
    replace: 'const shortestIdentifier = 1',
    caughtBy: [{ file: score, name: 'an equal identifier scores 1 whatever else differs, and short or empty ones do not count' }],
  },
  {
    name: 'screening-other-script-is-clear',
    about: 'of a name in Chinese letters with a legal form behind it, the legal form alone is screened',
    file: 'screening/screening.names.ts',
    find: 'kept.length > 0 || legible.length < all.length ? kept : legible',
    replace: 'kept.length > 0 ? kept : legible',
    caughtBy: [{ file: names, name: 'a name in another script cannot be read, and its title or legal form does not hide that' }],
  },
  {
    name: 'screening-part-of-a-name-passes',
    about: 'a name with one Greek letter in each word that matters is clear',
    file: 'screening/screening.compare.ts',
    find: "if (reading !== 'whole') raised.push(",
    replace: "if (reading === 'none') raised.push(",
    caughtBy: [{ file: payments, name: 'a name of which a part cannot be read does not pass by the rest of it' }],
  },
  {
    name: 'screening-invisible-characters-separate',
    about: 'a zero-width space inside a word makes two words of it',
    file: 'screening/screening.names.ts',
    find: ".replace(invisible, '').normalize",
    replace: ".replace(invisible, ' ').normalize",
    caughtBy: [{ file: names, name: 'what is not seen is left out of words, and a blank that is no space separates them' }],
  },
  {
    name: 'screening-looks-ignored',
    about: 'a name with digits for letters is not found',
    file: 'screening/screening.index.ts',
    find: 'readings(question.name, read).map(',
    replace: 'readings(question.name, read).slice(0, 1).map(',
    caughtBy: [{ file: index, name: 'a name that is disguised is found, with an explanation that can be computed again' }],
  },
  {
    name: 'screening-long-names-compared-whole',
    about: 'a listed name with typos passes among many other words',
    file: 'screening/screening.compare.ts',
    find: 'const manyWords = 5',
    replace: 'const manyWords = 500',
    caughtBy: [
      {
        file: payments,
        name: 'a name that looks like a listed one stops the payment, whatever letters it has, and however many words are around it',
      },
    ],
  },
  {
    name: 'screening-text-cleared-for-all',
    about: 'a vessel that was cleared in the text of one payment is cleared for every client of the venture',
    file: 'screening/screening.compare.ts',
    find: 'JSON.stringify([party, ref, ...comparedPart(name, {})])',
    replace: 'JSON.stringify([party, ref === null, ...comparedPart(name, {})])',
    caughtBy: [{ file: payments, name: 'what was cleared in a text is cleared between these two accounts only' }],
  },
  {
    name: 'screening-joined-names-missed',
    about: 'names that are written together are not found by the index',
    file: 'screening/screening.index.ts',
    find: 'const candidates = this.#joinedLike(query.joined, floor)',
    replace: 'const candidates = this.#joinedLike(query.joined, 2)',
    caughtBy: [{ file: index, name: sameAsAll }],
  },
  {
    name: 'screening-raise-forgotten',
    about: 'the index drops names that only the birth date or the country would raise to the threshold',
    file: 'screening/screening.index.ts',
    find: 'const floor = threshold - largestRaise(side)',
    replace: 'const floor = threshold - 0 * largestRaise(side)',
    caughtBy: [
      { file: index, name: 'corrections count before the threshold' },
      { file: index, name: sameAsAll },
    ],
  },
  {
    name: 'screening-common-words-not-begun',
    about: 'the index does not find a listed name of two words in a longer query if both words are common',
    file: 'screening/screening.index.ts',
    find: '? Number.POSITIVE_INFINITY : rest\n',
    replace: '? Number.POSITIVE_INFINITY : rest - 1\n',
    caughtBy: [{ file: index, name: sameAsAll }],
  },
  {
    name: 'screening-word-alone-missed',
    about: 'the index searches for a word only beside the other words, even if it can reach the threshold alone',
    file: 'screening/screening.index.ts',
    find: 'if (alone >= floor - tolerance || ',
    replace: 'if (alone < 0 || ',
    caughtBy: [{ file: index, name: sameAsAll }],
  },
  {
    name: 'screening-letter-too-few',
    about: 'words that lack as many letters as they may are not found',
    file: 'screening/screening.letters.ts',
    find: '? -1 : length - needed',
    replace: '? -1 : length - needed - 1',
    caughtBy: [
      { file: index, name: sameAsAll },
      { file: index, name: 'all texts with enough letters in common are found by their letters' },
    ],
  },
  {
    name: 'screening-truncated-list-accepted',
    about: 'a list that was cut off in the last line is imported without the rest',
    file: 'screening/lists/screening.ofac.ts',
    find: "if (!text.endsWith('\\n'))",
    replace: "if (text === '\\n')",
    caughtBy: [{ file: lists, name: 'OFAC: a file that is cut off anywhere but at the end of a line is refused' }],
  },
  {
    name: 'screening-short-records-accepted',
    about: 'a record with too few fields is imported as if the rest were empty',
    file: 'screening/lists/screening.csv.ts',
    find: 'if (fields.length !== expected)',
    replace: 'if (fields.length > expected)',
    caughtBy: [{ file: lists, name: 'OFAC: files of different publications, other types and other files are refused' }],
  },
  {
    name: 'screening-aliases-lost',
    about: 'a version without its aliases replaces the active one',
    file: 'screening/screening.watchlists.ts',
    find: "for (const what of ['entries', 'names'] as const)",
    replace: "for (const what of ['entries'] as const)",
    caughtBy: [{ file: 'screening/screening.watchlists.test.ts', name: 'a version without its aliases is not activated by mistake' }],
  },
  {
    name: 'screening-active-version-deleted',
    about: 'a version that was active until yesterday, and was imported years ago, loses its entries',
    file: 'screening/screening.sql.ts',
    find: 'greatest(version.imported_at, version.replaced_at)',
    replace: 'least(version.imported_at, version.replaced_at)',
    caughtBy: [
      {
        file: 'screening/screening.retention.test.ts',
        name: 'a version that was active until now is kept, however long ago it was imported',
      },
    ],
  },
  {
    name: 'screening-first-version-alone',
    about: 'whoever was registered while a list of the policy was missing is never compared with the other lists',
    file: 'processing/processing.rescreening.ts',
    find: 'previous_version_id === null ? {} : { only: watchlist_id }',
    replace: '{ only: watchlist_id }',
    caughtBy: [
      { file: 'processing/processing.rescreening.test.ts', name: 'a list that the policy was waiting for compares with the others, too' },
    ],
  },
  {
    name: 'screening-endless-names-accepted',
    about: 'a name that has swallowed the rest of a broken file is imported',
    file: 'screening/lists/screening.collector.ts',
    find: 'if (names.some(({ name }) => name.length > longestName))',
    replace: 'if (names.length === 0)',
    caughtBy: [
      { file: lists, name: 'ids and names that are too long are refused, and a text that is no date is not searched for one for long' },
    ],
  },
  {
    name: 'screening-duplicate-id-accepted',
    about: 'of two entries with the same id, one disappears',
    file: 'screening/lists/screening.collector.ts',
    find: 'if (before !== undefined)',
    replace: 'if (before !== undefined && before.line === line)',
    caughtBy: [{ file: lists, name: 'an id that is used twice is refused with both lines' }],
  },
  {
    name: 'screening-doctype-accepted',
    about: 'a list in XML may declare entities',
    file: 'screening/lists/screening.xml.ts',
    find: '/<!(?:DOCTYPE|ENTITY)/i',
    replace: '/<!(?:NOTATION)/i',
    caughtBy: [{ file: lists, name: 'XML: a DOCTYPE, entities, another declared encoding and another root are refused' }],
  },
  {
    name: 'screening-lost-in-a-crash',
    about: 'questions that were under way when the thread ended are refused instead of repeated',
    file: 'screening/screening.matcher.ts',
    find: 'again.filter(({ attempts }) => attempts < 2), again.filter(({ attempts }) => attempts >= 2)',
    replace: 'again.filter(({ attempts }) => attempts < 1), again.filter(({ attempts }) => attempts >= 1)',
    caughtBy: [{ file: matcher, name: 'a thread that ends is started again with its versions, and the question is repeated' }],
  },
  {
    name: 'screening-without-bound',
    about: 'questions pile up without a bound',
    file: 'screening/screening.matcher.ts',
    find: 'if (this.waiting >= this.#mostWaiting)',
    replace: 'if (this.waiting < 0)',
    caughtBy: [{ file: matcher, name: 'a question too many is refused at once, and later ones are answered' }],
  },
]
