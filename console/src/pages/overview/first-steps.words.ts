// The first steps of a new venture, in order of dependence, with commands that use the venture's own ids. In the sandbox they run as copied,
// with the key in $KEY. Elsewhere the books are real: the commands contain placeholders for people and amounts, and the service refuses them
// until these are filled in.
import type { Account, Beneficiary, Client, OnboardingDetails, Transfer, Venture } from '@vostro/sdk'
import { isNegative, isZero } from '../../ui/amounts.ts'
import { ibanOf, money, words } from '../../ui/words.ts'

/** The newest resource of each kind; of the client, the one before it. */
export type There = {
  origin: string
  isSandbox: boolean
  /** Whether the service has a verifier. */
  hasVerifier: boolean
  venture: Pick<Venture, 'id' | 'control'>
  /** Whether a program has used a key of the venture. */
  isKeyUsed: boolean
  client?: Pick<Client, 'id' | 'first_name' | 'last_name' | 'kyc_level' | 'kyc_status'> | undefined
  details?: Pick<OnboardingDetails, 'kyc_link'> | undefined
  account?: Pick<Account, 'id' | 'account_number' | 'status' | 'current_balance' | 'currency'> | undefined
  beneficiary?: Pick<Beneficiary, 'id' | 'name'> | undefined
  transfer?: Pick<Transfer, 'id' | 'unique_reference' | 'status'> | undefined
}

export type Step = {
  name: 'key' | 'client' | 'verification' | 'account' | 'money' | 'payment'
  title: string
  text: string
  isDone: boolean
  /** The result of the step. */
  outcome?: string | undefined
  /** Where the console does or shows the same. */
  at?: { label: string; to: string } | undefined
  /** The next commands; empty if the step is done or waits for an earlier one. */
  commands: readonly string[]
}

export const isDone = (steps: readonly Step[]): boolean => steps.every((step) => step.isDone)

export function stepsOf(there: There): readonly Step[] {
  const { isSandbox, hasVerifier, venture, isKeyUsed, client, details, account, beneficiary, transfer } = there
  const { get, post } = callsOf(there.origin)
  const own = venture.id.slice(-8)
  const isVerified = client !== undefined && (client.kyc_level === 'NOT_REQUIRED' || client.kyc_status === 'VALIDATED')
  const isActive = account !== undefined && account.status !== 'PENDING'
  const isFunded = account !== undefined && !isZero(account.current_balance) && !isNegative(account.current_balance)
  const clientPage = client && { label: 'Show the client', to: `clients/${client.id}` }
  const accountPage = account && { label: 'Show the account', to: `accounts/${account.id}` }
  const steps: readonly (Omit<Step, 'commands'> & { commands: readonly (string | undefined)[] })[] = [
    {
      name: 'key',
      title: 'Get a key',
      isDone: isKeyUsed || client !== undefined,
      text: 'The first command waits for you to paste the key, and keeps it off the screen and out of the shell history. The second one tests it.',
      commands: ['read -rs KEY && export KEY', get('/venture')],
    },
    {
      name: 'client',
      title: 'Register a client',
      isDone: client !== undefined,
      text: isSandbox
        ? 'Every account holder is a client.'
        : 'Every account holder is a client. Fill in the details of a real person: clients cannot be deleted.',
      outcome: client && `${client.first_name} ${client.last_name}`,
      at: clientPage ?? { label: 'Register one here', to: 'clients/new' },
      commands: [post('/clients/person', isSandbox ? { ...person, email: `ada.${own}@example.com` } : somePerson)],
    },
    {
      name: 'verification',
      title: 'Verify the client',
      isDone: isVerified,
      text: isSandbox
        ? 'Submitting the client’s details starts the verification. In the sandbox, you choose the result.'
        : hasVerifier
          ? 'Submitting the client’s details starts the verification. The client then completes it on the verifier’s page.'
          : 'The service has no verifier. The bank must set VERIFIER and restart the service; submitted details wait until then.',
      outcome: client && words(client.kyc_status),
      at: clientPage,
      commands:
        client === undefined
          ? []
          : details === undefined
            ? [post(`/clients/${client.id}/onboarding/details`, isSandbox ? declared : someDeclared)]
            : isSandbox
              ? [post(`/sandbox/clients/${client.id}/verification`, { outcome: 'APPROVED' })]
              : hasVerifier
                ? [get(`/clients/${client.id}/onboarding/details`)]
                : [],
    },
    {
      name: 'account',
      title: 'Open an account',
      isDone: isActive,
      text: 'It gets an IBAN at once and can be used when it is active.',
      outcome: account && ibanOf(account.account_number),
      at: accountPage ?? (isVerified ? { label: 'Open one here', to: 'accounts' } : undefined),
      commands: !isVerified
        ? []
        : account === undefined
          ? [post('/accounts', { client_id: client.id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' })]
          : [post(`/accounts/${account.id}/activate`)],
    },
    {
      name: 'money',
      title: 'Fund the account',
      isDone: isFunded,
      text: isSandbox ? 'In the sandbox, deposits are simulated.' : 'Pay to its IBAN from an account at another bank.',
      outcome: account && money(account.current_balance, account.currency),
      at: accountPage,
      commands: isActive && isSandbox ? [post(`/sandbox/accounts/${account.id}/deposits`, { amount: '100.00' })] : [],
    },
    {
      name: 'payment',
      title: 'Make a payment',
      isDone: transfer !== undefined,
      text:
        venture.control === 'MANAGED'
          ? 'The payee is a beneficiary of the client. The bank processes the payment.'
          : 'The payee is a beneficiary of the client. You move the payment forward yourself.',
      outcome: transfer && `${transfer.unique_reference}: ${words(transfer.status)}`,
      at: transfer
        ? { label: 'Show the transfer', to: `transfers/${transfer.id}` }
        : isFunded
          ? { label: 'Pay here', to: 'transfers/new' }
          : undefined,
      commands:
        !isFunded || client === undefined
          ? []
          : beneficiary === undefined
            ? [post('/beneficiaries', { client_id: client.id, ...(isSandbox ? payee : somePayee) })]
            : [
                post('/transfers', {
                  account_id: account.id,
                  beneficiary_id: beneficiary.id,
                  unique_reference: `first-${own}`,
                  debit_amount: isSandbox ? '30.00' : '<amount>',
                }),
              ],
    },
  ]
  return steps.map((step) => ({ ...step, commands: step.isDone ? [] : step.commands.filter((command) => command !== undefined) }))
}

const person = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-12-10',
  nationality: 'FRA',
  birth_country: 'GBR',
  country_of_tax_residence: 'FRA',
  country_code: 'FRA',
  address: '1 rue de la Paix',
  city: 'Paris',
  postcode: '75002',
  organization_id: 1,
}

const somePerson = {
  first_name: '<first name>',
  last_name: '<last name>',
  date_of_birth: '<YYYY-MM-DD>',
  nationality: '<country, as FRA>',
  birth_country: '<country>',
  country_of_tax_residence: '<country>',
  country_code: '<country>',
  address: '<street and number>',
  city: '<city>',
  postcode: '<postcode>',
  email: '<email>',
  organization_id: 1,
}

const declared = {
  account_purposes_input: ['SALARY'],
  is_us_person: false,
  occupation: 'ENGINEER',
  occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
  source_of_funds: 'SAVINGS_FROM_SALARY',
  expected_monthly_incoming_volume: 'LESS_THAN1000',
  expected_monthly_outgoing_volume: 'LESS_THAN1000',
}

/** The API reference lists the values of each field. */
const someDeclared = {
  account_purposes_input: ['<purpose, as SALARY>'],
  is_us_person: '<true or false>',
  occupation: '<occupation, as ENGINEER>',
  occupation_sector: '<sector>',
  source_of_funds: '<source>',
  expected_monthly_incoming_volume: '<volume, as LESS_THAN1000>',
  expected_monthly_outgoing_volume: '<volume>',
}

const payee = { name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }

const somePayee = { name: '<name of the payee>', beneficiary_type: '<PERSON or COMPANY>', iban: '<IBAN of the payee>' }

function callsOf(origin: string) {
  const curl = (path: string) => `curl -sS --fail-with-body ${origin}/api/v1${path} -H "X-API-Key: $KEY"`
  return {
    get: (path: string) => curl(path),
    post: (path: string, body?: object) =>
      body === undefined
        ? `${curl(path)} -X POST`
        : `${curl(path)} \\\n  -H "Content-Type: application/json" -d '${inLines(body).replaceAll("'", "'\\''")}'`,
  }
}

/** JSON with a few fields per line. */
function inLines(body: object): string {
  const lines = ['']
  for (const [name, value] of Object.entries(body)) {
    // The placeholder for a boolean has no quotation marks, so that replacing it yields valid JSON.
    const field = `"${name}": ${value === '<true or false>' ? value : JSON.stringify(value)}`
    const line = lines.at(-1) ?? ''
    if (line.length + field.length > 72) lines.push(field)
    else lines[lines.length - 1] = line === '' ? field : `${line}, ${field}`
  }
  return lines.length === 1 ? `{${lines[0]}}` : `{\n    ${lines.join(',\n    ')}}`
}
