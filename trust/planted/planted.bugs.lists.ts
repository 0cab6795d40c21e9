// Bugs in the watch lists of the bank, in who is compared with them, and in what follows.
import type { Bug } from './planted.bug.ts'

const watchlists = 'screening/screening.watchlists.test.ts'
const importer = 'screening/lists/screening.importer.test.ts'
const payments = 'processing/processing.screening.test.ts'
const rescreening = 'processing/processing.rescreening.test.ts'

const compare = 'screening/screening.compare.ts'
const lists = 'screening/screening.watchlists.ts'
const parties = 'processing/processing.parties.ts'
const again = 'processing/processing.rescreening.ts'

const together = 'with four eyes, a second person has to agree, about the version that both have seen'
const cleared = 'what was cleared is not raised again until the name, the account or the entry changes'
const chosen = 'the policy of the venture chooses the lists and the thresholds'
const stopped = 'a new entry stops the payments that have not been sent, and opens a case about those that have'
const changedOnly = 'only the entries that are new or changed are compared with clients and beneficiaries'

export const listBugs: readonly Bug[] = [
  {
    name: 'lists-shrunk-activated',
    about: 'a list that was cut off at the end of a line is activated',
    file: lists,
    find: 'if (now * 5 > before * 4) continue',
    replace: 'if (now > 0) continue',
    caughtBy: [{ file: watchlists, name: 'a version with a fifth fewer entries is not activated by mistake' }],
  },
  {
    name: 'lists-activated-alone',
    about: 'one person alone activates a version although four eyes are on',
    file: lists,
    find: "if (!by.approved) refuse('approval_required'",
    replace: "if (by.sequence === -1) refuse('approval_required'",
    caughtBy: [{ file: watchlists, name: together }],
  },
  {
    name: 'lists-replaced-unseen',
    about: 'an approval replaces another version than the one that was active when it was requested',
    file: lists,
    find: 'requireSequence(list, by.sequence)',
    replace: 'requireSequence(list, list.sequence)',
    caughtBy: [{ file: watchlists, name: together }],
  },
  {
    name: 'lists-body-without-limit',
    about: 'the files of a list may be of any size',
    file: 'screening/screening.routes.ts',
    find: 'bodyLimit: watchlistLimit_mb * 2 ** 20',
    replace: 'bodyLimit: watchlistLimit_mb * 2 ** 30',
    caughtBy: [{ file: watchlists, name: 'what is broken, truncated or of another format is refused whole, and the active version stays' }],
  },
  {
    name: 'lists-old-version-stored',
    about: 'a payment passes that was compared with a version which has been replaced',
    file: 'screening/screening.store.ts',
    find: 'versions.sort().join() === screening.versions.join()',
    replace: 'versions.length >= 0',
    caughtBy: [
      {
        file: payments,
        name: 'what was compared with a version that has been replaced meanwhile is not stored, and neither is the walk',
      },
    ],
  },
  {
    name: 'lists-unloaded-passes',
    about: 'without loaded lists everything is clear',
    file: compare,
    find: 'if (lists.length === 0) return undefined',
    replace: 'if (lists.length < 0) return undefined',
    caughtBy: [{ file: payments, name: 'while the lists are not loaded nothing passes, and once they are everything does' }],
  },
  {
    name: 'lists-missing-list-ignored',
    about: 'a policy that names a list which does not exist is compared with the others only',
    file: compare,
    find: 'if (lists?.some((name) => !active.some((list) => list.name === name))) return []',
    replace: 'if (lists?.length === 0) return []',
    caughtBy: [{ file: payments, name: chosen }],
  },
  {
    name: 'lists-peps-always',
    about: 'politically exposed persons are hits for ventures that do not want them',
    file: compare,
    find: "(purpose === 'SANCTIONS' || screen_peps)",
    replace: "(purpose === 'SANCTIONS' || screen_peps !== undefined)",
    caughtBy: [{ file: payments, name: chosen }],
  },
  {
    name: 'lists-unreadable-passes',
    about: 'a name in another script is clear',
    file: compare,
    find: "if (reading !== 'whole')",
    replace: "if (reading === 'part')",
    caughtBy: [{ file: payments, name: 'a name in another script cannot be compared, so a person looks at it' }],
  },
  {
    name: 'lists-cleared-for-all',
    about: 'what was cleared for one account is cleared for everybody of the same name',
    file: compare,
    find: 'JSON.stringify([ref, ...comparedPart(name, details)])',
    replace: 'JSON.stringify([...comparedPart(name, details)])',
    caughtBy: [{ file: payments, name: cleared }],
  },
  {
    name: 'lists-cleared-forever',
    about: 'an entry that gets a birth date counts as unchanged',
    file: 'screening/lists/screening.upload.ts',
    find: 'sorted(birth_dates), ',
    replace: '',
    caughtBy: [
      { file: importer, name: 'the hash of an entry changes with everything that is compared, and with nothing else' },
      { file: payments, name: cleared },
    ],
  },
  {
    name: 'lists-only-the-best',
    about: 'once the best entries have been cleared, the others that resemble the name are let through',
    file: compare,
    find: 'const mostHits = 1_000',
    replace: 'const mostHits = 10',
    caughtBy: [
      {
        file: payments,
        name: 'all entries that resemble a name are raised, so that none is let through when the others have been cleared',
      },
    ],
  },
  {
    name: 'lists-countries-ignored',
    about: 'a payment to a bank in a screened country passes',
    file: compare,
    find: 'comparison.countries.has(country)',
    replace: "country === ''",
    caughtBy: [{ file: payments, name: 'a bank in a country that the bank does not deal with stops the payment' }],
  },
  {
    name: 'lists-scattered-words',
    about: 'two words that stand far apart in a text are taken for a name',
    file: compare,
    find: 'const mostAmong = 2',
    replace: 'const mostAmong = 200',
    caughtBy: [{ file: payments, name: 'companies and vessels are found in the text of a payment, and people are not' }],
  },
  {
    name: 'lists-text-ignored',
    about: 'a listed vessel in the text of a payment is not found',
    file: parties,
    find: "[{ party: 'text', ref: between, text }]",
    replace: '[]',
    caughtBy: [{ file: payments, name: 'companies and vessels are found in the text of a payment, and people are not' }],
  },
  {
    name: 'lists-client-ignored',
    about: 'only the other party of a payment is compared',
    file: parties,
    find: 'return [partyOfClient(client, side.party), ',
    replace: 'return [',
    caughtBy: [{ file: payments, name: 'the client is compared too, with the date of birth, whichever way the money goes' }],
  },
  {
    name: 'lists-beneficiary-renamed',
    about: 'an order to a listed beneficiary passes if it gives another name',
    file: parties,
    find: 'return [partyOfBeneficiary(beneficiary, side.party), ...(isNamed ? [] : [partyOfSide(side)])]',
    replace: 'return [isNamed ? partyOfBeneficiary(beneficiary, side.party) : partyOfSide(side)]',
    caughtBy: [
      {
        file: payments,
        name: 'an order that gives a listed beneficiary another name is stopped, and so is one that gives it a listed name',
      },
    ],
  },
  {
    name: 'lists-registration-not-compared',
    about: 'a new client is not compared with the lists',
    file: 'clients/clients.ts',
    find: "? [...(by.companions ?? []), toScreen({ venture_id, kind: 'client', id, cause: 'created' })]",
    replace: '? by.companions',
    caughtBy: [{ file: rescreening, name: 'a client is compared after the registration, and nobody waits for it' }],
  },
  {
    name: 'lists-old-entries-raised',
    about: 'a new version raises everybody again, and not only those who resemble a new entry',
    file: again,
    find: "before.get(entry_id ?? '') !== entry_hash",
    replace: "entry_hash !== ''",
    caughtBy: [{ file: rescreening, name: changedOnly }],
  },
  {
    name: 'lists-packed-not-stopped',
    about: 'a payment in a pack is sent although a new entry names its payee',
    file: again,
    find: "  PACKED: ['READY_TO_CLEAR', 'ON_HOLD', 'REVIEW'],\n",
    replace: '',
    caughtBy: [{ file: rescreening, name: stopped }],
  },
  {
    name: 'lists-sent-forgotten',
    about: 'nobody hears of a payment that was sent before its payee was listed',
    file: again,
    find: 'const opened = hits.length === 0 ?',
    replace: "const opened = hits.length === 0 || subject_kind === 'transfer' ?",
    caughtBy: [{ file: rescreening, name: stopped }],
  },
  {
    name: 'lists-raised-again',
    about: 'each night raises what somebody has already decided, or still has to decide',
    file: again,
    find: '!known.has(nameOf(one.screening.subject_id, pair))',
    replace: '!known.has(nameOf(one.screening.id, pair))',
    caughtBy: [
      { file: rescreening, name: 'each night compares a part of everybody, in thirty nights all of them, and raises nothing twice' },
    ],
  },
  {
    name: 'lists-cleared-unseen',
    about: 'two people clear a hit that the first of them has not seen',
    file: 'processing/processing.names.ts',
    find: 'sequence !== undefined && sequence !== count',
    replace: 'sequence !== undefined && sequence > count',
    caughtBy: [
      { file: rescreening, name: 'with four eyes, clearing takes two people, and nobody clears a hit that the first has not seen' },
    ],
  },
  {
    name: 'lists-cleared-alone',
    about: 'one person alone clears a client who is on a list',
    file: 'processing/processing.names.ts',
    find: 'clear: { needsTwo: true }',
    replace: 'clear: { needsTwo: false }',
    caughtBy: [
      { file: rescreening, name: 'with four eyes, clearing takes two people, and nobody clears a hit that the first has not seen' },
    ],
  },
  {
    name: 'finding-not-counted',
    about: 'a new hit of a payment under review is cleared together with the one that two people have looked at',
    file: again,
    find: 'return { update: {}, finding: true }',
    replace: 'return { update: {} }',
    caughtBy: [
      {
        file: rescreening,
        name: 'nobody approves a hit of a payment that the first of two people has not seen, and the venture learns nothing of it',
      },
    ],
  },
  {
    name: 'held-review-not-compared',
    about: 'a payment that is on hold while it is under review is not compared with a new list',
    file: 'processing/processing.sql.ts',
    find: "(screened or 'REVIEW' in (status, on_hold_from))",
    replace: "(screened or status = 'REVIEW')",
    caughtBy: [{ file: rescreening, name: stopped }],
  },
  {
    name: 'ids-tell-a-list-from-a-rule',
    about: 'the venture counts from the ids of its history whether a list or a rule has stopped a payment',
    file: 'transfers/deciding/transfers.moves.ts',
    find: "if (to === 'REVIEW' && from === 'BLACKLIST_SCANNING') uuidv7()",
    replace: "if (to === 'REVIEW' && from === 'AML_SCANNING') uuidv7()",
    caughtBy: [
      { file: 'processing/processing.secrecy.test.ts', name: 'the ids of moves and events do not tell a list from a rule either' },
    ],
  },
  {
    name: 'structured-reference-not-compared',
    about: 'a vessel in the structured reference of a payment is not found',
    file: 'processing/processing.parties.ts',
    find: 'const remittance = [purpose, structured_reference, structured_reference_issuer]',
    replace: 'const remittance = [purpose, structured_reference_issuer]',
    caughtBy: [
      {
        file: 'processing/processing.screening.test.ts',
        name: 'the structured part of the remittance information is compared as well',
      },
    ],
  },
  {
    name: 'waiting-money-compared-once',
    about: 'money that waits for its account is credited although a new entry names its payer',
    file: 'processing/processing.worker.ts',
    find: "if (again && screening === 'CLEAR') return",
    replace: 'if (again) return',
    caughtBy: [
      {
        file: rescreening,
        name: 'money that waits for its account is not credited once a new entry names its payer, and no case is left over',
      },
    ],
  },
  {
    name: 'open-case-stays-normal',
    about: 'a case that is open already does not become urgent, although the new hit proposes a freeze',
    file: 'cases/cases.ts',
    find: "if (open === undefined || open.severity === 'URGENT') return",
    replace: "if (open === undefined || open.severity !== 'URGENT') return",
    caughtBy: [{ file: rescreening, name: 'an open case becomes urgent with a hit that proposes a freeze, and is not asked twice' }],
  },
]
