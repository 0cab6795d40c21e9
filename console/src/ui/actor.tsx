// Who did something, by name if the role may see names.
import { useQuery } from '@tanstack/react-query'
import type { TransferMove } from '@vostro/sdk'
import { useMay, useVenture, useVentureApi } from './session.ts'
import { capitalized } from './words.ts'

type Kind = TransferMove['actor'] | null

const others: Record<string, string> = { operator: 'the bank', service: 'the service', connector: 'the rails' }

const kinds: Record<string, string> = { ...others, venture: 'a key', user: 'a team member' }

/** The kind of actor, for long lists that do not look up names: `A key`, `The bank`. */
export const actorWords = (kind: string): string => capitalized(kinds[kind] ?? kind)

const minutes_ms = 5 * 60_000

/** `the key “Backend”`, `Ada Lovelace`, `the bank`. */
export function Actor({ kind, id }: { kind: Kind; id: string | null }) {
  const name = useActorName(kind, id)
  if (kind === 'venture') return name === undefined ? 'a key' : `the key “${name}”`
  if (kind === 'user') return name ?? 'a team member'
  return others[kind ?? ''] ?? 'unknown'
}

function useActorName(kind: Kind, id: string | null): string | undefined {
  const api = useVentureApi()
  const venture = useVenture()
  const may = useMay()
  const keys = useQuery({
    queryKey: [venture, 'names of keys'],
    enabled: kind === 'venture' && id !== null && may('listKeys'),
    queryFn: () => api.venture.listKeys({ limit: 100 }).page(),
    staleTime: minutes_ms,
  })
  const users = useQuery({
    queryKey: [venture, 'names of users'],
    enabled: kind === 'user' && id !== null && may('listVentureUsers'),
    queryFn: () => api.venture.listUsers({ limit: 100 }).page(),
    staleTime: minutes_ms,
  })
  const known: readonly { id: string; name: string }[] = (kind === 'venture' ? keys.data?.items : users.data?.items) ?? []
  return known.find((each) => each.id === id)?.name
}
