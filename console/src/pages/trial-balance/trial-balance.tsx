// All books of the bank at the end of a day, as debits and credits.
import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'
import { FilterBar, useFilters } from '../../ui/list.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, grouped, words } from '../../ui/words.ts'
import { type Books, balancesOf, type Currency } from './balances.ts'

export function Page() {
  const [{ date }] = useFilters()
  const balance = useQuery({
    queryKey: ['bank', 'trial-balance', date ?? 'now'],
    queryFn: () => api.operator.trialBalance.get(date ? { date } : {}),
  })
  const currencies = balancesOf(balance.data ?? [])
  return (
    <Frame title="Trial balance">
      <FilterBar filters={[{ name: 'date', label: 'Day', type: 'date' }]} />
      <Text size="sm" c="dimmed">
        {date ? `At the end of ${dayOf(date)}, in UTC.` : 'Current balances.'} Accounts with a zero balance are left out.
      </Text>
      <Answered query={balance}>
        {currencies.length === 0 ? (
          <Empty title="No bookings by then." />
        ) : (
          <Stack gap="md">
            {currencies.map((one) => (
              <Sheet key={one.currency} sheet={one} />
            ))}
          </Stack>
        )}
      </Answered>
    </Frame>
  )
}

function Sheet({ sheet: { currency, books, debits, credits, balanced } }: { sheet: Currency }) {
  return (
    <Block title={currency} actions={balanced ? <Status value="Balanced" tone="good" /> : <Status value="Not balanced" tone="bad" />}>
      <Table className="sums" aria-label={`Trial balance in ${currency}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th className="right">Debit</Table.Th>
            <Table.Th className="right">Credit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {books.map((one) => (
          <BooksRows key={one.venture_id} books={one} />
        ))}
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>Total</Table.Th>
            <Table.Th className="right">{grouped(debits)}</Table.Th>
            <Table.Th className="right">{grouped(credits)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Block>
  )
}

function BooksRows({ books: { venture_id, lines, debits, credits } }: { books: Books }) {
  return (
    <Table.Tbody>
      <Table.Tr className="group-row">
        <Table.Th scope="rowgroup">
          <VentureName id={venture_id} />
        </Table.Th>
        <Table.Td className="right">{grouped(debits)}</Table.Td>
        <Table.Td className="right">{grouped(credits)}</Table.Td>
      </Table.Tr>
      {lines.map(({ account, debit, credit }) => (
        <Table.Tr key={account}>
          <Table.Td className="indented">{nameOf(account)}</Table.Td>
          <Table.Td className="right">{debit && grouped(debit)}</Table.Td>
          <Table.Td className="right">{credit && grouped(credit)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  )
}

/** `settlement:SEPA` as `Settlement · SEPA`. */
const nameOf = (account: string): string => account.split(':').map(words).join(' · ')
