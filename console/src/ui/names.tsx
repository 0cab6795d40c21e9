// Names of people and ventures by id. Lists show many, so each is fetched once and cached.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from './api.ts'
import { shortId } from './words.ts'

/** The bank, where a venture is named. */
export const bankId = '00000000-0000-0000-0000-000000000000'
/** The venture that holds the bank's own books. */
export const houseId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

const long_ms = 300_000

/** Whether the venture of an id has a console. */
export const isVenture = (id: string): boolean => id !== bankId && id !== houseId

export function useVentureName(id: string): string {
  const { data, isPending } = useQuery({
    queryKey: ['bank', 'venture', id, 'name'],
    enabled: isVenture(id),
    staleTime: long_ms,
    queryFn: () => api.ventures.get(id),
  })
  if (id === bankId) return 'The bank'
  if (id === houseId) return "The bank's own books"
  return data?.name ?? (isPending ? '…' : shortId(id))
}

/** For bank users: the name of a venture, with a link. */
export function VentureName({ id, isLink = false }: { id: string; isLink?: boolean }) {
  const name = useVentureName(id)
  if (!isLink || !isVenture(id)) return name
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to={`/bank/ventures/${id}`} />}>
      {name}
    </Anchor>
  )
}

export function usePersonName(id: string | null): string {
  const { data, isPending } = useQuery({
    queryKey: ['bank', 'user', id, 'name'],
    enabled: id !== null,
    staleTime: long_ms,
    queryFn: () => api.operator.users.get(id ?? ''),
  })
  if (id === null) return ''
  return data?.name ?? (isPending ? '…' : shortId(id))
}

/** For bank users: the name of any person. */
export function PersonName({ id, isLink = false, nobody = '' }: { id: string | null; isLink?: boolean; nobody?: string }) {
  const name = usePersonName(id)
  if (id === null) return nobody
  return isLink ? (
    <Anchor inherit renderRoot={(props) => <Link {...props} to={`/bank/users/${id}`} />}>
      {name}
    </Anchor>
  ) : (
    name
  )
}

type Choices = { choices: readonly string[]; written(id: string): string }

/** The ventures of a filter; if there are very many, the newest. */
export function useVentureChoices({ withBank = false } = {}): Choices {
  const { data = [] } = useQuery({
    queryKey: ['bank', 'ventures', 'choices'],
    staleTime: long_ms,
    queryFn: async () => (await api.ventures.list({ limit: 100 }).page()).items,
  })
  const names = new Map(data.map(({ id, name }) => [id, name]))
  return {
    choices: [...(withBank ? [bankId] : []), ...names.keys()],
    written: (id) => (id === bankId ? 'The bank' : (names.get(id) ?? shortId(id))),
  }
}

/** The people of a filter. */
export function usePeopleChoices(): Choices {
  const { data = [] } = useQuery({
    queryKey: ['bank', 'users', 'choices'],
    staleTime: long_ms,
    queryFn: async () => (await api.operator.users.list({ limit: 100 }).page()).items,
  })
  const names = new Map(data.map(({ id, name }) => [id, name]))
  return { choices: [...names.keys()], written: (id) => names.get(id) ?? shortId(id) }
}
