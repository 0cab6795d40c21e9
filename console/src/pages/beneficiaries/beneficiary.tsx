import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Beneficiary } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { countryOf } from '../../ui/countries.ts'
import { List } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { ClientTie } from '../../ui/tied.tsx'
import { ibanOf, minuteOf, money, words } from '../../ui/words.ts'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { beneficiary: id = '' } = useParams({ strict: false }) as { beneficiary?: string }
  const query = useQuery({ queryKey: [venture, 'beneficiary', id], queryFn: () => api.beneficiaries.get(id) })
  const beneficiary = query.data
  return (
    <Frame
      title={beneficiary?.name ?? 'Beneficiary'}
      back={{ to: `/v/${venture}/beneficiaries`, label: 'Beneficiaries' }}
      aside={beneficiary && !beneficiary.display && <Status value="HIDDEN" tone="quiet" />}
      actions={beneficiary && <Display beneficiary={beneficiary} />}
    >
      <Answered query={query}>
        {beneficiary && (
          <>
            <Details beneficiary={beneficiary} />
            <Transfers id={id} />
          </>
        )}
      </Answered>
    </Frame>
  )
}

function Details({ beneficiary }: { beneficiary: Beneficiary }) {
  const { iban, address, postal_code, city, country_code } = beneficiary
  const place = [postal_code, city].filter(Boolean).join(' ')
  return (
    <Block title="Details">
      <Facts
        facts={[
          ['IBAN', iban && <Copyable text={iban} shown={ibanOf(iban)} label="Copy the IBAN" />],
          ['BIC', beneficiary.bic],
          ['Account number', beneficiary.account_number],
          ['Routing number', beneficiary.routing_number],
          ['SWIFT code', beneficiary.swift_code],
          ['Bank', [beneficiary.bank_name, beneficiary.bank_address].filter(Boolean).join(', ')],
          ['Kind', words(beneficiary.beneficiary_type)],
          ['Address', [address, place, country_code && countryOf(country_code)].filter(Boolean).join(', ')],
          ['Paid by', <ClientTie key="client" id={beneficiary.client_id} />],
          ['Shown to users', beneficiary.display ? 'Yes' : 'No'],
          ['Added', minuteOf(beneficiary.created_at)],
          ['Id', <Copyable key="id" text={beneficiary.id} label="Copy the id" />],
        ]}
      />
    </Block>
  )
}

function Transfers({ id }: { id: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <Block title="Transfers">
      <List
        label="Transfers to the beneficiary"
        name={[venture, 'transfers', 'to beneficiary', id]}
        read={(cursor) => api.transfers.list({ beneficiary_id: id, limit: 10, ...cursor }).page()}
        idOf={(transfer) => transfer.id}
        to={(transfer) => `/v/${venture}/transfers/${transfer.id}`}
        columns={[
          { label: 'Reference', cell: ({ unique_reference }) => unique_reference },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          { label: 'Amount', align: 'right', cell: ({ debit_amount, debit_currency }) => money(debit_amount, debit_currency) },
          { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
        ]}
        empty={<Empty title="No transfers yet." />}
      />
    </Block>
  )
}

function Display({ beneficiary: { id, name, display } }: { beneficiary: Beneficiary }) {
  const api = useVentureApi()
  return (
    <Action
      operation="updateBeneficiary"
      label={display ? 'Hide' : 'Show'}
      run={() => api.beneficiaries.update(id, { display: !display })}
      done={display ? 'Apps now hide the beneficiary.' : 'Apps now show the beneficiary.'}
    >
      {display
        ? `Apps should no longer show “${name}” to users. Transfers are still possible.`
        : `Apps should show “${name}” to users again.`}
    </Action>
  )
}
