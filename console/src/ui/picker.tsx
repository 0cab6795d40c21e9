// A select that searches the service while the person types.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { useState } from 'react'
import { useVenture, useVentureApi } from './session.ts'
import { ibanOf, money } from './words.ts'

export type Choice = { value: string; label: string }

type Options = {
  label: string
  description?: string
  /** The cache key. */
  name: readonly unknown[]
  find(search: string): Promise<Choice[]>
  value: string
  onChange(value: string): void
  required?: boolean
  placeholder?: string
  disabled?: boolean
  /** The label of an initial value. */
  preset?: Choice | undefined
}

export function Picker(options: Options) {
  const { label, description, name, find, value, onChange, required = true, placeholder, disabled = false, preset } = options
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Choice>()
  const chosen = picked ?? preset
  // The label of the chosen option is in the field, and is not a search.
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const { data = [], isFetching } = useQuery({
    queryKey: [...name, 'choices', search],
    enabled: !disabled,
    queryFn: () => find(search),
    placeholderData: keepPreviousData,
  })
  const known = chosen !== undefined && chosen.value === value && !data.some((choice) => choice.value === value)
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder ?? 'Type to search'}
      searchable
      clearable={!required}
      withAsterisk={required}
      disabled={disabled}
      data={known ? [chosen, ...data] : data}
      filter={({ options: all }) => all}
      value={value === '' ? null : value}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No results'}
      onChange={(id, choice) => {
        setPicked(choice === null ? undefined : { value: choice.value, label: choice.label })
        onChange(id ?? '')
      }}
    />
  )
}

type Picked = {
  value: string
  onChange(value: string): void
  label?: string
  description?: string
  required?: boolean
  preset?: Choice | undefined
}

export function ClientPicker({ label = 'Client', ...picked }: Picked) {
  const api = useVentureApi()
  const find = async (search: string) => {
    const { items } = await api.clients.list({ limit: 10, ...(search !== '' && { search }) }).page()
    return items.map(({ id, first_name, last_name, email }) => ({ value: id, label: `${first_name} ${last_name} · ${email}` }))
  }
  return <Picker label={label} name={[useVenture(), 'clients']} find={find} {...picked} />
}

type AccountFilter = { client_id?: string; currency?: string }

/** Offers active accounts only. */
export function AccountPicker({ label = 'Account', filter = {}, ...picked }: Picked & { filter?: AccountFilter }) {
  const api = useVentureApi()
  const find = async (search: string) => {
    const { items } = await api.accounts.list({ limit: 10, status: 'ACTIVE', ...filter, ...(search !== '' && { search }) }).page()
    return items.map(accountChoice)
  }
  return <Picker label={label} name={[useVenture(), 'accounts', filter]} find={find} {...picked} />
}

export const accountChoice = ({ id, account_name, account_number, available_balance, currency }: Account): Choice => ({
  value: id,
  label: `${account_name} · ${ibanOf(account_number)} · ${money(available_balance, currency)}`,
})
