// The payment of a case and its history.
import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Transfer, TransferMove } from '@vostro/sdk'
import { actorWords } from '../../ui/actor.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { countryOf } from '../../ui/countries.ts'
import { Rows } from '../../ui/list.tsx'
import { isVenture } from '../../ui/names.tsx'
import { Block, Facts } from '../../ui/page.tsx'
import { Raw, Readable } from '../../ui/readable.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, ibanOf, money, secondOf, words } from '../../ui/words.ts'

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

/** The payments that a rule has added up or counted. */
export function Behind({ payments, venture }: { payments: readonly Transfer[]; venture: string }) {
  return (
    <Block title="Payments behind the rule">
      <Rows
        label="Payments behind the rule"
        rows={payments}
        idOf={({ id }) => id}
        {...(isVenture(venture) && { to: ({ id }: Transfer) => `/v/${venture}/transfers/${id}` })}
        columns={[
          { label: 'Settles', cell: ({ settlement_date }) => dayOf(settlement_date) },
          { label: 'Amount', align: 'right', cell: ({ debit_amount, debit_currency }) => money(debit_amount, debit_currency) },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          { label: 'Other party', wide: true, cell: ({ direction, cr_name, dr_name }) => (direction === 'OUTBOUND' ? cr_name : dr_name) },
          { label: 'Purpose', wide: true, cell: ({ purpose }) => purpose },
        ]}
      />
    </Block>
  )
}

function Party({ title, side, transfer }: { title: string; side: 'cr' | 'dr'; transfer: Transfer }) {
  const [iban, country] = [transfer[`${side}_iban`], transfer[`${side}_country_code`]]
  const place = [transfer[`${side}_postal_code`], transfer[`${side}_city`]].filter(Boolean).join(' ')
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Facts
        facts={[
          ['Name', transfer[`${side}_name`]],
          ['IBAN', iban && <Copyable text={iban} shown={ibanOf(iban)} label="Copy the IBAN" />],
          ['Bank', transfer[`${side}_bank_bic`]],
          ['Address', [transfer[`${side}_address`], place, country && countryOf(country)].filter(Boolean).join(', ')],
        ]}
      />
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
        { label: 'By', cell: ({ actor }) => actorWords(actor) },
        { label: 'When', cell: ({ created_at }) => secondOf(created_at) },
        { label: 'Reason', wide: true, cell: ({ reason, reason_code }) => [reason_code, reason].filter(Boolean).join(' ') },
      ]}
    />
  )
}
