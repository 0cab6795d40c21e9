// The people behind a case: the client of the account, or the person or company whose name was found.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiOf } from '../../ui/api.ts'
import { Answered, Block } from '../../ui/page.tsx'
import { Readable } from '../../ui/readable.tsx'
import { words } from '../../ui/words.ts'

const clientFields = [
  'first_name',
  'middle_name',
  'last_name',
  'date_of_birth',
  ['birth_country', 'Country of birth'],
  'nationality',
  'address',
  'postcode',
  'city',
  ['country_code', 'Country'],
  'email',
  ['mobile_phone_number', 'Phone'],
  'kyc_status',
  'risk_level',
  'blocked',
  ['is_blacklisted', 'Blacklisted'],
  'blacklisted_comment',
  ['created_at', 'Client since'],
] as const

export function ClientOfAccount({ venture, account }: { venture: string; account: string }) {
  const query = useQuery({
    queryKey: [venture, 'client of account', account],
    queryFn: async () => {
      const { client_id } = await apiOf(venture).accounts.get(account)
      return apiOf(venture).clients.get(client_id)
    },
  })
  return (
    <Block title="Client" note={query.data && <Show to={`/v/${venture}/clients/${query.data.id}`} label="Show the client" />}>
      <Answered query={query}>{query.data && <Readable value={query.data} names={clientFields} />}</Answered>
    </Block>
  )
}

type NamedOptions = { kind: 'client' | 'beneficiary' | 'transfer'; id: string; venture: string }

export function Named({ kind, id, venture }: NamedOptions) {
  const query = useQuery({
    queryKey: [venture, kind, id],
    queryFn: (): Promise<object> => {
      const api = apiOf(venture)
      if (kind === 'client') return api.clients.get(id)
      return kind === 'beneficiary' ? api.beneficiaries.get(id) : api.transfers.get(id)
    },
  })
  const { client_id } = (query.data ?? {}) as { client_id?: string }
  const link =
    kind === 'transfer'
      ? { to: `/v/${venture}/transfers/${id}`, label: 'Show the transfer' }
      : {
          to: `/v/${venture}/clients/${kind === 'client' ? id : client_id}`,
          label: kind === 'client' ? 'Show the client' : 'Show its client',
        }
  return (
    <Block title={`Screened: ${words(kind).toLowerCase()}`} note={query.data && <Show {...link} />}>
      <Answered query={query}>
        {query.data && (kind === 'client' ? <Readable value={query.data} names={clientFields} /> : <Readable value={query.data} />)}
      </Answered>
    </Block>
  )
}

function Show({ to, label }: { to: string; label: string }) {
  return <Anchor renderRoot={(props) => <Link {...props} to={to} />}>{label}</Anchor>
}
