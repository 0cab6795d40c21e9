// What the message of a payment says besides the fields of the transfer.
import type { TransferDetails } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { Copyable } from './copyable.tsx'
import { countryOf } from './countries.ts'
import { Block, Facts } from './page.tsx'
import { words } from './words.ts'

type Party = NonNullable<TransferDetails['ultimate_debtor']>

const copied = (label: string) => (text: string) => <Copyable text={text} label={`Copy the ${label}`} />
const plain = (text: string) => text
const party = ({ name, bic, lei, country_code }: Party) =>
  [name, lei && `LEI ${lei}`, bic && `BIC ${bic}`, country_code && countryOf(country_code)].filter(Boolean).join(', ')
const lines = (texts: readonly string[]) => [...new Set(texts)].map((text) => <div key={text}>{text}</div>)

type Rows = { readonly [Name in keyof TransferDetails]-?: readonly [string, (value: NonNullable<TransferDetails[Name]>) => ReactNode] }

const rows: Rows = {
  end_to_end_id: ['End-to-end id', copied('end-to-end id')],
  instruction_id: ['Instruction id', copied('instruction id')],
  uetr: ['UETR', copied('UETR')],
  transaction_id: ['Transaction id', copied('transaction id')],
  clearing_reference: ['Clearing reference', copied('clearing reference')],
  holder_name: ['Holder, as named', plain],
  initiating_party: ['Initiating party', party],
  ultimate_debtor: ['Ultimate debtor', party],
  ultimate_creditor: ['Ultimate creditor', party],
  creditor_id: ['Creditor id', copied('creditor id')],
  mandate_reference: ['Mandate', copied('reference of the mandate')],
  mandate_signed_on: ['Mandate signed', plain],
  mandate_scheme: ['Scheme', plain],
  mandate_sequence: ['Sequence', plain],
  agents: [
    'Banks on the way',
    (agents) => lines(agents.map(({ role, name, bic }) => `${words(role)}: ${[name, bic].filter(Boolean).join(', ')}`)),
  ],
  additional_remittance: ['Additional text', lines],
  instructions: ['Instructions', lines],
}

/** Nothing if the message says nothing besides. */
export function Said({ said }: { said: TransferDetails | null | undefined }) {
  if (said === null || said === undefined) return null
  const facts = Object.entries<readonly [string, (value: never) => ReactNode]>(rows).map(([name, [label, show]]): [string, ReactNode] => {
    const value = said[name as keyof TransferDetails]
    return [label, value === undefined ? null : show(value as never)]
  })
  return (
    <Block title="What the message says">
      <Facts facts={facts} />
    </Block>
  )
}
