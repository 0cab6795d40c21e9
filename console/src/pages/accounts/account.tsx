// An account: its balances, limits, bookings and actions.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Account } from '@vostro/sdk'
import { Copyable } from '../../ui/copyable.tsx'
import { History } from '../../ui/history.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { ClientTie } from '../../ui/tied.tsx'
import { ibanOf, minuteOf, money, words } from '../../ui/words.ts'
import { Balance } from './balance.tsx'
import { Books } from './books.tsx'
import { Edit } from './edit.tsx'
import { Limits } from './limits.tsx'
import { Moves, Obstacles } from './moving.tsx'
import { Receive } from './receive.tsx'
import { Statement } from './statement.tsx'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { account: id = '' } = useParams({ strict: false }) as { account?: string }
  const query = useQuery({ queryKey: [venture, 'account', id], queryFn: () => api.accounts.get(id) })
  const account = query.data
  return (
    <Frame
      title={account?.account_name ?? 'Account'}
      back={{ to: `/v/${venture}/accounts`, label: 'Accounts' }}
      aside={account && <Status value={account.status} />}
      actions={account && <Moves account={account} />}
    >
      <Answered query={query}>{account && <Shown account={account} />}</Answered>
    </Frame>
  )
}

function Shown({ account }: { account: Account }) {
  const { currency } = account
  return (
    <>
      <Block>
        <dl className="figures">
          {(
            [
              ['Available', account.available_balance],
              ['Reserved', account.reserved_balance],
              ['Current', account.current_balance],
            ] as const
          ).map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="amount">{money(amount, currency)}</dd>
            </div>
          ))}
        </dl>
      </Block>
      <Block title="Balance over time">
        <Balance account={account} />
      </Block>
      <Books account={account} />
      <div className="columns">
        <Block title="Details" actions={<Edit account={account} />}>
          <Facts
            facts={[
              ['IBAN', <Copyable key="iban" text={account.account_number} shown={ibanOf(account.account_number)} label="Copy the IBAN" />],
              ['Holder', <ClientTie key="holder" id={account.client_id} />],
              ['Kind', words(account.account_type)],
              ['Opened', minuteOf(account.opened_date)],
              ['Closed', account.closed_date && minuteOf(account.closed_date)],
              ['Last booking', account.last_activity_date && minuteOf(account.last_activity_date)],
              ['Description', account.description],
              ['Your own id', account.external_account_id],
              ['Id', <Copyable key="id" text={account.id} label="Copy the id" />],
            ]}
          />
          <Obstacles account={account} />
        </Block>
        <Limits account={account} />
        <Receive account={account} />
        <Statement account={account} />
      </div>
      <Block title="History">
        <History id={account.id} />
      </Block>
    </>
  )
}
