// What a new venture does first, in the order in which one thing needs the other. Each step has the commands for what is there. In the sandbox they can be
// copied and run as they are, with nothing but the key in $KEY. Elsewhere the books are real: who it is about and how much it is have to be put in first, and
// until then the service refuses the commands.
import type { Account, Beneficiary, Client, OnboardingDetails, Transfer, Venture } from '@vostro/sdk'
import { isNegative, isZero } from '../../ui/amounts.ts'
import { ibanOf, money, words } from '../../ui/words.ts'

/** What is there: of each kind the newest one, of the client before it. */
export type There = {
  origin: string
  isSandbox: boolean
  /** Whether somebody verifies clients. */
  hasVerifier: boolean
  venture: Pick<Venture, 'id' | 'control'>
  /** Whether a program has called with a key of the venture. */
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
  /** What has come of it. */
  outcome?: string | undefined
  /** Where in the venture it is done with the mouse, or seen. */
  at?: { label: string; to: string } | undefined
  /** What to run next for it; nothing if it is done, or if a step before has to be done first. */
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
      title: 'Take a key',
      isDone: isKeyUsed || client !== undefined,
      text: 'The first command waits until you paste the key, and neither shows it nor keeps it in the history of the shell. The second one tries it.',
      commands: ['read -rs KEY && export KEY', get('/venture')],
    },
    {
      name: 'client',
      title: 'Register a client',
      isDone: client !== undefined,
      text: isSandbox
        ? 'Everybody who holds an account is a client.'
        : 'Everybody who holds an account is a client. Put in the details of a real person: nobody can delete a client.',
      outcome: client && `${client.first_name} ${client.last_name}`,
      at: clientPage ?? { label: 'Register one here', to: 'clients/new' },
      commands: [post('/clients/person', isSandbox ? { ...person, email: `ada.${own}@example.com` } : somePerson)],
    },
    {
      name: 'verification',
      title: 'Have the client verified',
      isDone: isVerified,
      text: isSandbox
        ? 'What the client declares starts the verification. In the sandbox, you decide how it ends.'
        : hasVerifier
          ? 'What the client declares starts the verification. The client then goes through it on the page of the verifier.'
          : 'The service has no verifier, so nobody verifies the client. The bank sets VERIFIER and starts the service again; what the client declares waits until then.',
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
      text: 'It has an IBAN at once, and works when it is active.',
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
      title: 'Put money on it',
      isDone: isFunded,
      text: isSandbox ? 'In the sandbox, money comes from nowhere.' : 'Pay to its IBAN from an account at another bank.',
      outcome: account && money(account.current_balance, account.currency),
      at: accountPage,
      commands: isActive && isSandbox ? [post(`/sandbox/accounts/${account.id}/deposits`, { amount: '100.00' })] : [],
    },
    {
      name: 'payment',
      title: 'Pay somebody',
      isDone: transfer !== undefined,
      text:
        venture.control === 'MANAGED'
          ? 'The payee is a beneficiary of the client. The bank carries the payment out.'
          : 'The payee is a beneficiary of the client. The payment goes on when you move it.',
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

/** The values that each field takes are in the reference of the API. */
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

/** Commands that fail, and show the problem, if the service refuses. */
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

/** JSON with as much in a line as one reads at a glance. */
function inLines(body: object): string {
  const lines = ['']
  for (const [name, value] of Object.entries(body)) {
    // What stands for true or false stays without quotation marks when it is replaced.
    const field = `"${name}": ${value === '<true or false>' ? value : JSON.stringify(value)}`
    const line = lines.at(-1) ?? ''
    if (line.length + field.length > 72) lines.push(field)
    else lines[lines.length - 1] = line === '' ? field : `${line}, ${field}`
  }
  return lines.length === 1 ? `{${lines[0]}}` : `{\n    ${lines.join(',\n    ')}}`
}
