// A nostro: a day compared with the books, its statements, and its entries.
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Nostro } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { useFilters } from '../../ui/list.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { counted, dayOf, ibanOf, money, words } from '../../ui/words.ts'
import { Day } from './day.tsx'
import { Entries, Statements } from './statements.tsx'

const back = { to: '/bank/reconciliation', label: 'Reconciliation' }

export function Page() {
  const { nostro: id = '' } = useParams({ strict: false }) as { nostro?: string }
  const nostro = useQuery({ queryKey: ['bank', 'nostros', id], queryFn: () => api.operator.nostros.get(id) })
  if (nostro.data === undefined)
    return (
      <Frame title="Nostro" back={back}>
        <Answered query={nostro}>{null}</Answered>
      </Frame>
    )
  return <Shown nostro={nostro.data} />
}

function Shown({ nostro }: { nostro: Nostro }) {
  const { id, name, account, bic, currency, rails, prefunding, balance, last_statement_on, open_breaks } = nostro
  const [{ tab = 'day' }, change] = useFilters()
  return (
    <Frame
      title={name}
      back={back}
      aside={
        open_breaks === 0 ? (
          <Status value="No breaks" tone="good" />
        ) : (
          <Status value={counted(open_breaks, 'open break')} tone="attention" />
        )
      }
    >
      <Block>
        <Facts
          facts={[
            ['Balance', money(balance, currency)],
            ['Last statement', last_statement_on === null ? 'None yet' : dayOf(last_statement_on)],
            ['Account', <Copyable key="account" text={account} shown={ibanOf(account)} />],
            [
              'BIC',
              <span key="bic" className="mono">
                {bic}
              </span>,
            ],
            ['Rails', rails.map(words).join(', ')],
            ['Prefunding', money(prefunding, currency)],
            [
              'Breaks',
              <To key="breaks" to="/bank/breaks" search={{ nostro_id: id }}>
                Show breaks
              </To>,
            ],
          ]}
        />
      </Block>
      <Tabs
        value={tab}
        onChange={(chosen) => change({ tab: chosen ?? undefined, number: undefined, state: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="day">Day</Tabs.Tab>
          <Tabs.Tab value="statements">Statements</Tabs.Tab>
          <Tabs.Tab value="entries">Entries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="day">
          <Day nostro={nostro} />
        </Tabs.Panel>
        <Tabs.Panel value="statements">
          <Statements nostro={nostro} />
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <Entries nostro={nostro} />
        </Tabs.Panel>
      </Tabs>
    </Frame>
  )
}
