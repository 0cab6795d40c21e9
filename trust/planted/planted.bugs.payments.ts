// Bugs in card payments: refunds, reports of the gateway, input from the browser, and card numbers.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const payments = 'payments/payments.test.ts'
const faults = 'payments/payments.faults.test.ts'
const answers = 'payments/gateway/payments.gateway.bpc.answers.test.ts'

export const paymentBugs: readonly Bug[] = [
  {
    name: 'refund-repeatable',
    about: 'a refund whose answer was lost is repeated without checking whether the gateway has made it',
    file: 'payments/payments.refunds.ts',
    find: 'const checked = claim !== undefined && !repeated ? refund : await checkListed(payments, key, payment, repeated)',
    replace: 'const checked = refund',
    caughtBy: [{ file: faults, name: 'a refund that is lost is given once also by a gateway that forgets names' }],
  },
  {
    name: 'refund-asked-for-by-two',
    about: 'two concurrent requests for one refund both reach the gateway',
    file: 'payments/payments.sql.ts',
    find: '\n        and (asked_until is null or asked_until <= now())',
    replace: '',
    caughtBy: [{ file: faults, name: 'while a request is making a refund, the job does not make it too' }],
  },
  {
    name: 'refunds-exceed-the-payment',
    about: 'pending refunds do not count against the refundable amount',
    file: 'payments/payments.refunds.ts',
    find: 'const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - pending',
    replace: 'const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - (pending - pending)',
    caughtBy: [{ file: faults, name: 'pending refunds count as refunded' }],
  },
  {
    name: 'paid-by-the-return-address',
    about: 'a payer who adds status=PAID to the return URL has paid',
    file: 'payments/payments.routes.ts',
    find: '      const place = await returnOf(payments, request.params.payment_id, count)\n',
    replace: `      if ((request.query as { status?: string }).status === 'PAID') {
        const { read, write } = await import('../platform/database/sql.ts')
        const open = await payments.database.first(read<object>\`select id from payments where id = \${request.params.payment_id} and status = 'PENDING'\`)
        if (open) await payments.database.transaction((tx) => tx.run(write\`update payments set status = 'PAID', paid_at = now() where id = \${request.params.payment_id}\`))
      }
      const place = await returnOf(payments, request.params.payment_id, count)
`,
    caughtBy: [{ file: payments, name: 'claims in the query of the return route have no effect' }],
  },
  {
    name: 'paid-with-another-amount',
    about: 'a payment counts as paid whatever amount the gateway took',
    file: 'payments/gateway/payments.gateway.bpc.answers.ts',
    find: "return fitsTerms(fields, terms) ? 'PAID' : 'FAILED'",
    replace: "return 'PAID'",
    caughtBy: [
      { file: answers, name: 'money of another amount or currency than ours is not our payment' },
      { file: faults, name: 'a different amount or currency makes the payment FAILED and is logged for the operator' },
    ],
  },
  {
    name: 'old-answer-believed',
    about: 'an outdated answer of the gateway undoes what happened since',
    file: 'payments/payments.refresh.ts',
    find: 'if (row?.sequence !== asked.sequence) return undefined',
    replace: 'if (row === undefined) return undefined',
    caughtBy: [{ file: faults, name: 'an answer older than a reversal does not make the payment PAID again' }],
  },
  {
    name: 'silence-taken-for-failure',
    about: 'a missing answer of the gateway counts as a refused order',
    file: 'payments/payments.register.ts',
    find: "if (answer.kind === 'unknown') break",
    replace: "if (answer.kind === 'unknown') return saveRegistration(payments, current, { kind: 'rejected', error_code: '7' } as never)",
    caughtBy: [{ file: faults, name: 'while the gateway is down, payments are accepted, and all of them are registered once it is back' }],
  },
  {
    name: 'pan-not-masked',
    about: 'the card number is passed on as the gateway sent it',
    file: 'payments/gateway/payments.gateway.bpc.answers.ts',
    find: "typeof card['pan'] === 'string' ? (maskPan(card['pan']) ?? null) : null",
    replace: "typeof card['pan'] === 'string' ? card['pan'] : null",
    caughtBy: [{ file: answers, name: 'a full card number is never passed on, wherever the gateway puts it' }],
  },
  {
    name: 'pan-in-the-description',
    about: 'a card number in the description of a payment is stored',
    file: 'payments/payments.ts',
    find: "  requireNoPan('description', order.description)\n",
    replace: '',
    caughtBy: [
      { file: payments, name: 'a card number is refused in the texts of a payment, and our own refund ids are refused as external ones' },
    ],
  },
  {
    name: 'link-used-too-often',
    about: 'concurrent payers each take the last use of a link',
    file: 'payments/links/payments.links.sql.ts',
    find: 'where venture_id = ${venture_id} and id = ${id} for no key update`)',
    replace: 'where venture_id = ${venture_id} and id = ${id}`)',
    caughtBy: [
      {
        file: 'payments/checkout/payments.pages.test.ts',
        name: 'of many payers at once, only as many start a payment as the link has uses',
      },
    ],
  },
  {
    name: 'markup-on-the-pay-page',
    about: 'texts of ventures and payers are not escaped in pages',
    file: 'platform/http/html.ts',
    find: "if (typeof value === 'string') return escapeHtml(value)",
    replace: "if (typeof value === 'string') return value",
    caughtBy: [{ file: 'payments/checkout/payments.pages.test.ts', name: 'whatever a venture or a payer writes is text and never markup' }],
  },
]
