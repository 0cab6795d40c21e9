// The simulated bank: its state, its actions, and the payments between it and this bank.
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SandboxBankPayment, SandboxBankState } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, grouped, ibanOf, money, words } from '../../ui/words.ts'
import { Collect, PayIn, RecallIt } from './orders.tsx'

export function SimulatedBank() {
  const bank = useQuery({ queryKey: ['bank', 'sandbox', 'bank'], queryFn: () => api.sandbox.bank.get(), refetchInterval: 5_000 })
  return (
    <>
      <Block
        title="Simulated bank"
        actions={
          <Group gap="xs">
            <PayIn />
            <Collect />
            <Cycle />
            <DayEnd />
          </Group>
        }
      >
        <Answered query={bank}>{bank.data && <State bank={bank.data} />}</Answered>
      </Block>
      {bank.data && <Payments payments={bank.data.payments} />}
    </>
  )
}

function State({ bank: { account, balance, last_statement, counts } }: { bank: SandboxBankState }) {
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['Our balance', money(balance, account.currency)],
          ['Our account', <Copyable key="iban" text={account.iban} shown={ibanOf(account.iban)} />],
          [
            'BIC',
            <span key="bic" className="mono">
              {account.bic}
            </span>,
          ],
          ['Last statement', last_statement === null ? 'None yet' : grouped(String(last_statement))],
        ]}
      />
      <Group gap="xs">
        {Object.entries(counts).map(([state, count]) => (
          <span key={state}>
            <Status value={state} /> <span className="amount">{grouped(String(count))}</span>
          </span>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        The cents of an amount decide what happens: .01 is rejected, .05 is returned, .09 is never answered, .16 is missing from the
        statement. Anything else settles.
      </Text>
    </Stack>
  )
}

function Cycle() {
  return (
    <Action
      operation="runSandboxCycle"
      label="Run a cycle"
      run={() => api.sandbox.bank.runCycle()}
      done={({ payments }) => `The cycle moved ${counted(payments, 'payment')} forward.`}
    >
      The simulated bank settles and returns the payments that are due. It also does so automatically, half a second after a payment
      arrives.
    </Action>
  )
}

function DayEnd() {
  return (
    <Action
      operation="endSandboxDay"
      label="End the day"
      run={() => api.sandbox.bank.endDay()}
      done={({ statements }) => `${counted(statements.length, 'statement')} sent.`}
    >
      The simulated bank sends a statement of our account (camt.053) with everything since the previous statement.
    </Action>
  )
}

const columns: readonly Column<SandboxBankPayment>[] = [
  { label: 'Counterparty', cell: ({ direction, debtor, creditor, tx_id }) => (direction === 'OUT' ? creditor : debtor) ?? tx_id },
  {
    label: 'State',
    cell: ({ state, reason }) => (
      <>
        <Status value={state} /> {reason !== null && <span className="mono">{reason}</span>}
      </>
    ),
  },
  {
    label: 'Amount',
    align: 'right',
    cell: ({ direction, amount, currency }) => money(direction === 'OUT' ? `-${amount}` : `+${amount}`, currency),
  },
  { label: 'Type', wide: true, cell: ({ rail, kind }) => `${words(rail)} ${words(kind).toLowerCase()}` },
  // The value that banks use when the payer gave no reference.
  { label: 'Reference', wide: true, cell: ({ end_to_end_id }) => (end_to_end_id === 'NOTPROVIDED' ? null : end_to_end_id) },
  { label: 'Purpose', wide: true, cell: ({ purpose }) => purpose && <span className="clipped">{purpose}</span> },
  { label: '', wide: true, cell: (payment) => <RecallIt payment={payment} /> },
]

function Payments({ payments }: { payments: readonly SandboxBankPayment[] }) {
  return (
    <Block title="Newest payments" note="Outgoing payments are negative.">
      {payments.length === 0 ? (
        <Empty title="No payments yet." />
      ) : (
        <Rows
          label="Payments at the simulated bank"
          rows={payments}
          idOf={({ direction, tx_id }) => `${direction} ${tx_id}`}
          columns={columns}
        />
      )}
    </Block>
  )
}
