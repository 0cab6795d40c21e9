// A select of ventures, for the bank's pages.
import { Select } from '@mantine/core'
import { useVentureChoices } from './names.tsx'

type Choice = { value: string; onChange(id: string): void; label?: string; required?: boolean }

export function VentureSelect({ value, onChange, label = 'Venture', required = true }: Choice) {
  const { choices, written } = useVentureChoices()
  return (
    <Select
      label={label}
      required={required}
      maw={640}
      searchable
      allowDeselect={false}
      data={choices.map((id) => ({ value: id, label: written(id) }))}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
