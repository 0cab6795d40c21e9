// Bugs in the rules for new transfers: methods, children, limits, routing and dates.
import type { Bug } from './planted.bug.ts'

const create = 'transfers/deciding/transfers.create.test.ts'
const children = 'transfers/deciding/transfers.children.test.ts'
const limits = 'transfers/deciding/transfers.limits.test.ts'
const moves = 'transfers/life/transfers.moves.test.ts'
const methods = 'transfers/life/transfers.methods.ts'
const choose = 'transfers/deciding/transfers.choose.ts'
const parents = 'transfers/deciding/transfers.parents.ts'
const counting = 'transfers/deciding/transfers.limits.ts'

const searches = 'transfers/orders/transfers.search.test.ts'
const eachFound = 'each of many transfers that were created together is found by its own texts, in any case, and no other with it'
const wordsTogether = 'words of a search are whole but for the first and the last, and together'

export const orderBugs: readonly Bug[] = [
  {
    name: 'booking-over-internal',
    about: 'a fee or an adjustment can be paid to another client of the venture, unscreened and uncounted',
    file: methods,
    find: 'carries: new Set(payments),\n  records: noType,\n  releases: noType,\n  internal: true,',
    replace: 'carries: new Set([...payments, ...bookings]),\n  records: noType,\n  releases: noType,\n  internal: true,',
    caughtBy: [
      { file: create, name: 'fees, adjustments and exchanges cannot be paid to another client of the venture' },
      {
        file: 'transfers/life/transfers.methods.test.ts',
        name: 'each method has the types, the currencies and the largest amount of the design',
      },
    ],
  },
  {
    name: 'booking-pays-its-receiver',
    about: 'a fee that an older version stored with a receiver pays the receiver',
    file: 'transfers/deciding/transfers.money.ts',
    find: 'const receiver = isBookType(transfer.transfer_type) ? undefined : moving.receiver',
    replace: 'const { receiver } = moving',
    caughtBy: [{ file: children, name: 'a FEE that an older version let pay another client is booked as a fee when it completes' }],
  },
  {
    name: 'payment-over-card',
    about: 'a payment completes unscreened, because its method is CARD',
    file: methods,
    find: 'carries: new Set(cards)',
    replace: 'carries: new Set([...cards, ...payments])',
    caughtBy: [{ file: create, name: 'CARD carries the card types only, so a payment cannot avoid screening over it' }],
  },
  {
    name: 'sepa-in-dollars',
    about: 'a method carries any currency',
    file: methods,
    find: "  if (!carriesCurrencies(rail, currency, account_currency)) return 'currency'\n",
    replace: '',
    caughtBy: [{ file: create, name: 'a method carries only its own currencies, and SEPA and INST no exchange' }],
  },
  {
    name: 'sepa-exchanges',
    about: 'SEPA carries euros that were exchanged on the way',
    file: methods,
    find: ' && (exchanges || currency === account_currency)',
    replace: '',
    caughtBy: [{ file: create, name: 'a method carries only its own currencies, and SEPA and INST no exchange' }],
  },
  {
    name: 'sepa-carries-any-amount',
    about: 'an amount that no SEPA message can carry is accepted',
    file: methods,
    find: 'rail.largest !== null && amount > rail.largest',
    replace: 'rail.largest !== null && amount > rail.largest * 10n',
    caughtBy: [{ file: create, name: 'SEPA methods carry at most 999,999,999.99 in one transfer' }],
  },
  {
    name: 'sepa-reaches-everybody',
    about: 'SEPA is used for an IBAN that is not of a SEPA country',
    file: methods,
    find: "return isSepaIban(iban) ? undefined : 'its IBAN is not of a SEPA country'",
    replace: 'return undefined',
    caughtBy: [{ file: create, name: 'SEPA needs an IBAN of a SEPA country, and a BIC outside the EEA' }],
  },
  {
    name: 'sepa-without-a-bic',
    about: 'outside the EEA, SEPA is used without a BIC',
    file: methods,
    find: 'iban === null || isEeaIban(iban)',
    replace: 'iban === null || isSepaIban(iban)',
    caughtBy: [{ file: create, name: 'SEPA needs an IBAN of a SEPA country, and a BIC outside the EEA' }],
  },
  {
    name: 'derived-method-does-not-fit',
    about: 'the method that the service chooses does not fit the order',
    file: choose,
    find: 'method === last || reaches(method, order, parties)',
    replace: "method === last || method === 'SEPA'",
    caughtBy: [
      { file: create, name: 'the method is derived from is_instant, the receiver, the currency and the beneficiary, in this order' },
    ],
  },
  {
    name: 'return-to-a-stranger',
    about: 'a return pays an account that the money did not come from',
    file: choose,
    find: '  if (inherited !== undefined) requireDebtorAccount(first, parties)\n',
    replace: '',
    caughtBy: [
      { file: children, name: 'money goes back only to the account that it came from' },
      { file: children, name: 'without an IBAN, account number and bank must be those of the debtor' },
    ],
  },
  {
    name: 'return-to-the-same-number-elsewhere',
    about: 'a return pays the same account number at another bank',
    file: parents,
    find: 'plain(account_number) === plain(number) && isSameBank',
    replace: 'plain(account_number) === plain(number) && (isSameBank || !isSameBank)',
    caughtBy: [{ file: children, name: 'without an IBAN, account number and bank must be those of the debtor' }],
  },
  {
    name: 'return-over-another-method',
    about: 'a return silently uses another method than the one requested',
    file: choose,
    find: 'if (inherited !== undefined && order.method != null && order.method !== inherited) {',
    replace: "if (inherited !== undefined && order.method === 'CARD' && order.method !== inherited) {",
    caughtBy: [{ file: children, name: 'a child uses the method of its parent' }],
  },
  {
    name: 'return-credits-more',
    about: 'a return in another currency credits more to the account than was taken from it',
    file: parents,
    find: '      requireLeftOnAccount(child, parent, same)\n',
    replace: '',
    caughtBy: [
      { file: children, name: 'a return is bounded by what left the bank and by what the account gave' },
      { file: children, name: 'returning received money is bounded by what entered the bank and by what the account got' },
    ],
  },
  {
    name: 'booking-returned-over-a-rail',
    about: 'what was booked as a fee comes back as a payment from another bank',
    file: parents,
    find: '  if (isBookType(parent.transfer_type))\n    invalid(',
    replace: "  if (parent.transfer_type === 'PAYMENT' && isBookType(parent.transfer_type))\n    invalid(",
    caughtBy: [
      { file: children, name: 'a payment is not taken back by a card reversal, a clearing not by a return, and a booking by neither' },
    ],
  },
  {
    name: 'return-of-a-return',
    about: 'a return can be returned, so that the first payment no longer counts against the limits and a released hold is paid out',
    file: parents,
    find: '  if (isReclaiming(parent.transfer_type))\n    invalid(',
    replace: "  if (isReclaiming(parent.transfer_type) && transfer_type === 'PAYMENT')\n    invalid(",
    caughtBy: [
      { file: children, name: 'what took money back is not taken back itself' },
      { file: children, name: 'the reversal of an authorisation released a hold, so reversing it books nothing' },
    ],
  },
  {
    name: 'frozen-return-leaves-room',
    about: 'a return whose money was frozen does not count, so the same payment comes back twice',
    file: parents,
    find: "transfer.status !== 'COMPLETED' && !isFrozen(transfer)",
    replace: "transfer.status !== 'COMPLETED'",
    caughtBy: [{ file: children, name: 'a return whose money was frozen has arrived, so it leaves no room for another' }],
  },
  {
    name: 'frozen-money-adjusted-in',
    about: 'an INBOUND adjustment of frozen money is not bounded by what is frozen',
    file: parents,
    find: "(child.transfer_type === 'ADJUSTMENT' || (",
    replace: "((child.transfer_type === 'ADJUSTMENT' && child.direction === 'OUTBOUND') || (",
    caughtBy: [
      { file: children, name: 'children out of suspense, adjustments in both directions included, are bounded by what is frozen' },
    ],
  },
  {
    name: 'exchange-fee-given-back-twice',
    about: 'each cancellation can give back the whole exchange fee',
    file: parents,
    find: 'taken: same.map(externalAmount), whole: feeOf(parent)',
    replace: 'taken: [], whole: feeOf(parent)',
    caughtBy: [{ file: children, name: 'an exchange fee is given back by fee cancellations, apart from the amount and up to the fee' }],
  },
  {
    name: 'card-spends-beyond-limits',
    about: 'an authorisation does not count against the limits',
    file: counting,
    find: "CARD_AUTH: 'created'",
    replace: "CARD_AUTH: 'never'",
    caughtBy: [{ file: limits, name: 'payments over every method, authorisations and advices count when they are created' }],
  },
  {
    name: 'clearing-above-the-hold-is-free',
    about: 'what a clearing asks above its hold does not count against the limits',
    file: counting,
    find: 'if (amount > covered && !clearing.exempt) countAgainstLimits',
    replace: 'if (amount < covered && !clearing.exempt) countAgainstLimits',
    caughtBy: [
      { file: limits, name: 'a clearing counts only what it asks above the hold, when it takes the hold over' },
      { file: limits, name: 'a clearing without an authorisation counts in full' },
    ],
  },
  {
    name: 'cleared-amount-given-back-with-the-rest',
    about: 'a cancelled authorisation gives back what its clearings have spent',
    file: counting,
    find: '  countLess(authorisation, authorised_amount)\n',
    replace: '',
    caughtBy: [{ file: limits, name: 'authorisation and clearings together give back exactly what was counted' }],
  },
  {
    name: 'fee-without-an-exchange',
    about: 'a transfer in one currency has an exchange fee',
    file: 'transfers/deciding/transfers.amounts.ts',
    find: '  if (foreign === currency) refuseField',
    replace: '  if (foreign === "") refuseField',
    caughtBy: [
      { file: create, name: 'an amount must be positive with the decimals of its currency, and only outbound transfers may have a fee' },
    ],
  },
  {
    name: 'bank-of-somebody-else',
    about: 'a payment by account number goes to a bank that is not the beneficiary’s',
    file: choose,
    find: 'if (cr_bank_bic == null || beneficiary === undefined',
    replace: 'if (cr_bank_bic != null || beneficiary === undefined',
    caughtBy: [{ file: create, name: 'without an IBAN the bank decides, so cr_bank_bic must be that of the beneficiary' }],
  },
  {
    name: 'inbound-for-another-account',
    about: 'money that arrives for one account is credited to another',
    file: choose,
    find: 'if (cr_iban == null || cr_iban === account.account_number) return',
    replace: 'if (cr_iban == null || cr_iban.length > 0) return',
    caughtBy: [{ file: create, name: 'an inbound transfer credits the account, so its cr_iban is that of the account' }],
  },
  {
    name: 'signed-in-the-future',
    about: 'a signature may lie days in the future',
    file: 'transfers/deciding/transfers.update.ts',
    find: 'clockTolerance_ms = 5 * 60_000',
    replace: 'clockTolerance_ms = 5 * 60_000_000',
    caughtBy: [{ file: moves, name: 'a signature more than five minutes in the future is refused, with a move and without one' }],
  },
  {
    name: 'signed-at-no-time',
    about: 'a signed transfer does not say when it was signed',
    file: 'transfers/deciding/transfers.moves.ts',
    find: "if (to === 'SIGNED' && !back) {",
    replace: "if (to === 'SIGNED' && back) {",
    caughtBy: [{ file: moves, name: 'the service records the time of a signature that the request does not give, and keeps a given one' }],
  },
  {
    name: 'texts-of-the-first-only',
    about: 'of transfers that were created together, a search finds only one',
    file: 'transfers/writing/transfers.rows.sql.ts',
    find: '...(others.length > 0 && { others })',
    replace: '...(others.length > 99 && { others })',
    caughtBy: [{ file: searches, name: eachFound }],
  },
  {
    name: 'texts-end-of-row-lost',
    about: 'the last transfer of a row of texts is in none',
    file: 'transfers/writing/transfers.rows.sql.ts',
    find: 'own.slice(part * mostTogether, (part + 1) * mostTogether)',
    replace: 'own.slice(part * mostTogether, (part + 1) * mostTogether - 1)',
    caughtBy: [{ file: searches, name: eachFound }],
  },
  {
    name: 'texts-as-written',
    about: 'a search finds only texts in lower case',
    file: 'transfers/writing/transfers.rows.sql.ts',
    find: 'select venture_id, id, others, lower(words) from',
    replace: 'select venture_id, id, others, words from',
    caughtBy: [{ file: searches, name: eachFound }],
  },
  {
    name: 'search-rare-lost',
    about: 'a search for a word that few transfers have finds none of them',
    file: 'transfers/orders/transfers.list.ts',
    find: 'where venture_id = ${venture_id} and words like ${patternOf(search)}',
    replace: 'where false and venture_id = ${venture_id} and words like ${patternOf(search)}',
    caughtBy: [{ file: searches, name: 'a word that none of the newest transfers has is found all the same' }],
  },
  {
    name: 'search-too-many-lost',
    about: 'a search for a word that very many transfers have, but few of the newest, finds none of them',
    file: 'platform/http/pieces.ts',
    find: 'found > mostCandidates',
    replace: 'found > 2 * mostCandidates',
    caughtBy: [{ file: searches, name: 'a word of more transfers than are worth looking up is found in the order of the list' }],
  },
  {
    name: 'search-rare-page-again',
    about: 'the next page of a search for a rare word is the first one again',
    file: 'platform/http/pieces.ts',
    find: 'every([...idRange(query), ...following(after)])',
    replace: 'every([...idRange(query), ...following(undefined), fragment`${after}::text is distinct from id::text`])',
    caughtBy: [
      {
        file: searches,
        name: 'a word that many transfers have, but none of the newest, is found newest first, page by page and with other filters',
      },
    ],
  },
  {
    name: 'search-common-page-again',
    about: 'the next page of a search for a common word is the first one again',
    file: 'platform/http/pieces.ts',
    find: 'every([...given(query, filters, others), ...following(after)])',
    replace: 'every([...given(query, filters, others), ...following(undefined), fragment`${after}::text is distinct from id::text`])',
    caughtBy: [{ file: searches, name: 'a word that all of them have finds all of them, newest first, and page by page' }],
  },
  {
    name: 'search-last-word-whole',
    about: 'a search for the beginning of a number beside a word finds nothing',
    file: 'transfers/orders/transfers.list.ts',
    find: "index === last ? ':*' : ''",
    replace: "index === last ? '' : ''",
    caughtBy: [
      { file: searches, name: wordsTogether },
      { file: searches, name: 'whatever part of its texts somebody searches for, a transfer is found' },
    ],
  },
  {
    name: 'search-first-word-whole',
    about: 'a search that begins in the middle of a word finds nothing',
    file: 'transfers/orders/transfers.list.ts',
    find: 'const [, ...words] = search.toLowerCase()',
    replace: 'const words = search.toLowerCase()',
    caughtBy: [{ file: searches, name: wordsTogether }],
  },
]
