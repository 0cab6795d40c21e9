// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
// Bugs in card payments, refunds and payouts.
import type { Bug } from './planted.bug.ts'

export const cardsBugs: readonly Bug[] = [
  {
    name: 'paid-by-the-return-address',
    about: 'a payer who adds status=PAID to the return URL has paid',
    folder: 'payments',
    within: 'paymentRoutes',
    find: 'const place = await returnOf(payments, request.params.payment_id, count)',
    replace: `if ((request.query as { status?: string }).status === 'PAID') {
        const { read, write } = await import('../platform/database/sql.ts')
        const open = await payments.database.first(read<object>\`select id from payments where id = \${request.params.payment_id} and status = 'PENDING'\`)
        if (open) await payments.database.transaction((tx) => tx.run(write\`update payments set status = 'PAID', paid_at = now() where id = \${request.params.payment_id}\`))
      }
      const place = await returnOf(payments, request.params.payment_id, count)`,
    caughtBy: 'server/src/payments/payments.test.ts',
  },
  {
    name: 'paid-with-another-amount',
    about: 'a payment counts as paid whatever amount the gateway took',
    folder: 'payments',
    within: 'statusOf',
    find: "return fitsTerms(fields, terms) ? 'PAID' : 'FAILED'",
    replace: "return 'PAID'",
    caughtBy: 'server/src/payments/gateway/payments.gateway.bpc.answers.test.ts',
  },
  {
    name: 'refunds-exceed-the-payment',
    about: 'pending refunds do not count against the refundable amount',
    folder: 'payments',
    within: 'leftOf',
    find: 'const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - pending',
    replace: 'const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - (pending - pending)',
    caughtBy: 'server/src/payments/payments.faults.test.ts',
    test: 'pending refunds count as refunded',
  },
  {
    name: 'refund-repeatable',
    about: 'a refund whose answer was lost is repeated without checking whether the gateway has carried it out',
    folder: 'payments',
    within: 'carryOut',
    find: 'const checked = lease !== undefined && !repeated ? refund : await checkListed(payments, key, payment, repeated)',
    replace: 'const checked = refund',
    caughtBy: 'server/src/payments/payments.faults.test.ts',
    test: 'a refund that is lost is given once also by a gateway that forgets names',
  },
  {
    name: 'silence-taken-for-failure',
    about: 'a missing answer of the gateway counts as a refused order',
    folder: 'payments',
    within: 'registerOrder',
    find: "if (answer.kind === 'unknown') break",
    replace: "if (answer.kind === 'unknown') return saveRegistration(payments, current, { kind: 'rejected', error_code: '7' } as never)",
    caughtBy: 'server/src/payments/payments.faults.test.ts',
    test: 'while the gateway is down, payments are accepted, and all of them are registered once it is back',
  },
  {
    name: 'pan-not-masked',
    about: 'the card number is passed on as the gateway sent it',
    folder: 'payments',
    within: 'readStatus',
    find: "typeof card['pan'] === 'string' ? (maskPan(card['pan']) ?? null) : null",
    replace: "typeof card['pan'] === 'string' ? card['pan'] : null",
    caughtBy: 'server/src/payments/gateway/payments.gateway.bpc.answers.test.ts',
  },
  {
    name: 'two-payouts-in-one-batch',
    about: 'two payouts in one batch pay out the same money',
    folder: 'payments',
    within: 'payoutRows',
    find: 'accountOf.set(venture_id, null)',
    replace: '',
    caughtBy: 'server/src/payments/payouts/payments.payouts.test.ts',
  },
  {
    name: 'day-paid-out-twice',
    about: 'a daily run that is repeated after a crash pays out again',
    folder: 'payments',
    within: 'payOut',
    find: 'order: {}, run_on: day })',
    replace: 'order: {} })',
    caughtBy: 'server/src/payments/payouts/payments.payouts.test.ts',
  },
]
