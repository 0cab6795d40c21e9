// What to do with an empty venture, in the order in which one thing needs the other.
import { Text } from '@mantine/core'
import { Block } from '../../ui/page.tsx'
import { Snippet } from '../../ui/snippet.tsx'

const call = (path: string, body?: string): string =>
  `curl ${location.origin}/api/v1${path} -H "X-API-Key: $KEY"${body === undefined ? ' -X POST' : ` -H "Content-Type: application/json" \\\n  -d '${body}'`}`

const steps: readonly (readonly [title: string, text: string, curl: string])[] = [
  [
    'Register a client',
    'Everybody who holds an account is a client, and is verified.',
    call(
      '/clients/person',
      `{"first_name": "Ada", "last_name": "Lovelace", "date_of_birth": "1990-12-10", "email": "ada@example.com",
      "nationality": "FRA", "birth_country": "GBR", "country_of_tax_residence": "FRA", "country_code": "FRA",
      "address": "1 rue de la Paix", "city": "Paris", "postcode": "75002", "organization_id": 1}`,
    ),
  ],
  [
    'Open an account',
    'It has an IBAN at once, and works when it is active.',
    call('/accounts', '{"client_id": "…", "account_name": "Main", "account_type": "CURRENT", "currency": "EUR"}'),
  ],
  [
    'Put money on it',
    'In the sandbox, money comes from nowhere.',
    `${call('/accounts/$ACCOUNT/activate')}\n${call('/sandbox/accounts/$ACCOUNT/deposits', '{"amount": "100.00"}')}`,
  ],
  [
    'Pay somebody',
    'The payee is a beneficiary of the client. The transfer is on the page Transfers a moment later.',
    `${call('/beneficiaries', '{"client_id": "…", "name": "Charles Babbage", "beneficiary_type": "PERSON", "iban": "DE89370400440532013000"}')}
${call('/transfers', '{"account_id": "…", "beneficiary_id": "…", "unique_reference": "first-1", "debit_amount": "30.00"}')}`,
  ],
]

export function FirstSteps() {
  return (
    <Block title="First steps" note="$KEY is a key of the venture; the page Developers makes one.">
      <ol className="steps">
        {steps.map(([title, text, curl]) => (
          <li key={title}>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
            <Snippet text={curl} />
          </li>
        ))}
      </ol>
    </Block>
  )
}
