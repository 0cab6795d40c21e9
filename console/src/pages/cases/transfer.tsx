// The payment of a case, and how it came to wait.
import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Transfer, TransferMove } from '@vostro/sdk'
import { Rows } from '../../ui/list.tsx'
import { isVenture } from '../../ui/names.tsx'
import { Block } from '../../ui/page.tsx'
import { Raw, Readable } from '../../ui/readable.tsx'
import { Status } from '../../ui/status.tsx'
import { money, secondOf, words } from '../../ui/words.ts'

const party = (side: 'cr' | 'dr') =>
  [
    [`${side}_name`, 'Name'],
    [`${side}_iban`, 'IBAN'],
    [`${side}_bank_bic`, 'Bank'],
    [`${side}_address`, 'Address'],
    [`${side}_postal_code`, 'Postal code'],
    [`${side}_city`, 'City'],
    [`${side}_country_code`, 'Country'],
  ] as const

export function TransferBlock({
  transfer,
  venture,
  history,
}: {
  transfer: Transfer
  venture: string
  history?: TransferMove[] | undefined
}) {
  const { id, status, debit_amount, debit_currency, direction, method } = transfer
  return (
    <Block
      title="Payment"
      note={
        <Group gap="sm">
          <Status value={status} />
          {isVenture(venture) && (
            <Anchor renderRoot={(props) => <Link {...props} to={`/v/${venture}/transfers/${id}`} />}>Show the transfer</Anchor>
          )}
        </Group>
      }
    >
      <Stack gap="md">
        <Text size="xl" fw={700} className="amount">
          {money(debit_amount, debit_currency)}{' '}
          <Text span size="sm" fw={400}>
            {words(direction).toLowerCase()} over {words(method)}
          </Text>
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Party title="From" side="dr" transfer={transfer} />
          <Party title="To" side="cr" transfer={transfer} />
        </SimpleGrid>
        <Readable
          value={transfer}
          names={[
            ['unique_reference', 'Reference'],
            'purpose',
            ['transfer_type', 'Type'],
            'settlement_date',
            'status_reason',
            ['created_at', 'Ordered'],
          ]}
        />
        {history && history.length > 0 && <Moves history={history} />}
        <Raw value={transfer} />
      </Stack>
    </Block>
  )
}

function Party({ title, side, transfer }: { title: string; side: 'cr' | 'dr'; transfer: Transfer }) {
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Readable value={transfer} names={party(side)} />
    </div>
  )
}

function Moves({ history }: { history: TransferMove[] }) {
  return (
    <Rows
      label="History of the payment"
      rows={history}
      idOf={({ id }) => id}
      columns={[
        { label: 'Status', cell: ({ to_status }) => <Status value={to_status} /> },
        { label: 'By', cell: ({ actor }) => words(actor) },
        { label: 'When', cell: ({ created_at }) => secondOf(created_at) },
        { label: 'Reason', wide: true, cell: ({ reason, reason_code }) => [reason_code, reason].filter(Boolean).join(' ') },
      ]}
    />
  )
}
