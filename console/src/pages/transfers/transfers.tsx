import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ListTransfersQuery, Transfer } from '@vostro/sdk'
import { type Column, type Filter, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { counterpartyOf, signedAmount } from '../../ui/transfers.ts'
import { minuteOf, words } from '../../ui/words.ts'
import { transferDirections, transferMethods } from '../../values.made.ts'
import { phases } from './machine.ts'

const columns: readonly Column<Transfer>[] = [
  { label: 'Reference', cell: ({ unique_reference }) => <span className="reference">{unique_reference}</span> },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: signedAmount },
  { label: 'Counterparty', wide: true, cell: counterpartyOf },
  { label: 'Method', wide: true, cell: ({ method, transfer_type }) => methodOf(method, transfer_type) },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

/** For example `SEPA`, `SEPA · Fee` or `Card clearing`. */
function methodOf(method: string, type: string): string {
  if (type === 'PAYMENT') return words(method)
  return type.startsWith(method) ? words(type) : `${words(method)} · ${words(type)}`
}

const filters: readonly Filter[] = [
  { name: 'search', label: 'Reference, purpose or name', width: 230 },
  { name: 'status', label: 'Status', choices: phases.flatMap(([, statuses]) => statuses), width: 180 },
  { name: 'direction', label: 'Direction', choices: transferDirections, width: 130 },
  {
    name: 'method',
    label: 'Method',
    choices: transferMethods,
    width: 140,
  },
  { name: 'currency', label: 'Currency', width: 110 },
  { name: 'date_from', label: 'From', type: 'date' },
  { name: 'date_to', label: 'To', type: 'date' },
  { name: 'account_id', label: 'Account id', width: 230 },
]

/** Shown only if a link has set them. */
const rare: readonly Filter[] = [
  { name: 'beneficiary_id', label: 'Beneficiary id', width: 230 },
  { name: 'transfer_type', label: 'Type', width: 150 },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const may = useMay()
  const [chosen] = useFilters()
  const isFiltered = Object.keys(chosen).length > 0
  const make = `/v/${venture}/transfers/new`
  return (
    <Frame
      title="Transfers"
      actions={may('createTransfer') && <Button renderRoot={(props) => <Link {...props} to={make} />}>New transfer</Button>}
    >
      <FilterBar filters={[...filters, ...rare.filter(({ name }) => chosen[name])]} />
      <List
        label="Transfers"
        name={[venture, 'transfers', chosen]}
        read={(cursor) => api.transfers.list({ ...queryOf(chosen), ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/transfers/${id}`}
        live="transfer"
        empty={
          isFiltered ? (
            <Empty title="No matching transfers.">Remove a filter to see more.</Empty>
          ) : (
            <Empty title="No transfers yet." curl={curl}>
              Order the first one here, or through the API:
            </Empty>
          )
        }
      />
    </Frame>
  )
}

const queryOf = ({ currency, ...others }: Record<string, string>): ListTransfersQuery =>
  ({ ...others, ...(currency && { currency: currency.toUpperCase() }) }) as ListTransfersQuery

const curl = `curl ${location.origin}/api/v1/transfers -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"account_id": "…", "beneficiary_id": "…", "unique_reference": "first-1", "debit_amount": "10.00"}'`
