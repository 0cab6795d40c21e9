// A day's statement compared with the books: how its closing balance is made up.
import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Nostro, Reconciliation } from '@vostro/sdk'
import { isZero, opposite, sumOf } from '../../ui/amounts.ts'
import { api } from '../../ui/api.ts'
import { FilterBar, useFilters } from '../../ui/list.tsx'
import { Answered, Block } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, grouped } from '../../ui/words.ts'

export function Day({ nostro: { id, last_statement_on } }: { nostro: Nostro }) {
  const [{ date }] = useFilters()
  const compared = useQuery({
    queryKey: ['bank', 'nostros', id, 'reconciliation', date ?? 'last'],
    enabled: last_statement_on !== null,
    queryFn: () => api.operator.nostros.getReconciliation(id, date ? { date } : {}),
  })
  if (last_statement_on === null)
    return <Text size="sm">No statement yet. Once the settlement bank sends one, this page compares it with the books.</Text>
  return (
    <Stack gap="sm">
      <FilterBar filters={[{ name: 'date', label: 'Day', type: 'date' }]} />
      <Answered query={compared}>{compared.data && <Figures compared={compared.data} />}</Answered>
    </Stack>
  )
}

function Figures({ compared }: { compared: Reconciliation }) {
  const { date, number, currency, closing, prefunding, settlement, in_transit, breaks, difference } = compared
  const expected = sumOf([prefunding, opposite(settlement), opposite(in_transit), breaks])
  const lines = [
    ['Prefunding', 'The bank’s own money in the account', prefunding],
    ['Settled', 'Booked for payments over this account: incoming minus outgoing', opposite(settlement)],
    ['In transit', 'Booked, but not on a statement yet', opposite(in_transit)],
    ['Breaks', 'Differences of open breaks', breaks],
  ] as const
  return (
    <Block
      title={`Statement ${number}, ${dayOf(date)}`}
      actions={isZero(difference) ? <Status value="Balanced" tone="good" /> : <Status value="Not balanced" tone="bad" />}
    >
      <Table className="sums" aria-label="Reconciliation">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Figure</Table.Th>
            <Table.Th className="right">{currency}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(([name, meaning, amount]) => (
            <Table.Tr key={name}>
              <Table.Td>
                {name}
                <Text size="xs" c="dimmed">
                  {meaning}
                </Text>
              </Table.Td>
              <Table.Td className="right">{signed(amount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>Books</Table.Th>
            <Table.Th className="right">{grouped(expected)}</Table.Th>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>Statement</Table.Th>
            <Table.Th className="right">{grouped(closing)}</Table.Th>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>Difference</Table.Th>
            <Table.Th className="right">{grouped(difference)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Block>
  )
}

/** Additions get a plus sign. */
const signed = (amount: string): string => (isZero(amount) || amount.startsWith('-') ? grouped(amount) : `+${grouped(amount)}`)
