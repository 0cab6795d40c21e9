// The page about the simulated bank, built from its tables.
import { behaviours, confirmations, confirmed, recallWords, usual } from './sandbox.bank.behaviours.ts'
import { cycle_ms, late_ms } from './sandbox.bank.rules.ts'
import { balanceText, settlementAccount } from './sandbox.bank.statement.ts'

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export function simulatedBankMarkdown(): string {
  const cents = Object.entries(behaviours).toSorted(([one], [other]) => one.localeCompare(other))
  const { iban, bic, prefunding } = settlementAccount
  return `# The simulated bank

In the sandbox, payments over SEPA, instant payments and direct debits leave the bank as files of ISO 20022 XML, as they do in production. A
simulated bank receives them: it is the clearing system and every other bank in one. It speaks only XML, and only through the exchange of files that
the [rails](rails.md) use. It checks each message, drops repeated message ids, settles, and keeps the account that our bank has with it:
${iban} at ${bic}, with ${balanceText(prefunding)} EUR before the first payment.

An instant payment settles at once. All other payments settle at a cycle. A cycle follows ${cycle_ms / 1000} seconds after a payment has arrived, and
\`POST /api/v1/sandbox/bank/cycle\` runs one now. A direct debit settles at the first cycle on its due date, and is accepted before. The time is that of the
service, so the [test clock](bank.md#the-test-clock) moves it.

[Three commands](rails.md#try-it) show a payment that goes out as XML, settles, and appears on a statement.

## Amounts

How the bank behaves depends on the cents of the amount of a payment, of a direct debit that we collect, or of a return that we send.

| Cents | What happens |
|---|---|
${cents.map(([ending, { words }]) => row([`.${ending}`, words])).join('\n')}
| any other | ${usual.words} |

A late answer to an instant payment takes ${late_ms.instant / 1000} seconds, any other late answer ${late_ms.other / 3_600_000} hours: longer than our bank waits for it. Asked about a payment (pacs.028),
inquiry about a payment (pacs.028), the bank gives the right answer, unless it never answers or its late answer is still to come. A return that we send
never comes back, whatever its amount. The cents of a payment to us have no effect, except that .16 is missing and .17 appears twice on the statement, and
that those of an instant payment decide what the bank says once our bank has accepted it:

| Cents | What happens |
|---|---|
${Object.entries(confirmations)
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(([ending, { words }]) => row([`.${ending}`, words]))
  .join('\n')}
| any other | ${confirmed.words} |

## Names

The answer to a recall (camt.056) of a payment depends on words in the payee's name.

| Name contains | What happens |
|---|---|
${Object.values(recallWords)
  .map(({ name, words }) => row([`\`${name}\``, words]))
  .join('\n')}
| none of them | ${recallWords.yes.words} |

Money that comes back is a return (pacs.004) with the reason FOCR, in the next cycle. A payment that has not settled when it is recalled is rejected
instead. Words such as \`VOP CLOSE\` are for the [verification of payees](payees.md#asking), and the sandbox comes with an invented
[watch list](screening.md).

## What other banks do

The people of the bank and its admin key act for other banks:

| Request | What follows |
|---|---|
| \`POST /api/v1/sandbox/bank/payments\` | A customer of another bank pays an account of ours (pacs.008), over SEPA or instantly. An instant payment settles when our bank accepts it, and a pacs.002 (ACSC) says so. |
| \`POST /api/v1/sandbox/bank/direct-debits\` | A creditor collects from an account of ours (pacs.003). It settles on its due date, unless our bank has refused it. |
| \`POST /api/v1/sandbox/bank/recalls\` | Another bank recalls a payment that it sent us (camt.056). |
| \`POST /api/v1/sandbox/bank/day-end\` | The bank sends the statement of the account (camt.053), with everything since the previous statement. |
| \`POST /api/v1/sandbox/bank/cycle\` | A cycle runs now. |
| \`GET /api/v1/sandbox/bank\` | The balance of the account, and the newest payments in both directions. |
`
}
