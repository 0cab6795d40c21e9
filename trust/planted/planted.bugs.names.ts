// Bugs in what is believed of a venture and of another bank when names are compared with the watch lists.
import type { Bug } from './planted.bug.ts'

const score = 'screening/screening.score.test.ts'
const index = 'screening/screening.index.test.ts'
const partyTests = 'processing/processing.parties.test.ts'
const payments = 'processing/processing.screening.test.ts'

const scores = 'screening/screening.score.ts'
const parties = 'processing/processing.parties.ts'

const commands = '../../trust/screening/screening.rules.test.ts'
const live = '--live names the clients and beneficiaries of a database that would become hits, and changes nothing'
const lists = 'screening/lists/screening.lists.test.ts'
const neverLowers = 'what nobody has verified never lowers a score, and may raise it'
const seven = 'a false kind and a false country let no listed name pass: only verified facts lower a score'
const distant = 'the words of a listed name are found in a name however far apart they stand, if the first and the last of them are there'
const sameParty = 'what was cleared before it was kept who says what stays cleared: it is still the same party'

export const nameBugs: readonly Bug[] = [
  {
    name: 'names-venture-believed',
    about: 'a venture lowers the score of a listed payee by calling it a company in another country',
    file: parties,
    find: "details: { claimed: { by: 'venture', kind, countries: countriesOf(country_code) } }",
    replace: 'details: { kind, countries: countriesOf(country_code) }',
    caughtBy: [
      { file: payments, name: seven },
      { file: partyTests, name: 'of a beneficiary nothing is verified' },
    ],
  },
  {
    name: 'names-other-bank-believed',
    about: 'another bank lowers the score of its listed client by the country that it writes into the message',
    file: parties,
    find: 'details: { claimed: { by, countries: countriesOf(country) } }',
    replace: "details: by === 'other_bank' ? { countries: countriesOf(country) } : { claimed: { by, countries: countriesOf(country) } }",
    caughtBy: [{ file: partyTests, name: 'what a payment says of its sides is claimed by whoever has sent it' }],
  },
  {
    name: 'names-unverified-client-believed',
    about: 'what a venture says of a client counts before anybody has verified it',
    file: parties,
    find: "kyc_status === 'VALIDATED' ?",
    replace: "kyc_status !== 'DECLINED' ?",
    caughtBy: [
      {
        file: partyTests,
        name: 'only of a client who is verified the bank knows something, and never the address, which the venture may change',
      },
    ],
  },
  {
    name: 'names-address-believed',
    about: 'a venture lowers the score of a verified client by changing the country of the address',
    file: parties,
    find: '{ ...facts, countries: identity, ...claimed }',
    replace: '{ ...facts, countries: facts.countries }',
    caughtBy: [
      {
        file: partyTests,
        name: 'only of a client who is verified the bank knows something, and never the address, which the venture may change',
      },
    ],
  },
  {
    name: 'names-claimed-country-lowers',
    about: 'a country that nobody has verified lowers the score',
    file: scores,
    find: 'else if (query.countries.length > 0 && listed.countries.length > 0)',
    replace: 'else if ((query.claimed?.countries ?? query.countries).length > 0 && listed.countries.length > 0)',
    caughtBy: [
      { file: score, name: neverLowers },
      { file: score, name: 'whatever is claimed, the score is at least the one without it' },
    ],
  },
  {
    name: 'names-claimed-kind-lowers',
    about: 'a kind that nobody has verified lowers the score',
    file: scores,
    find: "if (query.kind !== 'unknown' && listed.kind !== 'unknown' && query.kind !== listed.kind)",
    replace:
      "if (listed.kind !== 'unknown' && ![query.kind, query.claimed?.kind ?? 'unknown', listed.kind].every((kind) => kind === 'unknown' || kind === listed.kind))",
    caughtBy: [{ file: score, name: neverLowers }],
  },
  {
    name: 'names-claim-does-not-raise',
    about: 'somebody who is said to be born on the day of the listed one is as suspect as anybody else',
    file: scores,
    find: 'return query.claimed !== null && isSo(query.claimed) ? query.claimed.by : undefined',
    replace: 'return undefined',
    caughtBy: [{ file: score, name: neverLowers }],
  },
  {
    name: 'names-claim-skipped-by-index',
    about: 'the index leaves out a name that reaches the threshold by what is claimed of it',
    file: scores,
    find: 'const isKnown = (verified: readonly string[], said: readonly string[] = []) => verified.length + said.length > 0',
    replace: 'const isKnown = (verified: readonly string[], said: readonly string[] = []) => verified.length > 0 || said.length > 9',
    caughtBy: [{ file: index, name: 'the index finds what comparing every name finds, with the same scores' }],
  },
  {
    name: 'names-cleared-raised-again',
    about: 'everybody who was cleared before it was kept who says what is raised again',
    file: 'screening/screening.compare.ts',
    find: 'const { kind = claimed?.kind ?? null, birth_date = claimed?.birth_date ?? null } = verified',
    replace: 'const { kind = null, birth_date = null } = verified',
    caughtBy: [{ file: payments, name: sameParty }],
  },
  {
    name: 'names-distant-words-ignored',
    about: 'a listed person passes with many given names between the first and the last name',
    file: 'screening/screening.compare.ts',
    find: 'return hasBothEnds(hit) ? matchedWords(name, hit) : spanOf(name, hit)',
    replace: 'return spanOf(name, hit)',
    caughtBy: [{ file: payments, name: distant }],
  },
  {
    name: 'names-one-end-is-enough',
    about: 'some words of a listed name that are scattered over another one make a hit',
    file: 'screening/screening.compare.ts',
    find: 'return [words[0], words.at(-1)].every(',
    replace: 'return [words[0], words.at(-1)].some(',
    caughtBy: [
      {
        file: payments,
        name: 'words that are scattered over a name are none if the listed name does not begin and end with two of them',
      },
    ],
  },
  {
    name: 'names-part-shown-as-the-name',
    about: 'whoever looks at a hit sees some words of the name instead of the name',
    file: 'screening/screening.compare.ts',
    find: 'query: { ...inputs.query, name } }',
    replace: 'query: { ...inputs.query } }',
    caughtBy: [{ file: payments, name: distant }],
  },
  {
    name: 'names-live-counts-old-hits',
    about: 'what an upgrade would raise includes those who are hits already',
    file: '../../trust/screening/screening.live.ts',
    find: 'scoreBefore(subject, hit, list, threshold) !== null) return []',
    replace: 'scoreBefore(subject, hit, list, 2) !== null) return []',
    caughtBy: [{ file: commands, name: live }],
  },
  {
    name: 'names-live-writes',
    about: 'the command that looks at a live database may write there',
    file: '../../trust/screening/screening.live.ts',
    find: "const option = '-c%20default_transaction_read_only%3Don'",
    replace: "const option = '-c%20default_transaction_read_only%3Doff'",
    caughtBy: [{ file: commands, name: 'a connection of --live writes nothing, whatever else its URL says' }],
  },
  {
    name: 'names-curve-compares-one-rule',
    about: 'the curve shows the present rule as the one before',
    file: '../../trust/screening/screening.before.ts',
    find: 'const question = { details: believed(details), threshold, limit: mostHits }',
    replace: 'const question = { details, threshold, limit: mostHits }',
    caughtBy: [
      { file: commands, name: '--curve says what each rule finds of each disguise, and raises of payees whom nobody has listed' },
      { file: commands, name: live },
    ],
  },
  {
    name: 'names-pairs-answer-ignored',
    about: 'pairs of different ones count as pairs of the same that were found',
    file: '../../trust/screening/screening.pairs.ts',
    find: 'const same = hits.filter(({ isSame }) => isSame).length',
    replace: 'const same = hits.length',
    caughtBy: [
      { file: commands, name: '--pairs counts the pairs of the same that are found, and those of different ones that are raised' },
    ],
  },
  {
    name: 'names-direction-marks-accepted',
    about: 'a mark in a list makes people read another name than the one that is compared',
    file: 'screening/lists/screening.text.ts',
    find: 'if (mark !== null) return refuseAt(',
    replace: "if (mark?.[0] === '') return refuseAt(",
    caughtBy: [{ file: lists, name: 'marks that change the direction of the text are refused, with the line, however they are written' }],
  },
  {
    name: 'names-direction-marks-as-numbers',
    about: 'a mark that changes the direction of the text is accepted if XML writes it as a number',
    file: 'screening/lists/screening.collector.ts',
    find: 'if (mark !== null)',
    replace: "if (mark?.[0] === '')",
    caughtBy: [{ file: lists, name: 'marks that change the direction of the text are refused, with the line, however they are written' }],
  },
  {
    name: 'names-unknown-parts-accepted',
    about: 'a name in an element that the format does not know is lost',
    file: 'screening/lists/screening.xml.ts',
    find: 'if (!known.has(child.name)) refuseAt(',
    replace: 'if (known.size === 0) refuseAt(',
    caughtBy: [{ file: lists, name: 'parts of an entry that a format does not know are refused, with the line: a name might be lost' }],
  },
  {
    name: 'names-stored-score-lost',
    about: 'a score that was stored by the version before cannot be computed again',
    file: scores,
    find: 'return explain({ ...inputs, query: { ...inputs.query, claimed: null } }).score',
    replace: "return explain({ ...inputs, query: { ...inputs.query, kind: 'unknown', claimed: null } }).score",
    caughtBy: [
      { file: score, name: 'a score of the version before, which took everything for verified, is computed again from its explanation' },
    ],
  },
]
