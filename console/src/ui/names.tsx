// Who and which venture an id stands for. Lists show many of them, so each name is asked for once and kept for a while.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from './api.ts'
import { shortId } from './words.ts'

/** Stands for the bank where a venture is named. */
export const bankId = '00000000-0000-0000-0000-000000000000'
/** The venture that holds the bank's own books. */
export const houseId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

const long_ms = 300_000

/** Whether an id is that of a venture with a console of its own. */
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

/** For people of the bank: the name of a venture, which leads to its page. */
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

/** For people of the bank: the name of a person, whoever it is. */
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

/** The ventures to choose from in a filter. A bank has few of them; of very many, the newest. */
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

/** The people to choose from in a filter. */
export function usePeopleChoices(): Choices {
  const { data = [] } = useQuery({
    queryKey: ['bank', 'users', 'choices'],
    staleTime: long_ms,
    queryFn: async () => (await api.operator.users.list({ limit: 100 }).page()).items,
  })
  const names = new Map(data.map(({ id, name }) => [id, name]))
  return { choices: [...names.keys()], written: (id) => names.get(id) ?? shortId(id) }
}
