import { Select } from '@mantine/core'
import { countries } from './countries.ts'

type Options = { label: string; value: string | null; onChange(value: string | null): void; required?: boolean }

export function CountrySelect({ label, value, onChange, required = false }: Options) {
  return (
    <Select
      label={label}
      data={[...countries]}
      value={value}
      onChange={onChange}
      searchable
      clearable={!required}
      withAsterisk={required}
      placeholder="Type to search"
      nothingFoundMessage="No matching country"
    />
  )
}
