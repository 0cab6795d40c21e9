// Links to related resources, by name.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useVenture, useVentureApi } from './session.ts'
import { shortId } from './words.ts'

/** A link to a page of the venture, such as `clients/…`. */
export function Tie({ to, children }: { to: string; children: ReactNode }) {
  const venture = useVenture()
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to={`/v/${venture}/${to}`} />}>
      {children}
    </Anchor>
  )
}

export function ClientTie({ id }: { id: string }) {
  const api = useVentureApi()
  const { data } = useQuery({ queryKey: [useVenture(), 'client', id], queryFn: () => api.clients.get(id), staleTime: 60_000 })
  return <Tie to={`clients/${id}`}>{data === undefined ? shortId(id) : `${data.first_name} ${data.last_name}`}</Tie>
}

export function AccountTie({ id }: { id: string }) {
  const api = useVentureApi()
  const { data } = useQuery({ queryKey: [useVenture(), 'account', id], queryFn: () => api.accounts.get(id), staleTime: 60_000 })
  return <Tie to={`accounts/${id}`}>{data === undefined ? shortId(id) : `${data.account_name} (${data.currency})`}</Tie>
}
