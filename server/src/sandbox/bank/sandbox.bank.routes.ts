// The routes of the simulated bank: actions of other banks, cycles, the end of the day, and its state.
import { changesAtBank, readsAtBank, sandboxOnly } from '../../platform/http/access.ts'
import { exampleIban, exampleIds } from '../../platform/http/examples.ts'
import type { App } from '../../platform/http/http.ts'
import { debitUs, payUs, recallFromUs, stateOf } from './sandbox.bank.requests.ts'
import {
  BankPaymentShown,
  BankRecallShown,
  BankState,
  CycleDone,
  DayEndDone,
  NewBankDebit,
  NewBankPayment,
  NewBankRecall,
} from './sandbox.bank.schemas.ts'
import type { SimulatedBank } from './sandbox.bank.ts'

const tags = ['Simulated bank (bank)']

/** Under the API's prefix, for people of the bank. */
export async function sandboxBankRoutes(app: App, { bank }: { bank: SimulatedBank }): Promise<void> {
  app.get(
    '/sandbox/bank',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'getSandboxBank',
        tags,
        summary: 'Get the state of the simulated bank',
        description: "The balance of our bank's account with the simulated bank, and the payments between the two.",
        response: { 200: BankState },
      },
    },
    async () => stateOf(bank),
  )

  app.post(
    '/sandbox/bank/cycle',
    {
      config: {
        access: changesAtBank(sandboxOnly('It plays the clearing system.')),
        audit: 'people',
        refusals: [],
        createsNothing: 'It may be repeated: the next cycle handles the payments that wait by then.',
      },
      schema: {
        operationId: 'runSandboxCycle',
        tags,
        summary: 'Run a cycle of the simulated bank now',
        description:
          'Settles and returns all payments that wait for a cycle and are due. A cycle also runs automatically, half a second after a payment has ' +
          'arrived.',
        response: { 200: CycleDone },
      },
    },
    async ({ companions }) => ({ payments: await bank.cycle(companions) }),
  )

  app.post(
    '/sandbox/bank/day-end',
    {
      config: {
        access: changesAtBank(sandboxOnly('It plays the clearing system.')),
        audit: 'people',
        refusals: [],
        createsNothing: 'It may be repeated: the next statement shows only newer entries, if there are any.',
      },
      schema: {
        operationId: 'endSandboxDay',
        tags,
        summary: 'End the day of the simulated bank',
        description:
          'The bank sends the statement (camt.053) of the account that our bank has with it, with all entries since the previous statement.',
        response: { 200: DayEndDone },
      },
    },
    async ({ companions }) => bank.endDay(companions),
  )

  app.post(
    '/sandbox/bank/payments',
    {
      config: {
        access: changesAtBank(sandboxOnly('It plays another bank.')),
        audit: 'people',
        refusals: [],
        creates: { answer: 'kept' },
        another: { amount: '2.00' },
        example: {
          body: { iban: 'LT121000011101001000', amount: '30.00', name: 'Charles Babbage', purpose: 'Invoice 1001' },
          own: ['iban'],
        },
        trial: { body: { iban: exampleIban, amount: '1.00' }, kinds: { end_to_end_id: 'label' } },
      },
      schema: {
        operationId: 'payFromSandboxBank',
        tags,
        summary: 'Simulate an incoming payment from another bank',
        description: 'The simulated bank sends a payment (pacs.008). An instant payment settles when our bank accepts it.',
        body: NewBankPayment,
        response: { 201: BankPaymentShown },
      },
    },
    async ({ body, companions }) => payUs(bank, body, companions),
  )

  app.post(
    '/sandbox/bank/direct-debits',
    {
      config: {
        access: changesAtBank(sandboxOnly('It plays another bank.')),
        audit: 'people',
        refusals: [],
        creates: { answer: 'kept' },
        another: { amount: '2.00' },
        example: {
          body: { iban: 'LT121000011101001000', amount: '12.50', name: 'Gas Works', mandate_reference: 'GAS-1001' },
          own: ['iban'],
        },
        trial: { body: { iban: exampleIban, amount: '1.00' }, kinds: { mandate_reference: 'label', creditor_id: 'label' } },
      },
      schema: {
        operationId: 'debitFromSandboxBank',
        tags,
        summary: 'Simulate an incoming direct debit from another bank',
        description: 'The simulated bank sends a direct debit (pacs.003), and settles it on its due date unless our bank has refused it.',
        body: NewBankDebit,
        response: { 201: BankPaymentShown },
      },
    },
    async ({ body, companions }) => debitUs(bank, body, companions),
  )

  app.post(
    '/sandbox/bank/recalls',
    {
      config: {
        access: changesAtBank(sandboxOnly('It plays another bank.')),
        audit: 'people',
        refusals: ['sandbox_payment_not_found', 'sandbox_payment_not_recallable'],
        creates: { answer: 'kept' },
        another: { reason: 'TECH' },
        example: { body: { bank_payment_id: exampleIds.bank_payment_id, reason: 'DUPL' } },
        trial: { fresh: 'bankPayment' },
      },
      schema: {
        operationId: 'recallFromSandboxBank',
        tags,
        summary: 'Simulate a recall by another bank',
        description: 'The simulated bank recalls (camt.056) a payment that it has sent us.',
        body: NewBankRecall,
        response: { 201: BankRecallShown },
      },
    },
    async ({ body, companions }) => recallFromUs(bank, body, companions),
  )
}
