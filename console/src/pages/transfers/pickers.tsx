// Choose an account or a beneficiary: the service searches while somebody types.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Account, Beneficiary } from '@vostro/sdk'
import { useEffect, useState } from 'react'
import { ProblemNote } from '../../ui/problem.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { money } from '../../ui/words.ts'

type Options<Picked> = { value: string; onPick(picked: Picked | undefined): void }

export function AccountPicker({ value, onPick }: Options<Account>) {
  const api = useVentureApi()
  return (
    <Picker
      label="From the account"
      placeholder="Search by name or IBAN"
      kind="accounts"
      value={value}
      onPick={onPick}
      search={async (search) => (await api.accounts.list({ status: 'ACTIVE', limit: 20, ...(search && { search }) }).page()).items}
      get={(id) => api.accounts.get(id)}
      name={({ account_name, account_number, available_balance, currency }) =>
        `${account_name} · …${account_number.slice(-4)} · ${money(available_balance, currency)}`
      }
    />
  )
}

export function BeneficiaryPicker({ client, value, onPick }: Options<Beneficiary> & { client: string | undefined }) {
  const api = useVentureApi()
  return (
    <Picker
      label="To the beneficiary"
      placeholder={client === undefined ? 'Choose the account first' : 'Search by name'}
      kind={`beneficiaries ${client}`}
      isDisabled={client === undefined}
      value={value}
      onPick={onPick}
      search={async (search) =>
        client === undefined ? [] : (await api.beneficiaries.list({ client_id: client, limit: 20, ...(search && { search }) }).page()).items
      }
      get={(id) => api.beneficiaries.get(id)}
      name={({ name, iban, account_number }) => [name, iban ?? account_number].filter(Boolean).join(' · ')}
    />
  )
}

type PickerOptions<Row> = Options<Row> & {
  label: string
  placeholder: string
  kind: string
  isDisabled?: boolean
  search(text: string): Promise<Row[]>
  /** Of what a link has chosen. */
  get(id: string): Promise<Row>
  name(row: Row): string
}

function Picker<Row extends { id: string }>(options: PickerOptions<Row>) {
  const { label, placeholder, kind, isDisabled = false, value, onPick, search, get, name } = options
  const venture = useVenture()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Row>()
  const [settled] = useDebouncedValue(text.trim(), 250)
  const isChosen = chosen !== undefined && chosen.id === value
  // The text of what was chosen is no search.
  const wanted = isChosen && settled === name(chosen) ? '' : settled
  const found = useQuery({
    queryKey: [venture, 'pick', kind, wanted],
    enabled: !isDisabled,
    queryFn: () => search(wanted),
    placeholderData: keepPreviousData,
  })
  const given = useQuery({ queryKey: [venture, 'picked', value], enabled: value !== '' && !isChosen, queryFn: () => get(value) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when what the link names has been found.
  useEffect(() => {
    if (given.data === undefined || isChosen) return
    setChosen(given.data)
    onPick(given.data)
  }, [given.data])
  const rows = [...(isChosen ? [chosen] : []), ...(found.data ?? []).filter(({ id }) => !isChosen || id !== chosen.id)]
  return (
    <>
      <Select
        label={label}
        placeholder={placeholder}
        required
        searchable
        clearable
        disabled={isDisabled}
        value={value === '' ? null : value}
        searchValue={text}
        onSearchChange={setText}
        // The service has searched already.
        filter={({ options: all }) => all}
        data={rows.map((row) => ({ value: row.id, label: name(row) }))}
        nothingFoundMessage={found.isFetching ? 'Looking…' : 'Nothing found'}
        onChange={(id) => {
          const picked = rows.find((row) => row.id === id)
          setChosen(picked)
          onPick(picked)
        }}
      />
      <ProblemNote error={found.error ?? given.error} />
    </>
  )
}
