// Ventures, as the bank's pages name and choose them.
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { shortId } from './words.ts'

/** The bank's own books belong to a venture that is in no list. */
export const houseId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** The name of a venture, once it is known. */
export function useVentureName(id: string): string {
  const { data } = useQuery({
    queryKey: ['bank', 'venture-name', id],
    enabled: id !== houseId,
    queryFn: async () => (await api.ventures.get(id)).name,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return id === houseId ? 'The house' : (data ?? shortId(id))
}

export function VentureName({ id }: { id: string }) {
  return <>{useVentureName(id)}</>
}

type Choice = { value: string; onChange(id: string): void; label?: string; required?: boolean }

export function VentureSelect({ value, onChange, label = 'Venture', required = true }: Choice) {
  const { data = [] } = useQuery({
    queryKey: ['bank', 'ventures', 'to choose from'],
    queryFn: async () => (await api.ventures.list({ limit: 100 }).page()).items,
    staleTime: 60_000,
  })
  return (
    <Select
      label={label}
      required={required}
      searchable
      allowDeselect={false}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
